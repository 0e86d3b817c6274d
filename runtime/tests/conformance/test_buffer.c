/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers and views: bounds, wrapped memory, frees that wait for work, kernels and their arguments. */
#include "../support/rig.h"

#include <stdatomic.h>
#include <string.h>

START_TEST(views_stay_inside)
{
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_view whole = grt_buffer_view(buffer), part, other;
    ck_assert_uint_eq(grt_buffer_size(buffer), BYTES);
    ck_assert_ptr_eq(grt_buffer_device(buffer), rig.device);
    OK(grt_view_slice(whole, 16, 32, &part));
    ck_assert_ptr_eq(grt_view_address(part), (char *)grt_view_address(whole) + 16);
    FAILS(GRT_OUT_OF_RANGE, grt_view_slice(part, 0, 33, &other));
    FAILS(GRT_OUT_OF_RANGE, grt_view_slice(part, 33, 0, &other));
    FAILS(GRT_OUT_OF_RANGE, grt_view_slice(part, SIZE_MAX, 2, &other));
    FAILS(GRT_OUT_OF_RANGE, grt_split(part, 0, &part, &other));
    FAILS(GRT_OUT_OF_RANGE, grt_split(part, 32, &part, &other));
    grt_guard *guard;
    FAILS(GRT_OUT_OF_RANGE, grt_acquire_read(rig.streams[0], (grt_view){buffer, 8, BYTES}, &guard));
    FAILS(GRT_OUT_OF_RANGE, grt_acquire_read(rig.streams[0], (grt_view){buffer, SIZE_MAX, 2}, &guard));
    FAILS(GRT_INVALID_ARGUMENT, grt_acquire_read(rig.streams[0], (grt_view){0}, &guard));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(bad_arguments_are_refused)
{
    grt_buffer *buffer = NULL;
    FAILS(GRT_INVALID_ARGUMENT, grt_buffer_create(rig.streams[0], 0, &buffer));
    FAILS(GRT_INVALID_ARGUMENT, grt_buffer_create(NULL, 1, &buffer));
    FAILS(GRT_OUT_OF_MEMORY, grt_buffer_create(rig.streams[0], SIZE_MAX / 2, &buffer));
    ck_assert_ptr_null(buffer);
    grt_kernel *kernel = NULL;
    FAILS(GRT_NOT_FOUND, grt_module_kernel(rig.module, "no_such_kernel", &kernel));
    FAILS(GRT_INVALID_ARGUMENT, grt_kernel_destroy(rig.fill));
    grt_arg many[65];
    memset(many, 0, sizeof(many));
    FAILS(GRT_INVALID_ARGUMENT,
          grt_launch_at(GRT_SITE, rig.streams[0], rig.nothing, (grt_config){0}, 65, many));
    FAILS(GRT_INVALID_ARGUMENT,
          grt_launch_at(GRT_SITE, rig.streams[0], rig.nothing, (grt_config){0}, 1, many));
    OK(grt_launch_at(GRT_SITE, rig.streams[0], rig.nothing, (grt_config){0}, 0, NULL));
}
END_TEST

START_TEST(a_kernel_is_found_once)
{
    grt_kernel *again;
    OK(grt_module_kernel(rig.module, "word_fill", &again));
    ck_assert_ptr_eq(again, rig.fill);
    OK(grt_kernel_allow_shared(rig.fill, 1024));
}
END_TEST

START_TEST(an_empty_view_needs_no_order)
{
    rig_streams(2);
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_view none;
    OK(grt_view_slice(grt_buffer_view(buffer), 8, 0, &none));
    fill(rig.streams[1], none, 1, 0);
    OK(grt_fill(rig.streams[1], none, 1));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

/* A buffer address that is no argument of the kernel is ordered all the same. */
START_TEST(hidden_accesses_are_ordered)
{
    rig_streams(2);
    grt_buffer *from = make_buffer(rig.streams[0], WORDS), *to = make_buffer(rig.streams[1], WORDS);
    fill(rig.streams[0], grt_buffer_view(from), 6, HOLD);
    void *address = grt_view_address(grt_buffer_view(from));
    uint32_t count = WORDS, micros = 0;
    OK(grt_launch(rig.streams[1], rig.copy, grt_config_linear(1, 128), GRT_WRITE(grt_buffer_view(to)),
                  GRT_VALUE(address), GRT_VALUE(count), GRT_VALUE(micros),
                  GRT_HIDDEN_READ(grt_buffer_view(from))));
    expect_words(grt_buffer_view(to), 6);
    OK(grt_buffer_destroy(from));
    OK(grt_buffer_destroy(to));
}
END_TEST

static void count_release(void *user)
{
    atomic_fetch_add((atomic_int *)user, 1);
}

START_TEST(wrapped_memory_is_released_after_the_work)
{
    atomic_int released = 0;
    grt_buffer *owner = make_buffer(rig.streams[0], WORDS), *wrapped;
    OK(grt_device_synchronize(rig.device));
    OK(grt_buffer_wrap(rig.device, grt_view_address(grt_buffer_view(owner)), BYTES, count_release, &released,
                       &wrapped));
    fill(rig.streams[0], grt_buffer_view(wrapped), 3, LONG_HOLD);
    OK(grt_buffer_destroy(wrapped));
    ck_assert_int_eq(atomic_load(&released), 0);
    OK(grt_device_synchronize(rig.device));
    ck_assert_int_eq(atomic_load(&released), 1);
    expect_words(grt_buffer_view(owner), 3);
    OK(grt_buffer_destroy(owner));
}
END_TEST

START_TEST(pinned_memory_is_freed_after_the_work)
{
    grt_buffer *pinned, *to = make_buffer(rig.streams[0], WORDS);
    OK(grt_buffer_create_host(rig.device, BYTES, &pinned));
    fill(rig.streams[0], grt_buffer_view(pinned), 4, 0);
    copy(rig.streams[0], grt_buffer_view(to), grt_buffer_view(pinned), LONG_HOLD);
    OK(grt_buffer_destroy(pinned));
    ck_assert_uint_eq(grt_device_measure(rig.device).deferred_frees, 1);
    expect_words(grt_buffer_view(to), 4);
    OK(grt_device_synchronize(rig.device));
    ck_assert_uint_eq(grt_device_measure(rig.device).deferred_frees, 0);
    OK(grt_buffer_destroy(to));
}
END_TEST

START_TEST(a_free_makes_no_user_stream_wait)
{
    rig_streams(3);
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS), *other = make_buffer(rig.streams[0], WORDS);
    grt_buffer *copies[2] = {make_buffer(rig.streams[1], WORDS), make_buffer(rig.streams[2], WORDS)};
    fill(rig.streams[0], grt_buffer_view(buffer), 1, 0);
    copy(rig.streams[1], grt_buffer_view(copies[0]), grt_buffer_view(buffer), LONG_HOLD);
    copy(rig.streams[2], grt_buffer_view(copies[1]), grt_buffer_view(buffer), LONG_HOLD);
    OK(grt_buffer_destroy(buffer));
    fill(rig.streams[0], grt_buffer_view(other), 2, 0);
    OK(grt_stream_synchronize(rig.streams[0])); /* not behind the readers */
    if (rig.real_time)
        FAILS(GRT_NOT_READY, grt_stream_query(rig.streams[1]));
    OK(grt_buffer_destroy(other));
    OK(grt_buffer_destroy(copies[0]));
    OK(grt_buffer_destroy(copies[1]));
}
END_TEST

START_TEST(priorities_are_clamped)
{
    grt_stream *urgent, *idle;
    OK(grt_stream_create(rig.device, 1000, &urgent));
    OK(grt_stream_create(rig.device, -1000, &idle));
    grt_buffer *buffer = make_buffer(urgent, WORDS);
    fill(idle, grt_buffer_view(buffer), 1, 0);
    add(urgent, grt_buffer_view(buffer), 1, 0);
    expect_words(grt_buffer_view(buffer), 2);
    OK(grt_buffer_destroy(buffer));
    OK(grt_stream_destroy(urgent));
    OK(grt_stream_destroy(idle));
}
END_TEST

START_TEST(wrapped_streams_are_one_object)
{
    grt_stream *first, *second;
    void *native = grt_stream_native(rig.streams[0]);
    if (grt_device_describe(rig.device).backend == GRT_BACKEND_HOST) {
        FAILS(GRT_UNSUPPORTED, grt_stream_wrap(rig.device, native, &first));
        return;
    }
    OK(grt_stream_wrap(rig.device, native, &first));
    ck_assert_ptr_eq(first, rig.streams[0]); /* already known */
    OK(grt_stream_destroy(first));
    OK(grt_stream_wrap(rig.device, NULL, &first));
    OK(grt_stream_wrap(rig.device, NULL, &second));
    ck_assert_ptr_eq(first, second);
    grt_buffer *buffer = make_buffer(first, WORDS), *to = make_buffer(rig.streams[0], WORDS);
    fill(first, grt_buffer_view(buffer), 8, HOLD);
    copy(rig.streams[0], grt_buffer_view(to), grt_buffer_view(buffer), 0);
    expect_words(grt_buffer_view(to), 8);
    OK(grt_buffer_destroy(buffer));
    OK(grt_buffer_destroy(to));
    OK(grt_stream_destroy(first));
    OK(grt_stream_destroy(second));
}
END_TEST

START_TEST(live_objects_are_counted)
{
    uint64_t before = grt_device_measure(rig.device).buffers;
    grt_buffer *buffer = make_buffer(rig.streams[0], 1);
    ck_assert_uint_eq(grt_device_measure(rig.device).buffers, before + 1);
    OK(grt_buffer_destroy(buffer));
    ck_assert_uint_eq(grt_device_measure(rig.device).buffers, before);
}
END_TEST

Suite *suite(void)
{
    Suite *made = suite_create("buffer");
    TCase *tests = rig_case(made, "buffer");
    tcase_add_test(tests, views_stay_inside);
    tcase_add_test(tests, bad_arguments_are_refused);
    tcase_add_test(tests, a_kernel_is_found_once);
    tcase_add_test(tests, an_empty_view_needs_no_order);
    tcase_add_test(tests, hidden_accesses_are_ordered);
    tcase_add_test(tests, wrapped_memory_is_released_after_the_work);
    tcase_add_test(tests, pinned_memory_is_freed_after_the_work);
    tcase_add_test(tests, a_free_makes_no_user_stream_wait);
    tcase_add_test(tests, priorities_are_clamped);
    tcase_add_test(tests, wrapped_streams_are_one_object);
    tcase_add_test(tests, live_objects_are_counted);
    return made;
}
