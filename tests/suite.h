// SPDX-License-Identifier: Apache-2.0
// What the test programs of the command line share: running one suite, temporary folders, running a program.
#ifndef GL_TESTS_SUITE_H
#define GL_TESTS_SUITE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define GL_TEST_TEXT 65536

// Runs the suite; the exit status of the program.
static inline int suite_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}

static inline void file_write(const char *path, const char *text, size_t size)
{
    FILE *stream = fopen(path, "wb");
    ck_assert_msg(stream != NULL, "%s", path);
    ck_assert_uint_eq(fwrite(text, 1, size, stream), size);
    fclose(stream);
}

static inline void text_write(const char *path, const char *text)
{
    file_write(path, text, strlen(text));
}

// Runs a shell command, standard error joined to standard output; returns its exit status, or -1 if a signal
// ended it.
static inline int command_run(const char *command, char out_text[GL_TEST_TEXT])
{
    static char whole[8192];
    snprintf(whole, sizeof whole, "(%s) 2>&1", command);
    FILE *stream = popen(whole, "r");
    ck_assert_ptr_nonnull(stream);
    size_t size = fread(out_text, 1, GL_TEST_TEXT - 1, stream);
    out_text[size] = '\0';
    for (char rest[512]; fread(rest, 1, sizeof rest, stream) > 0;)
        continue;
    int status = pclose(stream);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// A fresh folder that is the current one until it is removed.
static inline void folder_enter(void)
{
    char path[] = "/tmp/guardlint-test-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(path));
    ck_assert_int_eq(chdir(path), 0);
}

static inline void folder_leave(void)
{
    char command[4200], folder[4096];
    ck_assert_ptr_nonnull(getcwd(folder, sizeof folder));
    ck_assert_ptr_nonnull(strstr(folder, "guardlint-test-"));
    snprintf(command, sizeof command, "cd / && rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

#endif
