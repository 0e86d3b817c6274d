/* SPDX-License-Identifier: Apache-2.0 */
/* Driver calls made to fail: who gets the error, what is poisoned, and that everything can still be ended. */
#include "../support/rig.h"
#include "control.h"

enum { UNKNOWN = 999, ILLEGAL_ADDRESS = 700, OUT_OF_MEMORY = 2, INVALID_VALUE = 1 };

static grt_status try_fill(grt_stream *stream, grt_view to)
{
    uint32_t count = (uint32_t)(to.size / 4), value = 1, micros = 0;
    return grt_launch(stream, rig.fill, grt_config_linear(128, 128), GRT_WRITE(to), GRT_VALUE(value),
                      GRT_VALUE(count), GRT_VALUE(micros));
}

static grt_status try_copy(grt_stream *stream, grt_view to, grt_view from)
{
    uint32_t count = (uint32_t)(to.size / 4), micros = 0;
    return grt_launch(stream, rig.copy, grt_config_linear(128, 128), GRT_WRITE(to), GRT_READ(from),
                      GRT_VALUE(count), GRT_VALUE(micros));
}

START_TEST(a_failed_launch_poisons_what_it_writes)
{
    rig_streams(2);
    grt_buffer *from = make_buffer(rig.streams[0], WORDS), *to = make_buffer(rig.streams[0], WORDS);
    fill(rig.streams[0], grt_buffer_view(from), 4, 0);
    uint64_t records = shim()->count("cuEventRecord");
    shim()->inject("cuLaunchKernel", 0, INVALID_VALUE, false);
    FAILS(GRT_LAUNCH_FAILED, try_copy(rig.streams[0], grt_buffer_view(to), grt_buffer_view(from)));
    ck_assert_uint_eq(shim()->count("cuEventRecord"), records); /* nothing is published */
    OK(grt_buffer_status(from));
    FAILS(GRT_POISONED, grt_buffer_status(to));
    FAILS(GRT_POISONED, try_fill(rig.streams[1], grt_buffer_view(to)));
    grt_guard *guard = NULL;
    FAILS(GRT_POISONED, grt_acquire_read(rig.streams[1], grt_buffer_view(to), &guard));
    ck_assert_ptr_null(guard);
    expect_words(grt_buffer_view(from), 4); /* no unrelated call gets the error */
    OK(grt_buffer_restore(to));
    OK(try_copy(rig.streams[0], grt_buffer_view(to), grt_buffer_view(from)));
    expect_words(grt_buffer_view(to), 4);
    OK(grt_buffer_destroy(from));
    OK(grt_buffer_destroy(to));
}
END_TEST

START_TEST(a_failed_record_poisons_and_the_free_still_follows_the_kernel)
{
    rig_streams(2);
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    uint32_t value = 1, count = WORDS, micros = HOLD;
    shim()->inject("cuEventRecord", 0, UNKNOWN, false);
    FAILS(GRT_DRIVER_ERROR, grt_launch(rig.streams[0], rig.fill, grt_config_linear(128, 128),
                                       GRT_WRITE(grt_buffer_view(buffer)), GRT_VALUE(value), GRT_VALUE(count),
                                       GRT_VALUE(micros)));
    FAILS(GRT_POISONED, grt_buffer_status(buffer));
    OK(grt_buffer_destroy(buffer));
    grt_buffer *next = make_buffer(rig.streams[1], WORDS);
    fill(rig.streams[1], grt_buffer_view(next), 2, 0);
    OK(grt_device_synchronize(rig.device));
    expect_words(grt_buffer_view(next), 2);
    OK(grt_buffer_destroy(next));
}
END_TEST

