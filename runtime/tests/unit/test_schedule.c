/* SPDX-License-Identifier: Apache-2.0 */
/* The search for a bad order: finds one for wrong code, replays it, and finds none for right code. */
#include "../support/rig.h"

typedef struct program {
    bool release_early; /* the mistake */
    int wrong;          /* times the result was wrong */
} program;

static grt_stream *make_stream(grt_device *device)
{
    grt_stream *stream;
    OK(grt_stream_create(device, 0, &stream));
    return stream;
}

/* A writer under a guard, then a reader on another stream. Right if the reader sees what the writer wrote. */
static bool write_then_read(grt_device *device, void *user)
{
    program *me = user;
    grt_module *module;
    grt_module_desc kernels = test_kernels();
    OK(grt_module_load(device, &kernels, &module));
    OK(grt_module_kernel(module, "word_fill", &rig.fill));
    OK(grt_module_kernel(module, "word_copy", &rig.copy));
    grt_stream *streams[2] = {make_stream(device), make_stream(device)};
    grt_buffer *from = make_buffer(streams[0], WORDS), *to = make_buffer(streams[0], WORDS);
    fill(streams[0], grt_buffer_view(from), 1, 0);
    fill(streams[1], grt_buffer_view(to), 0, 0);
    grt_guard *guard;
    OK(grt_acquire_write(streams[0], grt_buffer_view(from), &guard));
    void *pointer = grt_guard_pointer(guard);
    if (me->release_early)
        OK(grt_release(guard));
    /* guardlint: allow(released-before-launch) the mistake under test */
    raw_fill(streams[0], pointer, 2, WORDS, 0);
    if (!me->release_early)
        OK(grt_release(guard));
    copy(streams[1], grt_buffer_view(to), grt_buffer_view(from), 0);
    uint32_t seen;
    grt_view first;
    OK(grt_view_slice(grt_buffer_view(to), 0, 4, &first));
    OK(grt_download(streams[1], &seen, first));
    OK(grt_device_synchronize(device));
    OK(grt_buffer_destroy(from));
    OK(grt_buffer_destroy(to));
    OK(grt_stream_destroy(streams[0]));
    OK(grt_stream_destroy(streams[1]));
    OK(grt_module_unload(module));
    me->wrong += seen != 2;
    return seen == 2;
}

START_TEST(finds_the_order_that_shows_a_mistake)
{
    program wrong = {.release_early = true};
    uint64_t seed = 0, again = 0;
    OK(grt_schedule_search(write_then_read, &wrong, 200, &seed));
    ck_assert_uint_gt(seed, 0);
    OK(grt_schedule_search(write_then_read, &wrong, seed, &again));
    ck_assert_uint_eq(again, seed); /* the same orders again */
    ck_assert_int_eq(wrong.wrong, 2);
}
END_TEST

START_TEST(finds_nothing_in_right_code)
{
    program right = {.release_early = false};
    uint64_t seed = 1;
    OK(grt_schedule_search(write_then_read, &right, 200, &seed));
    ck_assert_uint_eq(seed, 0);
}
END_TEST

static bool count_only(grt_device *device, void *user)
{
    (void)device;
    ++*(int *)user;
    return true;
}

START_TEST(the_variable_says_how_many)
{
    int runs = 0;
    uint64_t seed;
    setenv("GUARDRT_SCHEDULES", "17", 1);
    OK(grt_schedule_search(count_only, &runs, 0, &seed));
    ck_assert_int_eq(runs, 17);
    unsetenv("GUARDRT_SCHEDULES");
    FAILS(GRT_INVALID_ARGUMENT, grt_schedule_search(NULL, NULL, 1, &seed));
}
END_TEST

Suite *suite(void)
{
    Suite *made = suite_create("schedule");
    TCase *tests = tcase_create("schedule");
    suite_add_tcase(made, tests);
    tcase_add_test(tests, finds_the_order_that_shows_a_mistake);
    tcase_add_test(tests, finds_nothing_in_right_code);
    tcase_add_test(tests, the_variable_says_how_many);
    return made;
}
