/* SPDX-License-Identifier: Apache-2.0 */
/* Guards around work the runtime does not see, on streams and on the host. */
#include "../support/rig.h"

START_TEST(guards_order_foreign_work)
{
    rig_streams(2);
    grt_buffer *from = make_buffer(rig.streams[0], WORDS), *to = make_buffer(rig.streams[0], WORDS);
    grt_guard *writing, *reading, *writing_to;
    OK(grt_acquire_write(rig.streams[0], grt_buffer_view(from), &writing));
    raw_fill(rig.streams[0], grt_guard_pointer(writing), 21, WORDS, HOLD);
    OK(grt_release(writing));
    OK(grt_acquire_read(rig.streams[1], grt_buffer_view(from), &reading));
    OK(grt_acquire_write(rig.streams[1], grt_buffer_view(to), &writing_to));
    raw_copy(rig.streams[1], grt_guard_pointer(writing_to), grt_guard_pointer(reading), WORDS, 0);
    grt_guard *both[] = {reading, writing_to};
    OK(grt_release_many(2, both));
    expect_words(grt_buffer_view(to), 21);
    OK(grt_buffer_destroy(from));
    OK(grt_buffer_destroy(to));
}
END_TEST

/* What the project is about: released before the launch, the event is recorded too early. */
START_TEST(released_before_the_launch_is_not_waited_for)
{
    if (!rig.real_time || rig.sanitized)
        return; /* see a_missing_wait_shows in test_order.c */
    rig_streams(2);
    grt_buffer *from = make_buffer(rig.streams[0], WORDS), *to = make_buffer(rig.streams[0], WORDS);
    fill(rig.streams[0], grt_buffer_view(from), 1, 0);
    fill(rig.streams[1], grt_buffer_view(to), 0, 0);
    grt_guard *guard;
    OK(grt_acquire_write(rig.streams[0], grt_buffer_view(from), &guard));
    void *pointer = grt_guard_pointer(guard);
    OK(grt_release(guard));
    /* guardlint: allow(released-before-launch) the mistake under test */
    raw_fill(rig.streams[0], pointer, 2, WORDS, LONG_HOLD);
    copy(rig.streams[1], grt_buffer_view(to), grt_buffer_view(from), 0);
    OK(grt_device_synchronize(rig.device));
    expect_words(grt_buffer_view(to), 1);
    OK(grt_buffer_destroy(from));
    OK(grt_buffer_destroy(to));
}
END_TEST

START_TEST(many_guards_are_released_with_one_record)
{
    rig_streams(2);
    grt_buffer *buffers[4];
    grt_guard *guards[4];
    for (int i = 0; i < 4; i++) {
        buffers[i] = make_buffer(rig.streams[0], WORDS);
        OK(grt_acquire_write(rig.streams[0], grt_buffer_view(buffers[i]), &guards[i]));
    }
    uint64_t records = grt_device_measure(rig.device).records;
    OK(grt_release_many(4, guards));
    ck_assert_uint_eq(grt_device_measure(rig.device).records, records + 1);
    for (int i = 0; i < 4; i++)
        OK(grt_buffer_destroy(buffers[i]));
}
END_TEST

