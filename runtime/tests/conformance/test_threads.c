/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many threads, many operations, no growth. GUARDRT_TEST_OPERATIONS sets how many operations each test makes
 * in all (default 60000; the long mode is 5000000).
 */
#include "../support/rig.h"

#include <malloc.h>
#include <pthread.h>

/* A stream keeps at most 16 events; the runtime has two streams of its own. */
enum { THREADS = 16, DEFAULT_OPERATIONS = 60000, EVENTS_A_STREAM = 16 };

typedef struct worker {
    pthread_t thread;
    grt_stream *stream;
    grt_buffer *shared;
    grt_buffer *own;
    size_t operations;
    grt_status status;
} worker;

static size_t operations(void)
{
    const char *variable = getenv("GUARDRT_TEST_OPERATIONS");
    return variable ? strtoull(variable, NULL, 0) : DEFAULT_OPERATIONS;
}

/* Checks from other threads than the test's would jump nowhere: workers keep the first failure for the test.
 */
static void keep(worker *me, grt_status status)
{
    if (me->status == GRT_OK)
        me->status = status;
}

static grt_status launch_add(grt_stream *stream, grt_view to, uint32_t value)
{
    uint32_t count = (uint32_t)(to.size / 4), micros = 0;
    return grt_launch(stream, rig.add, grt_config_linear(1, 32), GRT_UPDATE(to), GRT_VALUE(value),
                      GRT_VALUE(count), GRT_VALUE(micros));
}

static void *add_to_shared(void *user)
{
    worker *me = user;
    for (size_t i = 0; i < me->operations; i++)
        keep(me, launch_add(me->stream, grt_buffer_view(me->shared), 1));
    return NULL;
}

static void *guard_shared(void *user)
{
    worker *me = user;
    for (size_t i = 0; i < me->operations; i++) {
        grt_guard *guard;
        grt_status status = grt_acquire_read(me->stream, grt_buffer_view(me->shared), &guard);
        keep(me, status);
        if (status == GRT_OK)
            keep(me, grt_release(guard));
    }
    return NULL;
}

static void *churn_own(void *user)
{
    worker *me = user;
    for (size_t i = 0; i < me->operations; i += 4) {
        grt_buffer *buffer;
        grt_status status = grt_buffer_create(me->stream, 64, &buffer);
        keep(me, status);
        if (status != GRT_OK)
            break;
        keep(me, launch_add(me->stream, grt_buffer_view(buffer), 1));
        keep(me, launch_add(me->stream, grt_buffer_view(me->own), 1));
        keep(me, grt_buffer_destroy(buffer));
    }
    return NULL;
}

static void run(int threads, void *(*body)(void *user), size_t each, grt_buffer *shared)
{
    worker workers[THREADS] = {0};
    rig_streams(threads);
    for (int i = 0; i < threads; i++) {
        workers[i] = (worker){.stream = rig.streams[i], .shared = shared, .operations = each};
        workers[i].own = make_buffer(rig.streams[i], 16);
        fill(rig.streams[i], grt_buffer_view(workers[i].own), 0, 0);
    }
    for (int i = 0; i < threads; i++)
        ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, body, &workers[i]), 0);
    for (int i = 0; i < threads; i++)
        ck_assert_int_eq(pthread_join(workers[i].thread, NULL), 0);
    for (int i = 0; i < threads; i++) {
        ck_assert_msg(workers[i].status == GRT_OK, "%s", grt_status_name(workers[i].status));
        if (body == churn_own)
            expect_words(grt_buffer_view(workers[i].own), (uint32_t)(each / 4));
        OK(grt_buffer_destroy(workers[i].own));
    }
}

static const int thread_counts[] = {1, 2, 4, 16};

START_TEST(no_addition_is_lost)
{
    int threads = thread_counts[_i];
    size_t each = operations() / 4 / (size_t)threads;
    grt_buffer *shared = make_buffer(rig.streams[0], 16);
    fill(rig.streams[0], grt_buffer_view(shared), 0, 0);
    run(threads, add_to_shared, each, shared);
    expect_words(grt_buffer_view(shared), (uint32_t)(each * (size_t)threads));
    OK(grt_buffer_destroy(shared));
}
END_TEST

