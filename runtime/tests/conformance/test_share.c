/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers handed to another library with one event, and taken back. Another device plays the other library.
 */
#include "../support/rig.h"

START_TEST(an_idle_buffer_needs_no_event)
{
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_export *handed_out;
    void *event = &event;
    OK(grt_stream_synchronize(rig.streams[0]));
    OK(grt_buffer_export(buffer, true, &handed_out, &event));
    ck_assert_ptr_null(event);
    OK(grt_export_close(handed_out, NULL));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(an_exported_buffer_is_kept_from_others)
{
    rig_streams(2);
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_export *handed_out;
    grt_guard *guard;
    void *event = NULL;
    fill(rig.streams[0], grt_buffer_view(buffer), 1, HOLD);
    OK(grt_buffer_export(buffer, false, &handed_out, &event));
    ck_assert_ptr_nonnull(event);
    OK(grt_acquire_read(rig.streams[1], grt_buffer_view(buffer), &guard)); /* readers share */
    OK(grt_release(guard));
    FAILS(GRT_GUARD_HELD, grt_acquire_write(rig.streams[1], grt_buffer_view(buffer), &guard));
    FAILS(GRT_GUARD_HELD, grt_buffer_destroy(buffer));
    OK(grt_export_close(handed_out, NULL));
    OK(grt_acquire_write(rig.streams[1], grt_buffer_view(buffer), &guard));
    OK(grt_release(guard));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

/* Two devices: one exports, the other imports the event for a wrapped buffer of the same memory, and back. */
START_TEST(one_event_orders_both_ways)
{
    rig_streams(3);
    grt_device *library = rig_open(GRT_CHECK_DEFAULT);
    grt_stream *far;
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS), *theirs,
               *to = make_buffer(rig.streams[0], WORDS);
    grt_export *ours_out, *theirs_out;
    void *ours, *done;
    OK(grt_stream_create(library, 0, &far));
    OK(grt_buffer_wrap(library, grt_view_address(grt_buffer_view(buffer)), BYTES, NULL, NULL, &theirs));
    fill(rig.streams[0], grt_buffer_view(buffer), 1, 0);
    copy(rig.streams[1], grt_buffer_view(to), grt_buffer_view(buffer), HOLD);
    OK(grt_buffer_export(buffer, true, &ours_out, &ours));
    OK(grt_buffer_import(theirs, true, ours));
    OK(grt_fill(far, grt_buffer_view(theirs), 0x02)); /* after our slow reader */
    OK(grt_buffer_export(theirs, true, &theirs_out, &done));
    OK(grt_export_close(ours_out, done));
    OK(grt_export_close(theirs_out, NULL));
    fill(rig.streams[2], grt_buffer_view(buffer), 3, 0); /* after their fill */
    expect_words(grt_buffer_view(to), 1);
    expect_words(grt_buffer_view(buffer), 3);
    OK(grt_device_synchronize(library));
    OK(grt_buffer_destroy(theirs));
    OK(grt_stream_destroy(far));
    OK(grt_device_close(library));
    OK(grt_buffer_destroy(buffer));
    OK(grt_buffer_destroy(to));
}
END_TEST

Suite *suite(void)
{
    Suite *made = suite_create("share");
    TCase *tests = rig_case(made, "share");
    tcase_add_test(tests, an_idle_buffer_needs_no_event);
    tcase_add_test(tests, an_exported_buffer_is_kept_from_others);
    tcase_add_test(tests, one_event_orders_both_ways);
    return made;
}