START_TEST(a_conflicting_guard_is_refused)
{
    rig_streams(2);
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_view view = grt_buffer_view(buffer), left, right;
    grt_guard *held, *other = NULL;
    OK(grt_split(view, BYTES / 2, &left, &right));
    OK(grt_acquire_write(rig.streams[0], left, &held));
    FAILS(GRT_GUARD_HELD, grt_acquire_read(rig.streams[1], view, &other));
    FAILS(GRT_GUARD_HELD, grt_acquire_write(rig.streams[1], left, &other));
    ck_assert_ptr_null(other);
    uint32_t count = WORDS, zero = 0;
    FAILS(GRT_GUARD_HELD, grt_launch(rig.streams[1], rig.fill, grt_config_linear(1, 1), GRT_WRITE(view),
                                     GRT_VALUE(zero), GRT_VALUE(count), GRT_VALUE(zero)));
    OK(grt_acquire_write(rig.streams[1], right, &other)); /* disjoint */
    OK(grt_release(other));
    OK(grt_acquire_update(rig.streams[0], left, &other)); /* the same stream orders itself */
    OK(grt_release(other));
    OK(grt_release(held));
    OK(grt_acquire_read(rig.streams[1], view, &other));
    OK(grt_acquire_read(rig.streams[0], view, &held)); /* readers share */
    OK(grt_release(other));
    OK(grt_release(held));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(a_guard_is_released_once)
{
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_guard *guard;
    OK(grt_acquire_read(rig.streams[0], grt_buffer_view(buffer), &guard));
    OK(grt_release(guard));
    /* guardlint: allow(double-release) the mistake under test */
    FAILS(GRT_RELEASED, grt_release(guard));
    FAILS(GRT_RELEASED, grt_cancel(guard));
    FAILS(GRT_RELEASED, grt_release_many(1, &guard));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(guards_of_two_streams_are_not_released_together)
{
    rig_streams(2);
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_guard *guards[2];
    OK(grt_acquire_read(rig.streams[0], grt_buffer_view(buffer), &guards[0]));
    OK(grt_acquire_read(rig.streams[1], grt_buffer_view(buffer), &guards[1]));
    FAILS(GRT_INVALID_ARGUMENT, grt_release_many(2, guards));
    OK(grt_release(guards[0]));
    OK(grt_release(guards[1]));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(a_cancelled_guard_publishes_nothing)
{
    rig_streams(2);
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_guard *guard;
    fill(rig.streams[1], grt_buffer_view(buffer), 1, 0);
    OK(grt_acquire_write(rig.streams[0], grt_buffer_view(buffer), &guard));
    grt_device_stats before = grt_device_measure(rig.device);
    OK(grt_cancel(guard));
    fill(rig.streams[1], grt_buffer_view(buffer), 2, 0);
    grt_device_stats after = grt_device_measure(rig.device);
    ck_assert_uint_eq(after.waits, before.waits);
    ck_assert_uint_eq(after.records, before.records + 1);
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(acquire_and_release_on_one_stream_call_no_driver)
{
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_device_stats before = grt_device_measure(rig.device);
    for (int i = 0; i < 1000; i++) {
        grt_guard *guard;
        OK(grt_acquire_update(rig.streams[0], grt_buffer_view(buffer), &guard));
        OK(grt_release(guard));
    }
    grt_device_stats after = grt_device_measure(rig.device);
    ck_assert_uint_eq(after.records + after.waits + after.queries,
                      before.records + before.waits + before.queries);
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(a_stream_with_a_guard_is_not_destroyed)
{
    rig_streams(2);
    grt_stream *stream;
    OK(grt_stream_create(rig.device, 0, &stream));
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_guard *guard;
    OK(grt_acquire_read(stream, grt_buffer_view(buffer), &guard));
    FAILS(GRT_GUARD_HELD, grt_stream_destroy(stream));
    FAILS(GRT_GUARD_HELD, grt_buffer_destroy(buffer));
    OK(grt_release(guard));
    OK(grt_stream_destroy(stream));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

/* ---- The host ---- */

START_TEST(the_host_waits_for_pinned_memory)
{
    grt_buffer *pinned;
    OK(grt_buffer_create_host(rig.device, BYTES, &pinned));
    grt_guard *guard;
    fill(rig.streams[0], grt_buffer_view(pinned), 17, HOLD);
    OK(grt_acquire_host_read(grt_buffer_view(pinned), &guard));
    const uint32_t *words = grt_guard_pointer(guard);
    ck_assert_uint_eq(words[0], 17);
    ck_assert_uint_eq(words[WORDS - 1], 17);
    OK(grt_release(guard));
    OK(grt_buffer_destroy(pinned));
}
END_TEST

START_TEST(the_host_waits_for_readers_before_it_writes)
{
    rig_streams(3);
    grt_buffer *pinned, *to[2];
    OK(grt_buffer_create_host(rig.device, BYTES, &pinned));
    fill(rig.streams[0], grt_buffer_view(pinned), 1, 0);
    for (int i = 0; i < 2; i++) {
        to[i] = make_buffer(rig.streams[i], WORDS);
        copy(rig.streams[i], grt_buffer_view(to[i]), grt_buffer_view(pinned), i == 0 ? HOLD : 0);
    }
    grt_guard *guard, *other;
    OK(grt_acquire_host_write(grt_buffer_view(pinned), &guard));
    uint32_t *words = grt_guard_pointer(guard);
    for (int i = 0; i < WORDS; i++)
        words[i] = 2;
    FAILS(GRT_GUARD_HELD, grt_acquire_read(rig.streams[0], grt_buffer_view(pinned), &other));
    FAILS(GRT_GUARD_HELD, grt_acquire_host_read(grt_buffer_view(pinned), &other));
    OK(grt_release(guard));
    expect_words(grt_buffer_view(to[0]), 1);
    expect_words(grt_buffer_view(to[1]), 1);
    copy(rig.streams[2], grt_buffer_view(to[0]), grt_buffer_view(pinned), 0);
    expect_words(grt_buffer_view(to[0]), 2);
    OK(grt_buffer_destroy(to[0]));
    OK(grt_buffer_destroy(to[1]));
    OK(grt_buffer_destroy(pinned));
}
END_TEST

START_TEST(the_host_does_not_address_device_memory)
{
    if (grt_device_describe(rig.device).backend == GRT_BACKEND_HOST)
        return; /* there it does */
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_guard *guard;
    FAILS(GRT_NOT_HOST_ACCESSIBLE, grt_acquire_host_read(grt_buffer_view(buffer), &guard));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

static void called_in_order(void *user)
{
    uint32_t *word = user;
    *word = *word * 10 + 2;
}

START_TEST(host_calls_run_in_stream_order)
{
    grt_buffer *pinned;
    OK(grt_buffer_create_host(rig.device, BYTES, &pinned));
    grt_guard *guard;
    OK(grt_acquire_update(rig.streams[0], grt_buffer_view(pinned), &guard));
    raw_fill(rig.streams[0], grt_guard_pointer(guard), 1, WORDS, HOLD);
    OK(grt_stream_call(rig.streams[0], called_in_order, grt_guard_pointer(guard)));
    OK(grt_release(guard));
    ck_assert_uint_eq(read_word(grt_buffer_view(pinned), 0), 12);
    OK(grt_buffer_destroy(pinned));
}
END_TEST

Suite *suite(void)
{
    Suite *made = suite_create("guard");
    TCase *tests = rig_case(made, "guard");
    tcase_add_test(tests, guards_order_foreign_work);
    tcase_add_test(tests, released_before_the_launch_is_not_waited_for);
    tcase_add_test(tests, many_guards_are_released_with_one_record);
    tcase_add_test(tests, a_conflicting_guard_is_refused);
    tcase_add_test(tests, a_guard_is_released_once);
    tcase_add_test(tests, guards_of_two_streams_are_not_released_together);
    tcase_add_test(tests, a_cancelled_guard_publishes_nothing);
    tcase_add_test(tests, acquire_and_release_on_one_stream_call_no_driver);
    tcase_add_test(tests, a_stream_with_a_guard_is_not_destroyed);
    tcase_add_test(tests, the_host_waits_for_pinned_memory);
    tcase_add_test(tests, the_host_waits_for_readers_before_it_writes);
    tcase_add_test(tests, the_host_does_not_address_device_memory);
    tcase_add_test(tests, host_calls_run_in_stream_order);
    return made;
}
