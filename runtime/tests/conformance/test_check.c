/* SPDX-License-Identifier: Apache-2.0 */
/* Checked mode finds each mistake under its name, with the lines it happened on, and nothing in correct
 * programs. */
#include "../support/rig.h"

#include <stdio.h>
#include <string.h>

enum { REPORTS = 16 };

static struct {
    int count;
    char check[REPORTS][40];
    char use[REPORTS][128];
    char acquire[REPORTS][128];
    char release[REPORTS][128];
} seen;

static void copy_text(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from ? from : "");
}

static void collect(const grt_check_report *report, void *user)
{
    (void)user;
    if (seen.count == REPORTS)
        return;
    int at = seen.count++;
    copy_text(seen.check[at], sizeof(seen.check[at]), report->check);
    copy_text(seen.use[at], sizeof(seen.use[at]), report->use_site);
    copy_text(seen.acquire[at], sizeof(seen.acquire[at]), report->acquire_site);
    copy_text(seen.release[at], sizeof(seen.release[at]), report->release_site);
}

static void begin(void)
{
    memset(&seen, 0, sizeof(seen));
    grt_check_set_callback(collect, NULL);
    rig_begin_checked();
}

static void end(void)
{
    rig_end();
    grt_check_set_callback(NULL, NULL);
}

/* Exactly one report, of this check. */
static void expect_one(const char *check)
{
    ck_assert_msg(seen.count == 1, "%d reports, first %s at %s", seen.count, seen.check[0], seen.use[0]);
    ck_assert_str_eq(seen.check[0], check);
}

static void expect_site(const char *site, int line)
{
    char wanted[32];
    snprintf(wanted, sizeof(wanted), "test_check.c:%d", line);
    ck_assert_msg(strstr(site, wanted) != NULL, "%s instead of line %d", site, line);
}

START_TEST(correct_programs_give_no_report)
{
    rig_streams(3);
    grt_buffer *from = make_buffer(rig.streams[0], WORDS), *to = make_buffer(rig.streams[1], WORDS);
    grt_guard *reading, *writing;
    for (int i = 0; i < 10; i++) {
        fill(rig.streams[i % 3], grt_buffer_view(from), 1, 0);
        copy(rig.streams[(i + 1) % 3], grt_buffer_view(to), grt_buffer_view(from), 0);
        OK(grt_acquire_read(rig.streams[2], grt_buffer_view(from), &reading));
        OK(grt_acquire_write(rig.streams[2], grt_buffer_view(to), &writing));
        raw_copy(rig.streams[2], grt_guard_pointer(writing), grt_guard_pointer(reading), WORDS, 0);
        OK(grt_release(reading));
        OK(grt_release(writing));
    }
    expect_words(grt_buffer_view(to), 1);
    OK(grt_buffer_destroy(from));
    OK(grt_buffer_destroy(to));
    ck_assert_msg(seen.count == 0, "%s at %s", seen.check[0], seen.use[0]);
    ck_assert(grt_device_describe(rig.device).checked);
}
END_TEST

static void launch_fill(grt_stream *stream, void *pointer, const char *site)
{
    uint32_t value = 2, words = WORDS, micros = 0;
    void *arguments[] = {&pointer, &value, &words, &micros};
    const size_t sizes[] = {sizeof(pointer), 4, 4, 4};
    OK(grt_launch_raw_at(site, stream, rig.fill, (grt_config){.block = {128, 1, 1}}, 4, arguments, sizes));
}

START_TEST(released_before_launch)
{
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_guard *guard;
    OK(grt_acquire_write(rig.streams[0], grt_buffer_view(buffer), &guard));
    int acquired = __LINE__ - 1;
    void *pointer = grt_guard_pointer(guard);
    OK(grt_release(guard));
    int released = __LINE__ - 1;
    /* guardlint: allow(released-before-launch) the mistake under test */
    launch_fill(rig.streams[0], pointer, GRT_SITE);
    int launched = __LINE__ - 1;
    expect_one("released-before-launch");
    expect_site(seen.use[0], launched);
    expect_site(seen.acquire[0], acquired);
    expect_site(seen.release[0], released);
    OK(grt_device_synchronize(rig.device));
    OK(grt_buffer_destroy(buffer));
    expect_one("released-before-launch");
}
END_TEST

