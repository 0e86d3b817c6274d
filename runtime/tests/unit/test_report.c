/* SPDX-License-Identifier: Apache-2.0 */
/* Where reports of checked mode go: text, JSON, a file, abort, and the end of the process. */
#include "../support/rig.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[] = "/tmp/guardrt-report-XXXXXX";

static void begin(void)
{
    strcpy(path + sizeof(path) - 7, "XXXXXX");
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
    setenv("GUARDRT_CHECK_FILE", path, 1);
}

static void end(void)
{
    unlink(path);
    unsetenv("GUARDRT_CHECK_FILE");
    unsetenv("GUARDRT_CHECK_FORMAT");
    unsetenv("GUARDRT_CHECK");
}

static const char *written(void)
{
    static char text[4096];
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* A device in checked mode by the variable, and a guard released twice. */
static void release_twice(void)
{
    grt_device *device;
    grt_stream *stream;
    grt_buffer *buffer;
    grt_guard *guard;
    OK(grt_device_open(GRT_BACKEND_HOST, 0, &device));
    OK(grt_stream_create(device, 0, &stream));
    OK(grt_buffer_create(stream, 64, &buffer));
    OK(grt_acquire_read_at("here \"quoted\".c:1", stream, grt_buffer_view(buffer), &guard));
    OK(grt_release_at("there.c:2", guard));
    /* guardlint: allow(double-release) the mistake under test */
    FAILS(GRT_RELEASED, grt_release_at("again.c:3", guard));
    OK(grt_buffer_destroy(buffer));
    OK(grt_stream_destroy(stream));
    OK(grt_device_close(device));
}

START_TEST(text_is_what_the_linter_prints)
{
    setenv("GUARDRT_CHECK", "1", 1);
    uint64_t before = grt_check_count();
    release_twice();
    ck_assert_uint_eq(grt_check_count(), before + 1);
    ck_assert_str_eq(written(), "again.c:3: error: the guard is released a second time [double-release]\n"
                                "here \"quoted\".c:1: note: guard acquired here\n"
                                "there.c:2: note: released here\n");
}
END_TEST

START_TEST(json_is_one_object_a_line)
{
    setenv("GUARDRT_CHECK", "1", 1);
    setenv("GUARDRT_CHECK_FORMAT", "json", 1);
    release_twice();
    const char *text = written();
    ck_assert_ptr_nonnull(strstr(text, "{\"check\":\"double-release\",\"message\":"));
    ck_assert_ptr_nonnull(strstr(text, "\"acquire\":\"here \\\"quoted\\\".c:1\",\"release\":\"there.c:2\""));
    ck_assert_ptr_nonnull(strstr(text, "\"size\":64}\n"));
}
END_TEST

START_TEST(off_reports_nothing)
{
    setenv("GUARDRT_CHECK", "0", 1);
    release_twice();
    ck_assert_str_eq(written(), "");
}
END_TEST

/* How a child process that runs `body` ends. */
static int child(void (*body)(void))
{
    int status = 0;
    pid_t process = fork();
    ck_assert_int_ge(process, 0);
    if (process == 0) {
        body();
        exit(EXIT_SUCCESS);
    }
    ck_assert_int_eq(waitpid(process, &status, 0), process);
    return status;
}

START_TEST(abort_ends_the_process)
{
    setenv("GUARDRT_CHECK", "abort", 1);
    int status = child(release_twice);
    ck_assert(WIFSIGNALED(status));
    ck_assert_int_eq(WTERMSIG(status), SIGABRT);
    ck_assert_ptr_nonnull(strstr(written(), "[double-release]"));
}
END_TEST

static void leave_open(void)
{
    grt_device *device;
    grt_stream *stream;
    grt_buffer *buffer;
    grt_guard *guard;
    OK(grt_device_open(GRT_BACKEND_HOST, 0, &device));
    OK(grt_stream_create(device, 0, &stream));
    OK(grt_buffer_create(stream, 64, &buffer));
    OK(grt_acquire_read_at("left.c:9", stream, grt_buffer_view(buffer), &guard));
    /* guardlint: allow(guard-leak) the mistake under test */
}

START_TEST(leaks_are_reported_when_the_process_ends)
{
    setenv("GUARDRT_CHECK", "1", 1);
    child(leave_open);
    ck_assert_str_eq(written(), "left.c:9: error: the guard is never released [guard-leak]\n");
}
END_TEST

Suite *suite(void)
{
    Suite *made = suite_create("report");
    TCase *tests = tcase_create("report");
    tcase_add_checked_fixture(tests, begin, end);
    suite_add_tcase(made, tests);
    tcase_add_test(tests, text_is_what_the_linter_prints);
    tcase_add_test(tests, json_is_one_object_a_line);
    tcase_add_test(tests, off_reports_nothing);
    tcase_add_test(tests, abort_ends_the_process);
    tcase_add_test(tests, leaks_are_reported_when_the_process_ends);
    return made;
}