START_TEST(a_failed_record_of_a_release_is_the_release_s_error)
{
    rig_streams(2);
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_guard *guard;
    OK(grt_acquire_write(rig.streams[0], grt_buffer_view(buffer), &guard));
    shim()->inject("cuEventRecord", 0, UNKNOWN, false);
    FAILS(GRT_DRIVER_ERROR, grt_release(guard));
    FAILS(GRT_POISONED, grt_buffer_status(buffer));
    OK(grt_buffer_restore(buffer));
    OK(try_fill(rig.streams[1], grt_buffer_view(buffer)));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

/* A failed wait must not hand out the pointer, and a launch behind it must not run. */
START_TEST(a_failed_wait_hands_out_nothing)
{
    rig_streams(2);
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_guard *guard = NULL;
    fill(rig.streams[0], grt_buffer_view(buffer), 3, HOLD);
    shim()->inject("cuStreamWaitEvent", 0, UNKNOWN, false);
    FAILS(GRT_DRIVER_ERROR, grt_acquire_read(rig.streams[1], grt_buffer_view(buffer), &guard));
    ck_assert_ptr_null(guard);
    uint64_t launches = shim()->count("cuLaunchKernel");
    shim()->inject("cuStreamWaitEvent", 0, UNKNOWN, false);
    FAILS(GRT_DRIVER_ERROR, try_fill(rig.streams[1], grt_buffer_view(buffer)));
    ck_assert_uint_eq(shim()->count("cuLaunchKernel"), launches);
    OK(grt_buffer_status(buffer)); /* nothing happened to it */
    expect_words(grt_buffer_view(buffer), 3);
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(failed_allocations_leave_nothing)
{
    grt_buffer *buffer = NULL;
    shim()->inject("cuMemAllocFromPoolAsync", 0, OUT_OF_MEMORY, false);
    FAILS(GRT_OUT_OF_MEMORY, grt_buffer_create(rig.streams[0], BYTES, &buffer));
    shim()->inject("cuMemAllocHost", 0, OUT_OF_MEMORY, false);
    FAILS(GRT_OUT_OF_MEMORY, grt_buffer_create_host(rig.device, BYTES, &buffer));
    ck_assert_ptr_null(buffer);
    grt_stream *stream = NULL;
    shim()->inject("cuStreamCreateWithPriority", 0, OUT_OF_MEMORY, false);
    FAILS(GRT_OUT_OF_MEMORY, grt_stream_create(rig.device, 0, &stream));
    ck_assert_ptr_null(stream);
}
END_TEST

START_TEST(a_failed_copy_poisons_its_destination)
{
    grt_buffer *from = make_buffer(rig.streams[0], WORDS), *to = make_buffer(rig.streams[0], WORDS);
    shim()->inject("cuMemcpyAsync", 0, UNKNOWN, false);
    FAILS(GRT_DRIVER_ERROR, grt_copy(rig.streams[0], grt_buffer_view(to), grt_buffer_view(from)));
    FAILS(GRT_POISONED, grt_buffer_status(to));
    OK(grt_buffer_status(from));
    OK(grt_buffer_destroy(from));
    OK(grt_buffer_destroy(to));
}
END_TEST

START_TEST(a_free_whose_waits_fail_is_deferred)
{
    rig_streams(3);
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_buffer *copies[2] = {make_buffer(rig.streams[1], WORDS), make_buffer(rig.streams[2], WORDS)};
    fill(rig.streams[0], grt_buffer_view(buffer), 1, 0);
    copy(rig.streams[1], grt_buffer_view(copies[0]), grt_buffer_view(buffer), LONG_HOLD);
    copy(rig.streams[2], grt_buffer_view(copies[1]), grt_buffer_view(buffer), LONG_HOLD);
    shim()->inject("cuStreamWaitEvent", 0, UNKNOWN, false);
    OK(grt_buffer_destroy(buffer));
    ck_assert_uint_eq(grt_device_measure(rig.device).deferred_frees, 1);
    OK(grt_device_synchronize(rig.device));
    ck_assert_uint_eq(grt_device_measure(rig.device).deferred_frees, 0);
    expect_words(grt_buffer_view(copies[1]), 1);
    OK(grt_buffer_destroy(copies[0]));
    OK(grt_buffer_destroy(copies[1]));
}
END_TEST

START_TEST(a_refused_free_is_tried_again)
{
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    fill(rig.streams[0], grt_buffer_view(buffer), 1, 0);
    uint64_t frees = shim()->count("cuMemFree");
    shim()->inject("cuMemFreeAsync", 0, UNKNOWN, false);
    OK(grt_buffer_destroy(buffer));
    OK(grt_device_synchronize(rig.device));
    ck_assert_uint_eq(grt_device_measure(rig.device).deferred_frees, 0);
    ck_assert_uint_eq(shim()->count("cuMemFree"), frees + 1);
}
END_TEST

START_TEST(a_stream_that_cannot_be_recorded_ends_after_its_work)
{
    grt_stream *brief;
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    OK(grt_stream_create(rig.device, 0, &brief));
    fill(brief, grt_buffer_view(buffer), 6, HOLD);
    OK(grt_stream_synchronize(rig.streams[0]));
    grt_guard *guard;
    OK(grt_acquire_update(brief, grt_buffer_view(buffer), &guard));
    shim()->inject("cuEventRecord", 0, UNKNOWN, true);
    FAILS(GRT_DRIVER_ERROR, grt_release(guard));
    OK(grt_stream_destroy(brief));
    shim()->reset();
    OK(grt_buffer_restore(buffer));
    expect_words(grt_buffer_view(buffer), 6);
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(a_failed_capture_leaves_the_stream_usable)
{
    static const char *const calls[] = {"cuStreamBeginCapture", "cuGraphInstantiateWithFlags"};
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_graph *graph = NULL;
    shim()->inject(calls[_i], 0, UNKNOWN, false);
    grt_status status = grt_stream_capture_begin(rig.streams[0]);
    if (_i == 1) {
        OK(status);
        fill(rig.streams[0], grt_buffer_view(buffer), 1, 0);
        status = grt_stream_capture_end(rig.streams[0], &graph);
    }
    FAILS(GRT_DRIVER_ERROR, status);
    ck_assert_ptr_null(graph);
    fill(rig.streams[0], grt_buffer_view(buffer), 2, 0);
    expect_words(grt_buffer_view(buffer), 2);
    OK(grt_buffer_destroy(buffer));
}
END_TEST

/* After an error that kills the context every call says so, and everything can be ended. */
START_TEST(a_lost_device_can_be_closed)
{
    rig_streams(3);
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS), *pinned;
    grt_guard *guard;
    OK(grt_buffer_create_host(rig.device, BYTES, &pinned));
    fill(rig.streams[0], grt_buffer_view(buffer), 1, 0);
    fill(rig.streams[1], grt_buffer_view(pinned), 1, 0);
    OK(grt_acquire_read(rig.streams[1], grt_buffer_view(buffer), &guard));
    OK(grt_device_synchronize(rig.device));
    shim()->inject(NULL, 0, ILLEGAL_ADDRESS, true);
    FAILS(GRT_DEVICE_LOST, try_fill(rig.streams[1], grt_buffer_view(pinned)));
    FAILS(GRT_DEVICE_LOST, grt_release(guard));
    FAILS(GRT_DEVICE_LOST, grt_stream_synchronize(rig.streams[0]));
    FAILS(GRT_DEVICE_LOST, grt_device_synchronize(rig.device));
    OK(grt_buffer_destroy(buffer));
    OK(grt_buffer_destroy(pinned));
    grt_stream *lost = rig.streams[--rig.stream_count];
    OK(grt_stream_destroy(lost));
    for (; rig.stream_count > 0; rig.stream_count--)
        OK(grt_stream_destroy(rig.streams[rig.stream_count - 1]));
    OK(grt_module_unload(rig.module));
    OK(grt_device_close(rig.device));
    shim()->reset();
    rig_begin(); /* for the fixture's end */
}
END_TEST

/* ---- Every call of a whole program, one after the other ---- */

/* Uses most of the interface. Returns the first error; `*out_right`: the result, if there was no error. */
static grt_status program(bool *out_right)
{
    grt_buffer *a = NULL, *b = NULL, *pinned = NULL;
    grt_guard *guard = NULL;
    grt_stream *extra = NULL;
    grt_status first = GRT_OK;
#define TRY(call)                                                                                            \
    do {                                                                                                     \
        grt_status try_status = first == GRT_OK ? (call) : first;                                            \
        first = try_status;                                                                                  \
    } while (0)
    TRY(grt_stream_create(rig.device, 0, &extra));
    TRY(grt_buffer_create(rig.streams[0], BYTES, &a));
    TRY(grt_buffer_create(rig.streams[0], BYTES, &b));
    TRY(grt_buffer_create_host(rig.device, BYTES, &pinned));
    TRY(grt_fill(rig.streams[0], grt_buffer_view(a), 7));
    TRY(try_copy(extra, grt_buffer_view(b), grt_buffer_view(a)));
    TRY(grt_acquire_update(rig.streams[0], grt_buffer_view(b), &guard));
    TRY(grt_release(guard));
    TRY(grt_copy(extra, grt_buffer_view(pinned), grt_buffer_view(b)));
    guard = NULL;
    TRY(grt_acquire_host_read(grt_buffer_view(pinned), &guard));
    if (first == GRT_OK) {
        *out_right = *(uint32_t *)grt_guard_pointer(guard) == 0x07070707u;
        TRY(grt_release(guard));
    }
#undef TRY
    OK(grt_stream_destroy(extra));
    if (a)
        OK(grt_buffer_destroy(a));
    if (b)
        OK(grt_buffer_destroy(b));
    if (pinned)
        OK(grt_buffer_destroy(pinned));
    return first;
}

START_TEST(every_call_may_fail)
{
    rig_streams(2);
    bool right = false;
    OK(program(&right));
    ck_assert(right);
    shim()->reset();
    OK(program(&right));
    uint64_t calls = shim()->count(NULL);
    ck_assert_uint_gt(calls, 20);
    int failures = 0;
    for (uint64_t at = 0; at < calls; at++) {
        shim()->reset();
        shim()->inject(NULL, at, UNKNOWN, false);
        right = false;
        grt_status status = program(&right);
        failures += status != GRT_OK;
        ck_assert_msg(status != GRT_OK || right, "call %d failed, and the result is wrong", (int)at);
        shim()->reset();
        OK(grt_device_synchronize(rig.device));
    }
    ck_assert_int_gt(failures, 10);
    ck_assert_uint_eq(grt_device_measure(rig.device).buffers, 0);
}
END_TEST

static void reset_shim(void)
{
    shim()->reset();
    rig_begin();
}

Suite *suite(void)
{
    Suite *made = suite_create("errors");
    TCase *tests = tcase_create("errors");
    tcase_add_checked_fixture(tests, reset_shim, rig_end);
    suite_add_tcase(made, tests);
    tcase_add_test(tests, a_failed_launch_poisons_what_it_writes);
    tcase_add_test(tests, a_failed_record_poisons_and_the_free_still_follows_the_kernel);
    tcase_add_test(tests, a_failed_record_of_a_release_is_the_release_s_error);
    tcase_add_test(tests, a_failed_wait_hands_out_nothing);
    tcase_add_test(tests, failed_allocations_leave_nothing);
    tcase_add_test(tests, a_failed_copy_poisons_its_destination);
    tcase_add_test(tests, a_free_whose_waits_fail_is_deferred);
    tcase_add_test(tests, a_refused_free_is_tried_again);
    tcase_add_test(tests, a_stream_that_cannot_be_recorded_ends_after_its_work);
    tcase_add_loop_test(tests, a_failed_capture_leaves_the_stream_usable, 0, 2);
    tcase_add_test(tests, a_lost_device_can_be_closed);
    tcase_add_test(tests, every_call_may_fail);
    return made;
}
