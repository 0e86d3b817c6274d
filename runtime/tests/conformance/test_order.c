/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ordering by launches. Holding kernels make a missing wait visible: the first test shows that they do.
 * Includes, as tests of ours, public bugs of libraries of this kind and what was measured to fail in one of
 * them (READERS, DROPPED_UNDER_READERS, ALLOCATED_ELSEWHERE, LAST_STREAM_DROPPED, HALVES).
 */
#include "../support/rig.h"

enum { READERS_MAX = 16 };

START_TEST(a_missing_wait_shows)
{
    if (!rig.real_time || rig.sanitized)
        return; /* in the seeded mode the search shows it (test_schedule.c); ThreadSanitizer would report it
                 */
    rig_streams(2);
    grt_buffer *from = make_buffer(rig.streams[0], WORDS), *to = make_buffer(rig.streams[0], WORDS);
    fill(rig.streams[0], grt_buffer_view(from), 1, 0);
    fill(rig.streams[0], grt_buffer_view(to), 0, 0);
    OK(grt_device_synchronize(rig.device));
    raw_fill(rig.streams[0], grt_view_address(grt_buffer_view(from)), 2, WORDS, LONG_HOLD);
    raw_copy(rig.streams[1], grt_view_address(grt_buffer_view(to)), grt_view_address(grt_buffer_view(from)),
             WORDS, 0);
    OK(grt_device_synchronize(rig.device));
    expect_words(grt_buffer_view(to), 1);
    OK(grt_buffer_destroy(from));
    OK(grt_buffer_destroy(to));
}
END_TEST

START_TEST(a_reader_waits_for_the_writer)
{
    rig_streams(2);
    grt_buffer *from = make_buffer(rig.streams[0], WORDS), *to = make_buffer(rig.streams[1], WORDS);
    fill(rig.streams[0], grt_buffer_view(from), 41, HOLD);
    copy(rig.streams[1], grt_buffer_view(to), grt_buffer_view(from), 0);
    expect_words(grt_buffer_view(to), 41);
    OK(grt_buffer_destroy(from));
    OK(grt_buffer_destroy(to));
}
END_TEST

/* READERS: one writer, N readers on N streams of which one is slow, then a writer that must wait for all N.
 */
static void readers_then_writer(int readers, int slow)
{
    rig_streams(readers + 1);
    grt_stream *writer = rig.streams[readers];
    grt_buffer *source = make_buffer(writer, WORDS), *copies[READERS_MAX];
    fill(writer, grt_buffer_view(source), 1, 0);
    for (int i = 0; i < readers; i++) {
        copies[i] = make_buffer(rig.streams[i], WORDS);
        copy(rig.streams[i], grt_buffer_view(copies[i]), grt_buffer_view(source), i == slow ? HOLD : 0);
    }
    fill(writer, grt_buffer_view(source), 2, 0);
    for (int i = 0; i < readers; i++) {
        expect_words(grt_buffer_view(copies[i]), 1);
        OK(grt_buffer_destroy(copies[i]));
    }
    expect_words(grt_buffer_view(source), 2);
    OK(grt_buffer_destroy(source));
}

START_TEST(a_writer_waits_for_a_slow_first_reader)
{
    readers_then_writer(4, 0);
}
END_TEST

START_TEST(a_writer_waits_for_a_slow_middle_reader)
{
    readers_then_writer(4, 2);
}
END_TEST

START_TEST(a_writer_waits_for_a_slow_last_reader)
{
    readers_then_writer(4, 3);
}
END_TEST

START_TEST(a_writer_waits_for_all_of_many_readers)
{
    for (int slow = 0; slow < READERS_MAX; slow++)
        readers_then_writer(READERS_MAX, slow);
}
END_TEST

/* A reader that reads again is one entry; the slow read before its fast one still counts. */
START_TEST(a_writer_waits_for_each_reader_s_newest_read)
{
    rig_streams(2);
    grt_buffer *source = make_buffer(rig.streams[0], WORDS), *to = make_buffer(rig.streams[0], WORDS);
    fill(rig.streams[0], grt_buffer_view(source), 1, 0);
    copy(rig.streams[1], grt_buffer_view(to), grt_buffer_view(source), 0);
    copy(rig.streams[1], grt_buffer_view(to), grt_buffer_view(source), HOLD);
    fill(rig.streams[0], grt_buffer_view(source), 2, 0);
    expect_words(grt_buffer_view(to), 1);
    OK(grt_buffer_destroy(source));
    OK(grt_buffer_destroy(to));
}
END_TEST

