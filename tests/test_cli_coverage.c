// SPDX-License-Identifier: Apache-2.0
// `guardlint rules list --coverage HEADER`: which functions of a C header have a rule.
#include "suite.h"

static char output[GL_TEST_TEXT];

static int coverage(const char *header)
{
    char command[1024];
    snprintf(command, sizeof command, "%s rules list --coverage %s pack.yaml", GL_GUARDLINT, header);
    return command_run(command, output);
}

static void setup(void)
{
    folder_enter();
    text_write("pack.yaml", "library: cov\ncalls:\n  - {name: cov_take, arity: 2, effects: [pure]}\n"
                            "  - {name: cov_give, effects: [{release: arg0}]}\nirrelevant: [cov_name]\n");
}

START_TEST(declarations_are_counted)
{
    text_write("all.h", "#define API(x) x\n/* int cov_in_comment(void); */\nextern \"C\" {\n"
                        "typedef void (*cov_callback)(int);\nstruct cov { int (*member)(void); };\n"
                        "extern int API cov_take(int a, void (*f)(int, int));\nvoid *cov_give(void *p);\n"
                        "const char *cov_name(void); // int cov_also_comment(void);\n}\n");
    ck_assert_int_eq(coverage("all.h"), 0);
    ck_assert_ptr_nonnull(strstr(output, "3 functions declared: 2 with a rule, 1 irrelevant, 0 without"));
}
END_TEST

START_TEST(a_function_without_a_rule_is_named)
{
    text_write("some.h", "int cov_take(int a, int b);\nint cov_new(void);\n");
    ck_assert_int_eq(coverage("some.h"), 1);
    ck_assert_ptr_nonnull(strstr(output, "no rule: cov_new\n"));
    ck_assert_ptr_nonnull(strstr(output, "2 functions declared: 1 with a rule, 0 irrelevant, 1 without"));
}
END_TEST

START_TEST(a_header_that_is_not_there)
{
    ck_assert_int_eq(coverage("none.h"), 2);
    ck_assert_ptr_nonnull(strstr(output, "none.h: error: cannot be read: No such file or directory"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("coverage");
    TCase *tests = tcase_create("coverage");
    tcase_add_checked_fixture(tests, setup, folder_leave);
    tcase_add_test(tests, declarations_are_counted);
    tcase_add_test(tests, a_function_without_a_rule_is_named);
    tcase_add_test(tests, a_header_that_is_not_there);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