START_TEST(released_before_launch_by_a_value_argument)
{
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    void *pointer = grt_view_address(grt_buffer_view(buffer));
    uint32_t value = 1, words = WORDS, micros = 0;
    OK(grt_launch(rig.streams[0], rig.fill, grt_config_linear(1, 128), GRT_VALUE(pointer), GRT_VALUE(value),
                  GRT_VALUE(words), GRT_VALUE(micros)));
    expect_one("released-before-launch");
    OK(grt_device_synchronize(rig.device));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(missing_wait)
{
    if (rig.sanitized)
        return; /* ThreadSanitizer would report it too */
    rig_streams(2);
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_guard *guard;
    OK(grt_acquire_write(rig.streams[0], grt_buffer_view(buffer), &guard));
    void *pointer = grt_guard_pointer(guard);
    OK(grt_release(guard));
    /* guardlint: allow(released-before-launch) the mistake under test */
    launch_fill(rig.streams[0], pointer, GRT_SITE);
    int launched = __LINE__ - 1;
    fill(rig.streams[1], grt_buffer_view(buffer), 3, 0);
    ck_assert_int_eq(seen.count, 2);
    ck_assert_str_eq(seen.check[1], "missing-wait");
    expect_site(seen.acquire[1], launched); /* the work that is not waited for */
    OK(grt_device_synchronize(rig.device));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(double_release)
{
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_guard *guard, *other;
    OK(grt_acquire_write(rig.streams[0], grt_buffer_view(buffer), &guard));
    OK(grt_release(guard));
    OK(grt_acquire_write(rig.streams[0], grt_buffer_view(buffer), &other)); /* does not reuse its memory */
    /* guardlint: allow(double-release) the mistake under test */
    FAILS(GRT_RELEASED, grt_release(guard));
    expect_one("double-release");
    OK(grt_release(other));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(guard_leak)
{
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_guard *guard;
    OK(grt_acquire_write(rig.streams[0], grt_buffer_view(buffer), &guard));
    int acquired = __LINE__ - 1;
    FAILS(GRT_GUARD_HELD, grt_device_close(rig.device));
    expect_one("guard-leak");
    expect_site(seen.acquire[0], acquired);
    OK(grt_release(guard));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(wrong_stream)
{
    rig_streams(2);
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_guard *guard;
    OK(grt_acquire_write(rig.streams[0], grt_buffer_view(buffer), &guard));
    /* guardlint: allow(wrong-stream) the mistake under test */
    launch_fill(rig.streams[1], grt_guard_pointer(guard), GRT_SITE);
    expect_one("wrong-stream");
    OK(grt_device_synchronize(rig.device));
    OK(grt_release(guard));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(access_mismatch_under_a_guard)
{
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_guard *guard;
    fill(rig.streams[0], grt_buffer_view(buffer), 1, 0);
    OK(grt_acquire_read(rig.streams[0], grt_buffer_view(buffer), &guard));
    launch_fill(rig.streams[0], grt_guard_pointer(guard), GRT_SITE);
    OK(grt_release(guard));
    expect_one("access-mismatch");
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(access_mismatch_of_a_launch)
{
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    uint32_t value = 2, words = WORDS, micros = 0;
    fill(rig.streams[0], grt_buffer_view(buffer), 1, 0);
    OK(grt_launch(rig.streams[0], rig.fill, grt_config_linear(1, 128), GRT_READ(grt_buffer_view(buffer)),
                  GRT_VALUE(value), GRT_VALUE(words), GRT_VALUE(micros)));
    expect_one("access-mismatch");
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(access_mismatch_announced)
{
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    grt_guard *guard;
    OK(grt_acquire_read(rig.streams[0], grt_buffer_view(buffer), &guard));
    grt_check_use(rig.streams[0], grt_guard_pointer(guard), false);
    ck_assert_int_eq(seen.count, 0);
    grt_check_use(rig.streams[0], grt_guard_pointer(guard), true);
    expect_one("access-mismatch");
    OK(grt_release(guard));
    OK(grt_buffer_destroy(buffer));
}
END_TEST

START_TEST(freed_in_flight_by_a_late_use)
{
    grt_buffer *buffer = make_buffer(rig.streams[0], WORDS);
    void *pointer = grt_view_address(grt_buffer_view(buffer));
    OK(grt_buffer_destroy(buffer));
    grt_check_use(rig.streams[0], pointer, true);
    expect_one("freed-in-flight");
}
END_TEST

START_TEST(freed_in_flight_of_wrapped_memory)
{
    grt_buffer *owner = make_buffer(rig.streams[0], WORDS), *wrapped;
    OK(grt_device_synchronize(rig.device));
    OK(grt_buffer_wrap(rig.device, grt_view_address(grt_buffer_view(owner)), BYTES, NULL, NULL, &wrapped));
    fill(rig.streams[0], grt_buffer_view(wrapped), 1, 0);
    OK(grt_buffer_destroy(wrapped));
    expect_one("freed-in-flight");
    OK(grt_buffer_wrap(rig.device, grt_view_address(grt_buffer_view(owner)), BYTES, NULL, NULL, &wrapped));
    fill(rig.streams[0], grt_buffer_view(wrapped), 1, 0);
    OK(grt_stream_synchronize(rig.streams[0]));
    OK(grt_buffer_destroy(wrapped));
    expect_one("freed-in-flight");
    OK(grt_buffer_destroy(owner));
}
END_TEST

Suite *suite(void)
{
    Suite *made = suite_create("check");
    TCase *tests = tcase_create("check");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(made, tests);
    tcase_add_test(tests, correct_programs_give_no_report);
    tcase_add_test(tests, released_before_launch);
    tcase_add_test(tests, released_before_launch_by_a_value_argument);
    tcase_add_test(tests, missing_wait);
    tcase_add_test(tests, double_release);
    tcase_add_test(tests, guard_leak);
    tcase_add_test(tests, wrong_stream);
    tcase_add_test(tests, access_mismatch_under_a_guard);
    tcase_add_test(tests, access_mismatch_of_a_launch);
    tcase_add_test(tests, access_mismatch_announced);
    tcase_add_test(tests, freed_in_flight_by_a_late_use);
    tcase_add_test(tests, freed_in_flight_of_wrapped_memory);
    return made;
}