/* DROPPED_UNDER_READERS: the memory must not be reused while a slow reader still reads it. */
START_TEST(memory_dropped_under_readers_is_not_reused_early)
{
    rig_streams(3);
    for (int slow = 0; slow < 2; slow++) {
        grt_buffer *source = make_buffer(rig.streams[2], WORDS), *copies[2];
        fill(rig.streams[2], grt_buffer_view(source), 1, 0);
        for (int i = 0; i < 2; i++) {
            copies[i] = make_buffer(rig.streams[i], WORDS);
            copy(rig.streams[i], grt_buffer_view(copies[i]), grt_buffer_view(source), i == slow ? HOLD : 0);
        }
        OK(grt_buffer_destroy(source));
        grt_buffer *next = make_buffer(rig.streams[2], WORDS);
        fill(rig.streams[2], grt_buffer_view(next), 2, 0);
        for (int i = 0; i < 2; i++) {
            expect_words(grt_buffer_view(copies[i]), 1);
            OK(grt_buffer_destroy(copies[i]));
        }
        OK(grt_buffer_destroy(next));
    }
}
END_TEST

/* ALLOCATED_ELSEWHERE: the allocation is the first write. */
START_TEST(the_first_use_on_another_stream_waits_for_the_allocation)
{
    rig_streams(2);
    grt_buffer *old = make_buffer(rig.streams[0], WORDS), *to = make_buffer(rig.streams[0], WORDS);
    fill(rig.streams[0], grt_buffer_view(old), 1, 0);
    copy(rig.streams[0], grt_buffer_view(to), grt_buffer_view(old), HOLD);
    OK(grt_buffer_destroy(old));
    grt_buffer *next = make_buffer(rig.streams[0], WORDS); /* may be the same memory */
    fill(rig.streams[1], grt_buffer_view(next), 2, 0);
    expect_words(grt_buffer_view(to), 1);
    expect_words(grt_buffer_view(next), 2);
    OK(grt_buffer_destroy(to));
    OK(grt_buffer_destroy(next));
}
END_TEST

/* LAST_STREAM_DROPPED: a stream destroyed while its work runs is still waited for, also when it was the last
 * extra one and everything seems to be on one stream again. */
START_TEST(work_of_a_destroyed_stream_is_waited_for)
{
    grt_stream *extra;
    OK(grt_stream_create(rig.device, 0, &extra));
    grt_buffer *from = make_buffer(rig.streams[0], WORDS), *to = make_buffer(rig.streams[0], WORDS);
    fill(extra, grt_buffer_view(from), 3, HOLD);
    OK(grt_stream_destroy(extra));
    copy(rig.streams[0], grt_buffer_view(to), grt_buffer_view(from), 0);
    expect_words(grt_buffer_view(to), 3);
    OK(grt_buffer_destroy(from));
    OK(grt_buffer_destroy(to));
}
END_TEST

/* Work of a time when there was one stream has no event; the second stream must wait all the same. */
START_TEST(unrecorded_work_is_recorded_when_a_second_stream_needs_it)
{
    grt_buffer *from = make_buffer(rig.streams[0], WORDS), *to = make_buffer(rig.streams[0], WORDS);
    fill(rig.streams[0], grt_buffer_view(from), 5, HOLD);
    ck_assert_uint_eq(grt_device_measure(rig.device).records, 0);
    rig_streams(2);
    copy(rig.streams[1], grt_buffer_view(to), grt_buffer_view(from), 0);
    expect_words(grt_buffer_view(to), 5);
    OK(grt_buffer_destroy(from));
    OK(grt_buffer_destroy(to));
}
END_TEST

/* The only stream goes while its work, which has no event, still runs. */
START_TEST(work_of_the_only_stream_is_waited_for_when_it_goes)
{
    grt_buffer *from = make_buffer(rig.streams[0], WORDS), *to = make_buffer(rig.streams[0], WORDS);
    fill(rig.streams[0], grt_buffer_view(from), 6, HOLD);
    ck_assert_uint_eq(grt_device_measure(rig.device).records, 0);
    OK(grt_stream_destroy(rig.streams[0]));
    OK(grt_stream_create(rig.device, 0, &rig.streams[0]));
    copy(rig.streams[0], grt_buffer_view(to), grt_buffer_view(from), 0);
    expect_words(grt_buffer_view(to), 6);
    OK(grt_buffer_destroy(from));
    OK(grt_buffer_destroy(to));
}
END_TEST

