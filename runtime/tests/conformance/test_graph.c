/* SPDX-License-Identifier: Apache-2.0 */
/* Captures: ordered inside, ordered as a whole outside, and what must not cross the border. */
#include "../support/rig.h"

START_TEST(a_graph_runs_as_often_as_it_is_launched)
{
    rig_streams(2);
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_graph *graph;
    fill(rig.streams[0], grt_buffer_view(buffer), 0, 0);
    OK(grt_stream_capture_begin(rig.streams[0]));
    add(rig.streams[0], grt_buffer_view(buffer), 1, 0);
    add(rig.streams[0], grt_buffer_view(buffer), 10, 0);
    OK(grt_stream_capture_end(rig.streams[0], &graph));
    expect_words(grt_buffer_view(buffer), 0); /* capturing runs nothing */
    for (int i = 0; i < 3; i++)
        OK(grt_graph_launch(rig.streams[i % 2], graph));
    expect_words(grt_buffer_view(buffer), 33);
    OK(grt_graph_destroy(graph));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(a_graph_is_ordered_with_the_work_around_it)
{
    rig_streams(3);
    grt_buffer *from = make_buffer(rig.streams[0], WORDS), *to = make_buffer(rig.streams[0], WORDS);
    grt_graph *graph;
    OK(grt_stream_capture_begin(rig.streams[0]));
    copy(rig.streams[0], grt_buffer_view(to), grt_buffer_view(from), HOLD);
    OK(grt_stream_capture_end(rig.streams[0], &graph));
    fill(rig.streams[1], grt_buffer_view(from), 5, HOLD);
    OK(grt_graph_launch(rig.streams[0], graph));       /* waits for the writer */
    fill(rig.streams[2], grt_buffer_view(from), 6, 0); /* waits for the graph's read */
    expect_words(grt_buffer_view(to), 5);              /* waits for the graph's write */
    expect_words(grt_buffer_view(from), 6);
    OK(grt_graph_destroy(graph));
    OK(grt_buffer_destroy(from));
    OK(grt_buffer_destroy(to));
}
END_TEST

START_TEST(streams_fork_into_a_capture_and_are_joined)
{
    rig_streams(3);
    grt_buffer *a = make_buffer(rig.streams[0], WORDS), *b = make_buffer(rig.streams[0], WORDS);
    grt_buffer *sum = make_buffer(rig.streams[0], WORDS);
    grt_graph *graph;
    uint32_t count = WORDS;
    OK(grt_stream_capture_begin(rig.streams[0]));
    OK(grt_stream_wait(rig.streams[1], rig.streams[0]));
    OK(grt_stream_wait(rig.streams[2], rig.streams[0]));
    fill(rig.streams[1], grt_buffer_view(a), 1, HOLD);
    fill(rig.streams[2], grt_buffer_view(b), 2, HOLD);
    OK(grt_launch(rig.streams[0], rig.sum3, grt_config_linear(128, 128), GRT_WRITE(grt_buffer_view(sum)),
                  GRT_READ(grt_buffer_view(a)), GRT_READ(grt_buffer_view(b)), GRT_READ(grt_buffer_view(b)),
                  GRT_VALUE(count)));
    add(rig.streams[2], grt_buffer_view(b), 10,
        0); /* after the sum's read; its stream is joined by the end */
    OK(grt_stream_capture_end(rig.streams[0], &graph));
    OK(grt_graph_launch(rig.streams[0], graph));
    expect_words(grt_buffer_view(sum), 5);
    expect_words(grt_buffer_view(b), 12);
    fill(rig.streams[1], grt_buffer_view(a), 9, 0); /* the streams run again */
    expect_words(grt_buffer_view(a), 9);
    OK(grt_graph_destroy(graph));
    OK(grt_buffer_destroy(a));
    OK(grt_buffer_destroy(b));
    OK(grt_buffer_destroy(sum));
}
END_TEST

/* A guard destroyed during a capture must not record into the graph: guards do not cross its border. */
START_TEST(guards_do_not_cross_the_border_of_a_capture)
{
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_guard *guard;
    grt_graph *graph = NULL;
    OK(grt_acquire_write(rig.streams[0], grt_buffer_view(buffer), &guard));
    FAILS(GRT_GUARD_HELD, grt_stream_capture_begin(rig.streams[0]));
    OK(grt_release(guard));
    OK(grt_stream_capture_begin(rig.streams[0]));
    OK(grt_acquire_write(rig.streams[0], grt_buffer_view(buffer), &guard));
    raw_fill(rig.streams[0], grt_guard_pointer(guard), 4, WORDS, 0);
    FAILS(GRT_GUARD_HELD, grt_stream_capture_end(rig.streams[0], &graph));
    OK(grt_release(guard));
    OK(grt_stream_capture_end(rig.streams[0], &graph));
    OK(grt_graph_launch(rig.streams[0], graph));
    expect_words(grt_buffer_view(buffer), 4);
    OK(grt_graph_destroy(graph));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(what_a_capture_cannot_do_is_refused)
{
    rig_streams(2);
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS), *other = NULL;
    grt_graph *graph;
    FAILS(GRT_INVALID_ARGUMENT, grt_stream_capture_end(rig.streams[0], &graph));
    OK(grt_stream_capture_begin(rig.streams[0]));
    FAILS(GRT_CAPTURE_FORBIDDEN, grt_stream_capture_begin(rig.streams[0]));
    FAILS(GRT_CAPTURE_FORBIDDEN, grt_stream_synchronize(rig.streams[0]));
    FAILS(GRT_CAPTURE_FORBIDDEN, grt_stream_query(rig.streams[0]));
    FAILS(GRT_CAPTURE_FORBIDDEN, grt_device_synchronize(rig.device));
    FAILS(GRT_CAPTURE_FORBIDDEN, grt_buffer_create(rig.streams[0], BYTES, &other));
    FAILS(GRT_CAPTURE_FORBIDDEN, grt_stream_destroy(rig.streams[0]));
    FAILS(GRT_CAPTURE_ISOLATION, grt_stream_wait(rig.streams[0], rig.streams[1]));
    fill(rig.streams[0], grt_buffer_view(buffer), 1, 0);
    FAILS(GRT_BUSY, grt_buffer_destroy(buffer));
    fill(rig.streams[1], grt_buffer_view(buffer), 2, 0); /* work outside goes on */
    OK(grt_stream_capture_end(rig.streams[0], &graph));
    FAILS(GRT_BUSY, grt_buffer_destroy(buffer));
    expect_words(grt_buffer_view(buffer), 2);
    OK(grt_graph_launch(rig.streams[1], graph));
    expect_words(grt_buffer_view(buffer), 1);
    OK(grt_graph_destroy(graph));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(a_long_capture_keeps_its_order)
{
    enum { NODES = 300, VIEWS = 64 };
    rig_streams(2);
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_graph *graph;
    fill(rig.streams[0], grt_buffer_view(buffer), 0, 0);
    OK(grt_stream_capture_begin(rig.streams[0]));
    OK(grt_stream_wait(rig.streams[1], rig.streams[0]));
    for (size_t i = 0; i < NODES; i++) {
        grt_view part;
        OK(grt_view_slice(grt_buffer_view(buffer), 4 * (i % VIEWS), 4 * 8, &part));
        add(rig.streams[i % 2], part, 1, 0);
    }
    OK(grt_stream_capture_end(rig.streams[0], &graph));
    for (int i = 0; i < 2; i++)
        OK(grt_graph_launch(rig.streams[i], graph));
    /* Word 20 is in the views that begin at words 13 to 20. */
    uint32_t launches = 0;
    for (size_t i = 0; i < NODES; i++)
        launches += i % VIEWS >= 13 && i % VIEWS <= 20;
    ck_assert_uint_eq(read_word(grt_buffer_view(buffer), 20), 2 * launches);
    OK(grt_graph_destroy(graph));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

Suite *suite(void)
{
    Suite *made = suite_create("graph");
    TCase *tests = rig_case(made, "graph");
    tcase_add_test(tests, a_graph_runs_as_often_as_it_is_launched);
    tcase_add_test(tests, a_graph_is_ordered_with_the_work_around_it);
    tcase_add_test(tests, streams_fork_into_a_capture_and_are_joined);
    tcase_add_test(tests, guards_do_not_cross_the_border_of_a_capture);
    tcase_add_test(tests, what_a_capture_cannot_do_is_refused);
    tcase_add_test(tests, a_long_capture_keeps_its_order);
    return made;
}
