// SPDX-License-Identifier: Apache-2.0
// The documents name what the tables hold: every check, report format, configuration key and exit status.
#include "base/file.h"
#include "base/vec.h"
#include "report/report.h"
#include "suite.h"

static char *readme, *ci;

static void setup(void)
{
    size_t size;
    readme = gl_file_read(GL_SOURCE "/README.md", &size);
    ci = gl_file_read(GL_SOURCE "/docs/ci.md", &size);
    ck_assert(readme && ci);
}

static void teardown(void)
{
    free(readme);
    free(ci);
}

static void names(const char *document, const char *format, const char *name)
{
    char words[128];
    snprintf(words, sizeof words, format, name);
    ck_assert_msg(strstr(document, words) != NULL, "%s is not in the document", words);
}

START_TEST(every_check)
{
    for (size_t i = 0; i < gl_check_count(); i++)
        names(readme, "\n| `%s` | ", gl_check_at(i)->name);
    for (int i = 0; i < GL_SUPPRESS_CHECK_COUNT; i++)
        names(readme, "`%s`", gl_suppress_check_at((enum gl_suppress_check)i)->name);
}
END_TEST

START_TEST(every_format)
{
    for (size_t i = 0; i < gl_report_format_count(); i++)
        names(readme, "`%s`", gl_report_format_at(i)->name);
}
END_TEST

START_TEST(every_configuration_key)
{
    static const char *const keys[] = {
#define GL_CONFIG_KEY(name, kind, field, description) name,
#include "cli/config.def"
#undef GL_CONFIG_KEY
    };
    for (size_t i = 0; i < GL_COUNT(keys); i++)
        names(readme, "\n%s: ", keys[i]);
}
END_TEST

START_TEST(every_key_of_the_json_report)
{
    static const char *const keys[] = {"guardlint", "format",       "findings",    "suppressed",
                                       "units",     "summary",      "stats",       "fingerprint",
                                       "trace",     "link_seconds", "exit_status", "problems"};
    for (size_t i = 0; i < GL_COUNT(keys); i++)
        names(ci, "`%s`", keys[i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cli_documents");
    TCase *cases = tcase_create("documents");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, every_check);
    tcase_add_test(cases, every_format);
    tcase_add_test(cases, every_configuration_key);
    tcase_add_test(cases, every_key_of_the_json_report);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