START_TEST(readers_guard_one_buffer_from_many_threads)
{
    int threads = thread_counts[_i];
    grt_buffer *shared = make_buffer(rig.streams[0], 16);
    fill(rig.streams[0], grt_buffer_view(shared), 3, 0);
    run(threads, guard_shared, operations() / (size_t)threads, shared);
    expect_words(grt_buffer_view(shared), 3);
    OK(grt_buffer_destroy(shared));
}
END_TEST

START_TEST(buffers_come_and_go_in_many_threads)
{
    int threads = thread_counts[_i];
    run(threads, churn_own, operations() / 4 / (size_t)threads * 4, NULL);
    ck_assert_uint_eq(grt_device_measure(rig.device).buffers, 0);
}
END_TEST

/* One round of everything a steady program does. */
static void steady_round(grt_buffer *a, grt_buffer *b, size_t rounds)
{
    for (size_t i = 0; i < rounds; i++) {
        grt_guard *guard;
        grt_stream *stream = rig.streams[i % 4];
        add(stream, grt_buffer_view(a), 1, 0);
        copy(rig.streams[(i + 1) % 4], grt_buffer_view(b), grt_buffer_view(a), 0);
        OK(grt_acquire_read(stream, grt_buffer_view(b), &guard));
        OK(grt_release(guard));
        grt_buffer *brief = make_buffer(stream, 16);
        fill(rig.streams[(i + 2) % 4], grt_buffer_view(brief), 1, 0);
        OK(grt_buffer_destroy(brief));
    }
    OK(grt_device_synchronize(rig.device));
}

START_TEST(a_steady_program_does_not_grow)
{
    rig_streams(4);
    grt_buffer *a = make_buffer(rig.streams[0], 16), *b = make_buffer(rig.streams[0], 16);
    fill(rig.streams[0], grt_buffer_view(a), 0, 0);
    steady_round(a, b, 1000);
    size_t bytes = mallinfo2().uordblks;
    steady_round(a, b, operations() / 10);
    ck_assert_uint_le(grt_device_measure(rig.device).events_created, EVENTS_A_STREAM * (4 + 2));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    ck_assert_uint_lt(mallinfo2().uordblks, bytes + 1024 * 1024); /* queued commands come and go */
#else
    (void)bytes;
#endif
    OK(grt_buffer_destroy(a));
    OK(grt_buffer_destroy(b));
}
END_TEST

START_TEST(streams_come_and_go_without_growth)
{
    grt_buffer *buffer = make_buffer(rig.streams[0], 16);
    fill(rig.streams[0], grt_buffer_view(buffer), 0, 0);
    uint64_t events = 0;
    for (uint32_t i = 0; i < 300; i++) {
        grt_stream *brief;
        OK(grt_stream_create(rig.device, 0, &brief));
        add(brief, grt_buffer_view(buffer), 1, 0);
        OK(grt_stream_destroy(brief));
        if (i % 8 == 0)
            OK(grt_device_synchronize(rig.device));
        if (i == 100)
            events = grt_device_measure(rig.device).events_created;
    }
    ck_assert_uint_le(grt_device_measure(rig.device).events_created, events + 8);
    expect_words(grt_buffer_view(buffer), 300);
    OK(grt_buffer_destroy(buffer));
}
END_TEST

Suite *suite(void)
{
    Suite *made = suite_create("threads");
    TCase *tests = rig_case(made, "threads");
    int counts = (int)(sizeof(thread_counts) / sizeof(thread_counts[0]));
    tcase_add_loop_test(tests, no_addition_is_lost, 0, counts);
    tcase_add_loop_test(tests, readers_guard_one_buffer_from_many_threads, 0, counts);
    tcase_add_loop_test(tests, buffers_come_and_go_in_many_threads, 0, counts);
    tcase_add_test(tests, a_steady_program_does_not_grow);
    tcase_add_test(tests, streams_come_and_go_without_growth);
    return made;
}
