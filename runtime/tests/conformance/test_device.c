/* SPDX-License-Identifier: Apache-2.0 */
/* Devices: opened, described, refused to close while in use, several in one process. */
#include "../support/rig.h"

#include <string.h>

START_TEST(describes_itself)
{
    grt_device_info info = grt_device_describe(rig.device);
    ck_assert_int_gt((int)strlen(info.name), 0);
    ck_assert_uint_gt(info.multiprocessors, 0);
    ck_assert_int_eq(info.ordinal, 0);
    ck_assert(!info.checked);
    int count;
    OK(grt_device_count(info.backend, &count));
    ck_assert_int_ge(count, 1);
}
END_TEST

START_TEST(refuses_a_device_that_is_not_there)
{
    grt_device *device = NULL;
    grt_backend backend = grt_device_describe(rig.device).backend;
    FAILS(GRT_NOT_FOUND, grt_device_open(backend, 9999, &device));
    ck_assert_ptr_null(device);
    ck_assert_str_ne(grt_error_detail(), "");
}
END_TEST

START_TEST(refuses_options_of_an_unknown_size)
{
    grt_device *device = NULL;
    grt_device_options options = {.struct_size = sizeof(options) + 1};
    FAILS(GRT_INVALID_ARGUMENT, grt_device_open_with(&options, &device));
    options.struct_size = 0;
    FAILS(GRT_INVALID_ARGUMENT, grt_device_open_with(&options, &device));
}
END_TEST

START_TEST(takes_the_shorter_options_of_an_older_caller)
{
    grt_device *device = NULL;
    grt_device_options options = {.struct_size = offsetof(grt_device_options, ordinal)};
    options.backend = grt_device_describe(rig.device).backend;
    options.ordinal = 9999; /* beyond the struct this caller knows */
    OK(grt_device_open_with(&options, &device));
    OK(grt_device_close(device));
}
END_TEST

START_TEST(does_not_close_while_in_use)
{
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    FAILS(GRT_BUSY, grt_device_close(rig.device));
    grt_guard *guard;
    OK(grt_acquire_write(rig.streams[0], grt_buffer_view(buffer), &guard));
    FAILS(GRT_GUARD_HELD, grt_device_close(rig.device));
    OK(grt_release(guard));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(null_is_nothing_to_end)
{
    OK(grt_device_close(NULL));
    OK(grt_stream_destroy(NULL));
    OK(grt_buffer_destroy(NULL));
    OK(grt_module_unload(NULL));
    OK(grt_kernel_destroy(NULL));
    OK(grt_graph_destroy(NULL));
    OK(grt_timer_destroy(NULL));
    OK(grt_export_close(NULL, NULL));
    OK(grt_release(NULL));
    OK(grt_cancel(NULL));
}
END_TEST

START_TEST(works_beside_a_second_device)
{
    grt_device *other = rig_open(GRT_CHECK_DEFAULT);
    grt_stream *far;
    OK(grt_stream_create(other, 0, &far));
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_view view = grt_buffer_view(buffer);
    fill(rig.streams[0], view, 7, HOLD);
    uint32_t seen[WORDS] = {0};
    OK(grt_download(far, seen, view)); /* waits for the other device's work */
    OK(grt_stream_synchronize(far));
    ck_assert_uint_eq(seen[0], 7);
    ck_assert_uint_eq(seen[WORDS - 1], 7);
    fill(rig.streams[0], view, 8, 0); /* waits for the far reader */
    expect_words(view, 8);
    OK(grt_stream_destroy(far));
    OK(grt_device_close(other));
    expect_words(view, 8);
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(trims_its_pools)
{
    rig_streams(2);
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    for (int i = 0; i < 200; i++)
        add(rig.streams[i % 2], grt_buffer_view(buffer), 1, 0);
    OK(grt_buffer_destroy(buffer));
    OK(grt_device_synchronize(rig.device));
    OK(grt_device_trim(rig.device));
    ck_assert_uint_eq(grt_device_measure(rig.device).events_pooled, 0);
}
END_TEST

START_TEST(times_work)
{
    grt_timer *timer;
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    double seconds = -1;
    OK(grt_timer_create(rig.device, &timer));
    OK(grt_timer_start(timer, rig.streams[0]));
    fill(rig.streams[0], grt_buffer_view(buffer), 1, HOLD);
    OK(grt_timer_stop(timer, rig.streams[0]));
    OK(grt_timer_read(timer, &seconds));
    ck_assert_double_ge(seconds, rig.real_time ? 0.9e-6 * HOLD : 0);
    OK(grt_timer_destroy(timer));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(names_every_status)
{
    ck_assert_str_eq(grt_status_name(GRT_OK), "GRT_OK");
    ck_assert_str_eq(grt_status_name(GRT_NOT_READY), "GRT_NOT_READY");
    ck_assert_str_eq(grt_status_name((grt_status)999), "GRT_?");
    ck_assert_str_eq(grt_status_text(GRT_POISONED),
                     "an earlier failure left the buffer's contents undefined");
    ck_assert_uint_eq(grt_version(),
                      GRT_VERSION_MAJOR * 1000000 + GRT_VERSION_MINOR * 1000 + GRT_VERSION_PATCH);
}
END_TEST

Suite *suite(void)
{
    Suite *made = suite_create("device");
    TCase *tests = rig_case(made, "device");
    tcase_add_test(tests, describes_itself);
    tcase_add_test(tests, refuses_a_device_that_is_not_there);
    tcase_add_test(tests, refuses_options_of_an_unknown_size);
    tcase_add_test(tests, takes_the_shorter_options_of_an_older_caller);
    tcase_add_test(tests, does_not_close_while_in_use);
    tcase_add_test(tests, null_is_nothing_to_end);
    tcase_add_test(tests, works_beside_a_second_device);
    tcase_add_test(tests, trims_its_pools);
    tcase_add_test(tests, times_work);
    tcase_add_test(tests, names_every_status);
    return made;
}
