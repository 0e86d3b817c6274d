/* SPDX-License-Identifier: Apache-2.0 */
/* The exact number of driver calls, of all functions, for what programs do most. */
#include "../support/rig.h"
#include "control.h"

#include <pthread.h>

static grt_buffer *in[3], *out;

static void make_all(void)
{
    for (int i = 0; i < 3; i++) {
        in[i] = make_buffer(rig.streams[0], WORDS);
        fill(rig.streams[0], grt_buffer_view(in[i]), 1, 0);
    }
    out = make_buffer(rig.streams[0], WORDS);
    fill(rig.streams[0], grt_buffer_view(out), 0, 0);
}

static void destroy_all(void)
{
    for (int i = 0; i < 3; i++)
        OK(grt_buffer_destroy(in[i]));
    OK(grt_buffer_destroy(out));
}

static void sum(grt_stream *stream)
{
    uint32_t count = WORDS;
    OK(grt_launch(stream, rig.sum3, grt_config_linear(128, 128), GRT_WRITE(grt_buffer_view(out)),
                  GRT_READ(grt_buffer_view(in[0])), GRT_READ(grt_buffer_view(in[1])),
                  GRT_READ(grt_buffer_view(in[2])), GRT_VALUE(count)));
}

START_TEST(one_stream_costs_the_launch)
{
    make_all();
    shim()->reset();
    for (int i = 0; i < 100; i++)
        sum(rig.streams[0]);
    ck_assert_uint_eq(shim()->count("cuLaunchKernel"), 100);
    ck_assert_uint_eq(shim()->count(NULL), 100);
    destroy_all();
}
END_TEST

/* However long it goes on: the list of events is kept short without asking the driver. */
START_TEST(several_streams_without_an_edge_cost_one_record)
{
    rig_streams(2);
    make_all();
    for (int i = 0; i < 70; i++) /* until the events exist */
        sum(rig.streams[0]);
    shim()->reset();
    for (int i = 0; i < 400; i++)
        sum(rig.streams[0]);
    ck_assert_uint_eq(shim()->count("cuLaunchKernel"), 400);
    ck_assert_uint_eq(shim()->count("cuEventRecord"), 400);
    ck_assert_uint_eq(shim()->count(NULL), 800);
    destroy_all();
}
END_TEST

START_TEST(acquire_and_release_cost_nothing)
{
    make_all();
    shim()->reset();
    for (int i = 0; i < 100; i++) {
        grt_guard *guard;
        OK(grt_acquire_update(rig.streams[0], grt_buffer_view(out), &guard));
        OK(grt_release(guard));
    }
    ck_assert_uint_eq(shim()->count(NULL), 0);
    destroy_all();
}
END_TEST

START_TEST(ping_pong_costs_a_wait_a_launch_and_a_record)
{
    rig_streams(2);
    make_all();
    for (int i = 0; i < 300; i++)
        add(rig.streams[i % 2], grt_buffer_view(out), 1, 0);
    OK(grt_device_synchronize(rig.device));
    shim()->reset();
    for (int i = 0; i < 20; i++)
        add(rig.streams[i % 2], grt_buffer_view(out), 1, 0);
    ck_assert_uint_eq(shim()->count("cuLaunchKernel"), 20);
    ck_assert_uint_eq(shim()->count("cuEventRecord"), 20);
    ck_assert_uint_eq(shim()->count("cuStreamWaitEvent"), 20);
    destroy_all();
}
END_TEST

START_TEST(a_writer_waits_once_for_each_reader)
{
    rig_streams(9);
    make_all();
    grt_buffer *copies[8];
    for (int i = 0; i < 8; i++) {
        copies[i] = make_buffer(rig.streams[i + 1], WORDS);
        copy(rig.streams[i + 1], grt_buffer_view(copies[i]), grt_buffer_view(in[0]), HOLD);
    }
    shim()->reset();
    fill(rig.streams[0], grt_buffer_view(in[0]), 2, 0);
    ck_assert_uint_eq(shim()->count("cuStreamWaitEvent"), 8);
    ck_assert_uint_eq(shim()->count("cuLaunchKernel"), 1);
    ck_assert_uint_eq(shim()->count("cuEventRecord"), 1);
    for (int i = 0; i < 8; i++)
        OK(grt_buffer_destroy(copies[i]));
    destroy_all();
}
END_TEST

/* The driver needs the context to be current. A new thread has none; one with another context keeps that. */
static void *launch_elsewhere(void *user)
{
    (void)user;
    fill(rig.streams[0], grt_buffer_view(out), 5, 0);
    uint64_t calls = shim()->count(NULL);
    fill(rig.streams[0], grt_buffer_view(out), 5, 0);
    return (void *)(uintptr_t)(shim()->count(NULL) - calls);
}

START_TEST(a_new_thread_binds_the_context_once)
{
    make_all();
    pthread_t thread;
    void *calls;
    ck_assert_int_eq(pthread_create(&thread, NULL, launch_elsewhere, NULL), 0);
    ck_assert_int_eq(pthread_join(thread, &calls), 0);
    ck_assert_uint_eq((uintptr_t)calls, 1);
    expect_words(grt_buffer_view(out), 5);
    destroy_all();
}
END_TEST

Suite *suite(void)
{
    Suite *made = suite_create("calls");
    TCase *tests = rig_case(made, "calls");
    tcase_add_test(tests, one_stream_costs_the_launch);
    tcase_add_test(tests, several_streams_without_an_edge_cost_one_record);
    tcase_add_test(tests, acquire_and_release_cost_nothing);
    tcase_add_test(tests, ping_pong_costs_a_wait_a_launch_and_a_record);
    tcase_add_test(tests, a_writer_waits_once_for_each_reader);
    tcase_add_test(tests, a_new_thread_binds_the_context_once);
    return made;
}