/* HALVES: disjoint views do not wait for each other; whoever takes the whole waits for both. */
START_TEST(disjoint_halves_do_not_wait_and_the_whole_waits_for_both)
{
    rig_streams(2);
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_view left, right;
    OK(grt_split(grt_buffer_view(buffer), BYTES / 2, &left, &right));
    fill(rig.streams[1], grt_buffer_view(buffer), 0,
         0); /* the other stream knows the allocation from here on */
    fill(rig.streams[0], left, 0, 0);
    uint64_t waits = grt_device_measure(rig.device).waits;
    for (int i = 0; i < 10; i++) {
        add(rig.streams[0], left, 1, i == 9 ? HOLD : 0);
        add(rig.streams[1], right, 2, i == 9 ? HOLD : 0);
    }
    ck_assert_uint_eq(grt_device_measure(rig.device).waits, waits);
    add(rig.streams[0], grt_buffer_view(buffer), 100, 0);
    expect_words(left, 110);
    expect_words(right, 120);
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(overlapping_views_are_ordered)
{
    rig_streams(3);
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_view whole = grt_buffer_view(buffer), low, high, middle;
    OK(grt_view_slice(whole, 0, 3 * BYTES / 4, &low));
    OK(grt_view_slice(whole, BYTES / 4, 3 * BYTES / 4, &high));
    OK(grt_view_slice(whole, BYTES / 4, BYTES / 2, &middle));
    fill(rig.streams[0], whole, 0, 0);
    fill(rig.streams[0], low, 1, HOLD);
    add(rig.streams[1], high, 10, HOLD / 2);
    add(rig.streams[2], middle, 100, 0);
    expect_words(middle, 111);
    ck_assert_uint_eq(read_word(whole, 0), 1);
    ck_assert_uint_eq(read_word(whole, WORDS - 1), 10);
    OK(grt_buffer_destroy(buffer));
}
END_TEST

/* Many small views, more than are kept apart: still right, only less concurrent. */
START_TEST(a_thousand_views_of_one_buffer_stay_ordered)
{
    rig_streams(4);
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_view whole = grt_buffer_view(buffer);
    fill(rig.streams[0], whole, 0, 0);
    for (size_t round = 0; round < 4; round++) {
        for (size_t i = 0; i < WORDS; i++) {
            grt_view one;
            OK(grt_view_slice(whole, 4 * i, 4, &one));
            add(rig.streams[(i + round) % 4], one, 1, 0);
        }
    }
    expect_words(whole, 4);
    OK(grt_buffer_destroy(buffer));
}
END_TEST

/* Neighbours of different writers are merged past the bound of 256 ranges; a writer must then follow both. */
START_TEST(merged_ranges_keep_every_writer)
{
    enum { VIEWS = 255 };
    rig_streams(3);
    grt_stream *slow = rig.streams[_i], *quick = rig.streams[1 - _i];
    grt_buffer *buffer = make_buffer(rig.streams[2], WORDS), *idle = make_buffer(slow, WORDS);
    fill(rig.streams[2], grt_buffer_view(buffer), 0, 0);
    fill(slow, grt_buffer_view(idle), 0, HOLD);
    for (size_t i = 0; i <= VIEWS; i++) {
        grt_view one;
        bool last = i == VIEWS; /* merges what is there before it adds itself */
        OK(grt_view_slice(grt_buffer_view(buffer), last ? BYTES - 4 : 4 * i, 4, &one));
        fill(last ? quick : rig.streams[i % 2], one, 5, 0);
    }
    fill(rig.streams[2], grt_buffer_view(buffer), 6, 0);
    OK(grt_device_synchronize(rig.device)); /* also for what came too late */
    expect_words(grt_buffer_view(buffer), 6);
    OK(grt_buffer_destroy(buffer));
    OK(grt_buffer_destroy(idle));
}
END_TEST

START_TEST(a_part_written_by_its_owner_leaves_the_rest_as_it_was)
{
    rig_streams(2);
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_view left, right;
    OK(grt_split(grt_buffer_view(buffer), BYTES / 2, &left, &right));
    fill(rig.streams[0], grt_buffer_view(buffer), 0, 0);
    OK(grt_stream_wait(rig.streams[1], rig.streams[0]));
    fill(rig.streams[0], left, 1, 0);
    uint64_t waits = grt_device_measure(rig.device).waits;
    fill(rig.streams[1], right, 2, 0);
    ck_assert_uint_eq(grt_device_measure(rig.device).waits, waits);
    expect_words(left, 1);
    expect_words(right, 2);
    OK(grt_buffer_destroy(buffer));
}
END_TEST

/* However many launches came before: what is waited for is the work itself, not what was enqueued after it.
 */
START_TEST(a_wait_is_not_for_later_work)
{
    if (!rig.real_time)
        return;
    rig_streams(2);
    grt_buffer *from = make_buffer(rig.streams[0], WORDS), *to = make_buffer(rig.streams[1], WORDS);
    grt_buffer *other = make_buffer(rig.streams[0], WORDS);
    for (int before = 0; before < 16; before++) {
        fill(rig.streams[0], grt_buffer_view(other), 0, 0);
        fill(rig.streams[0], grt_buffer_view(from), 1, 0);
        fill(rig.streams[0], grt_buffer_view(other), 1, LONG_HOLD);
        copy(rig.streams[1], grt_buffer_view(to), grt_buffer_view(from), 0);
        OK(grt_stream_synchronize(rig.streams[1]));
        FAILS(GRT_NOT_READY, grt_stream_query(rig.streams[0]));
    }
    OK(grt_buffer_destroy(from));
    OK(grt_buffer_destroy(to));
    OK(grt_buffer_destroy(other));
}
END_TEST

START_TEST(a_repeated_edge_costs_one_wait)
{
    rig_streams(2);
    grt_buffer *source = make_buffer(rig.streams[0], WORDS), *to = make_buffer(rig.streams[1], WORDS);
    fill(rig.streams[0], grt_buffer_view(source), 1, 0);
    uint64_t waits = grt_device_measure(rig.device).waits;
    for (int i = 0; i < 10; i++)
        copy(rig.streams[1], grt_buffer_view(to), grt_buffer_view(source), 0);
    ck_assert_uint_eq(grt_device_measure(rig.device).waits, waits + 1);
    OK(grt_buffer_destroy(source));
    OK(grt_buffer_destroy(to));
}
END_TEST

START_TEST(an_explicit_wait_orders_foreign_work)
{
    rig_streams(2);
    grt_buffer *from = make_buffer(rig.streams[0], WORDS), *to = make_buffer(rig.streams[0], WORDS);
    OK(grt_device_synchronize(rig.device));
    raw_fill(rig.streams[0], grt_view_address(grt_buffer_view(from)), 9, WORDS, HOLD);
    OK(grt_stream_wait(rig.streams[1], rig.streams[0]));
    raw_copy(rig.streams[1], grt_view_address(grt_buffer_view(to)), grt_view_address(grt_buffer_view(from)),
             WORDS, 0);
    OK(grt_device_synchronize(rig.device));
    expect_words(grt_buffer_view(to), 9);
    OK(grt_buffer_destroy(from));
    OK(grt_buffer_destroy(to));
}
END_TEST

START_TEST(copies_and_fills_are_ordered_like_launches)
{
    rig_streams(3);
    uint32_t host[WORDS], back[WORDS];
    for (uint32_t i = 0; i < WORDS; i++)
        host[i] = 1000 + i;
    grt_buffer *a = make_buffer(rig.streams[0], WORDS), *b = make_buffer(rig.streams[0], WORDS);
    fill(rig.streams[0], grt_buffer_view(a), 0, HOLD);
    OK(grt_upload(rig.streams[1], grt_buffer_view(a), host));
    OK(grt_copy(rig.streams[2], grt_buffer_view(b), grt_buffer_view(a)));
    OK(grt_fill(rig.streams[0], grt_buffer_view(a), 0xff));
    OK(grt_download(rig.streams[1], back, grt_buffer_view(b)));
    OK(grt_stream_synchronize(rig.streams[1]));
    for (uint32_t i = 0; i < WORDS; i++)
        ck_assert_uint_eq(back[i], 1000 + i);
    expect_words(grt_buffer_view(a), 0xffffffffu);
    OK(grt_buffer_destroy(a));
    OK(grt_buffer_destroy(b));
}
END_TEST

START_TEST(three_inputs_and_one_output)
{
    rig_streams(4);
    grt_buffer *in[3], *out = make_buffer(rig.streams[3], WORDS);
    for (int i = 0; i < 3; i++) {
        in[i] = make_buffer(rig.streams[i], WORDS);
        fill(rig.streams[i], grt_buffer_view(in[i]), 1u << i, i == 1 ? HOLD : 0);
    }
    uint32_t count = WORDS;
    OK(grt_launch(rig.streams[3], rig.sum3, grt_config_linear(128, 128), GRT_WRITE(grt_buffer_view(out)),
                  GRT_READ(grt_buffer_view(in[0])), GRT_READ(grt_buffer_view(in[1])),
                  GRT_READ(grt_buffer_view(in[2])), GRT_VALUE(count)));
    expect_words(grt_buffer_view(out), 7);
    for (int i = 0; i < 3; i++)
        OK(grt_buffer_destroy(in[i]));
    OK(grt_buffer_destroy(out));
}
END_TEST

/* 0xfeed: a random program on four streams and six views against the same program run in order. */
START_TEST(random_programs_give_the_sequential_result)
{
    enum { OPERATIONS = 300, VIEWS = 8 };
    rig_streams(4);
    uint32_t random = 0xfeed + (uint32_t)_i;
    uint32_t expected[WORDS] = {0};
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    fill(rig.streams[0], grt_buffer_view(buffer), 0, 0);
    for (int op = 0; op < OPERATIONS; op++) {
        random = random * 1664525u + 1013904223u;
        size_t first = (random >> 8) % VIEWS * (WORDS / VIEWS);
        size_t words = (1 + (random >> 16) % 3) * (WORDS / VIEWS);
        if (first + words > WORDS)
            words = WORDS - first;
        grt_view part;
        OK(grt_view_slice(grt_buffer_view(buffer), 4 * first, 4 * words, &part));
        bool set = (random >> 24) % 4 == 0;
        uint32_t value = random >> 20;
        uint32_t micros = (random >> 28) == 0 ? 200 : 0;
        if (set)
            fill(rig.streams[(random >> 12) % 4], part, value, micros);
        else
            add(rig.streams[(random >> 12) % 4], part, value, micros);
        for (size_t i = first; i < first + words; i++)
            expected[i] = set ? value : expected[i] + value;
    }
    uint32_t words[WORDS];
    OK(grt_download(rig.streams[1], words, grt_buffer_view(buffer)));
    OK(grt_stream_synchronize(rig.streams[1]));
    for (size_t i = 0; i < WORDS; i++)
        ck_assert_uint_eq(words[i], expected[i]);
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(queries_see_the_end_of_work)
{
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    fill(rig.streams[0], grt_buffer_view(buffer), 1, LONG_HOLD);
    int pending = 0;
    grt_status status;
    while ((status = grt_stream_query(rig.streams[0])) == GRT_NOT_READY)
        pending++;
    OK(status);
    if (rig.real_time) /* elsewhere asking runs the work */
        ck_assert_int_gt(pending, 0);
    OK(grt_buffer_destroy(buffer));
}
END_TEST

Suite *suite(void)
{
    Suite *made = suite_create("order");
    TCase *tests = rig_case(made, "order");
    tcase_add_test(tests, a_missing_wait_shows);
    tcase_add_test(tests, a_reader_waits_for_the_writer);
    tcase_add_test(tests, a_writer_waits_for_a_slow_first_reader);
    tcase_add_test(tests, a_writer_waits_for_a_slow_middle_reader);
    tcase_add_test(tests, a_writer_waits_for_a_slow_last_reader);
    tcase_add_test(tests, a_writer_waits_for_all_of_many_readers);
    tcase_add_test(tests, a_writer_waits_for_each_reader_s_newest_read);
    tcase_add_test(tests, memory_dropped_under_readers_is_not_reused_early);
    tcase_add_test(tests, the_first_use_on_another_stream_waits_for_the_allocation);
    tcase_add_test(tests, work_of_a_destroyed_stream_is_waited_for);
    tcase_add_test(tests, unrecorded_work_is_recorded_when_a_second_stream_needs_it);
    tcase_add_test(tests, work_of_the_only_stream_is_waited_for_when_it_goes);
    tcase_add_test(tests, disjoint_halves_do_not_wait_and_the_whole_waits_for_both);
    tcase_add_test(tests, overlapping_views_are_ordered);
    tcase_add_test(tests, a_thousand_views_of_one_buffer_stay_ordered);
    tcase_add_loop_test(tests, merged_ranges_keep_every_writer, 0, 2);
    tcase_add_test(tests, a_part_written_by_its_owner_leaves_the_rest_as_it_was);
    tcase_add_test(tests, a_wait_is_not_for_later_work);
    tcase_add_test(tests, a_repeated_edge_costs_one_wait);
    tcase_add_test(tests, an_explicit_wait_orders_foreign_work);
    tcase_add_test(tests, copies_and_fills_are_ordered_like_launches);
    tcase_add_test(tests, three_inputs_and_one_output);
    tcase_add_loop_test(tests, random_programs_give_the_sequential_result, 0, 8);
    tcase_add_test(tests, queries_see_the_end_of_work);
    return made;
}
