// SPDX-License-Identifier: Apache-2.0
// The grammar of targets and conditions, and of name patterns.
#include "rules/index.h"
#include "rules/target.h"

#include <check.h>
#include <string.h>

// Steps in short form: '*' dereference, '.' member, '#' any element, '0'… a given element.
static void steps_print(const struct gl_target *target, char *out)
{
    for (unsigned i = 0; i < target->step_count; i++) {
        const struct gl_target_step *step = &target->steps[i];
        *out++ = step->kind == GL_TSTEP_DEREF      ? '*'
                 : step->kind == GL_TSTEP_ELEMENTS ? '#'
                 : step->kind == GL_TSTEP_FIELD    ? '.'
                                                   : (char)('0' + step->index);
        if (step->kind == GL_TSTEP_FIELD)
            out = stpcpy(out, step->field);
    }
    *out = '\0';
}

static const struct {
    const char *text;
    enum gl_target_base base;
    int arg;
    const char *steps;
} targets[] = {
    {"arg0", GL_TARGET_ARG, 0, ""},
    {"arg12", GL_TARGET_ARG, 12, ""},
    {"args", GL_TARGET_ALL_ARGS, 0, ""},
    {"args2", GL_TARGET_ALL_ARGS, 2, ""},
    {"last-arg", GL_TARGET_LAST_ARG, 0, ""},
    {"this", GL_TARGET_THIS, 0, ""},
    {"result", GL_TARGET_RESULT, 0, ""},
    {"default-stream", GL_TARGET_DEFAULT_STREAM, 0, ""},
    {"current-stream", GL_TARGET_CURRENT_STREAM, 0, ""},
    {"device", GL_TARGET_DEVICE, 0, ""},
    {"stream-of(arg3)", GL_TARGET_STREAM_OF_HANDLE, 3, ""},
    {"stream-of(this)", GL_TARGET_STREAM_OF_HANDLE, -1, ""},
    {"*arg1", GL_TARGET_ARG, 1, "*"},
    {"**arg1", GL_TARGET_ARG, 1, "**"},
    {"arg2[]", GL_TARGET_ARG, 2, "#"},
    {"arg2[7]", GL_TARGET_ARG, 2, "7"},
    {"*arg3[]", GL_TARGET_ARG, 3, "#*"},
    {"(*arg3)[]", GL_TARGET_ARG, 3, "*#"},
    {"arg0->stream", GL_TARGET_ARG, 0, "*.stream"},
    {"arg0.ptr", GL_TARGET_ARG, 0, ".ptr"},
    {"*arg4->params[]", GL_TARGET_ARG, 4, "*.params#*"},
    {"this.a_1.b->c", GL_TARGET_THIS, 0, ".a_1.b*.c"},
    {"*(result)", GL_TARGET_RESULT, 0, "*"},
};

START_TEST(target_is_read)
{
    struct gl_arena arena = {0};
    struct gl_strings *strings = gl_strings_create();
    struct gl_target target;
    struct gl_target_error error;
    char steps[256];
    ck_assert(gl_target_parse(&arena, strings, targets[_i].text, &target, &error));
    ck_assert_int_eq(target.base, targets[_i].base);
    ck_assert_int_eq(target.arg, targets[_i].arg);
    steps_print(&target, steps);
    ck_assert_str_eq(steps, targets[_i].steps);
    ck_assert_str_eq(target.text, targets[_i].text);
    gl_arena_free(&arena);
    gl_strings_destroy(strings);
}
END_TEST

static const struct {
    const char *text;
    size_t offset;
    const char *message;
} bad_targets[] = {
    {"", 0, "target has no base"},
    {"*", 1, "target has no base"},
    {"arg", 0, "unknown target 'arg'"},
    {"arg256", 0, "unknown target 'arg256'"},
    {"arg99999999999", 0, "unknown target 'arg99999999999'"},
    {"args999", 0, "unknown target 'args999'"},
    {"Arg0", 0, "unknown target 'Arg0'"},
    {"arg0x", 0, "unknown target 'arg0x'"},
    {"default-strm", 0, "unknown target 'default-strm'"},
    {"arg0 ", 4, "unexpected text after the target"},
    {"arg0]", 4, "unexpected text after the target"},
    {"arg0..x", 5, "expected the name of a member"},
    {"arg0->", 6, "expected the name of a member"},
    {"arg0[x]", 5, "expected a number and ']'"},
    {"arg0[-1]", 5, "expected a number and ']'"},
    {"(arg0", 5, "expected ')'"},
    {"stream-of(result)", 10, "stream-of() takes an argument (arg0) or this"},
    {"stream-of(arg0).x", 0, "only arguments, this and result have members and elements"},
    {"*device", 0, "only arguments, this and result have members and elements"},
    {"arg0[][][][][][][][][]", 22, "target has too many steps (at most 8)"},
    {"(((((((((((((((((arg0", 16, "target is nested too deeply"},
};

START_TEST(bad_target_is_refused)
{
    struct gl_arena arena = {0};
    struct gl_strings *strings = gl_strings_create();
    struct gl_target target;
    struct gl_target_error error = {0};
    ck_assert(!gl_target_parse(&arena, strings, bad_targets[_i].text, &target, &error));
    ck_assert_str_eq(error.message, bad_targets[_i].message);
    ck_assert_uint_eq(error.offset, bad_targets[_i].offset);
    gl_arena_free(&arena);
    gl_strings_destroy(strings);
}
END_TEST

START_TEST(conditions)
{
    struct gl_condition condition = {0};
    struct gl_target_error error;
    ck_assert(gl_condition_parse("arg3 != 3", &condition, &error));
    ck_assert_int_eq(condition.kind, GL_COND_NOT_EQUAL);
    ck_assert_int_eq(condition.arg, 3);
    ck_assert_int_eq(condition.value, 3);
    ck_assert(gl_condition_parse("arg10==-12", &condition, &error));
    ck_assert_int_eq(condition.kind, GL_COND_EQUAL);
    ck_assert_int_eq(condition.value, -12);
    const char *const bad[] = {"",         "arg",       "this == 1",  "arg0",     "arg0 = 1",
                               "arg0 == ", "arg0 == x", "arg0 == 1 ", "arg0 > 1", "arg0 == 12345678901"};
    for (size_t i = 0; i < GL_COUNT(bad); i++)
        ck_assert_msg(!gl_condition_parse(bad[i], &condition, &error), "'%s' was taken", bad[i]);
}
END_TEST

START_TEST(patterns)
{
    ck_assert(gl_name_matches("abc", "abc"));
    ck_assert(!gl_name_matches("abc", "abcd"));
    ck_assert(gl_name_matches("a*c", "ac"));
    ck_assert(gl_name_matches("a*c", "abcbc"));
    ck_assert(gl_name_matches("*gemm*", "cublasSgemmEx"));
    ck_assert(!gl_name_matches("a*c", "abcb"));
    ck_assert(!gl_name_matches("n*", "n::f"));
    ck_assert(gl_name_matches("n::*", "n::f"));
    ck_assert(!gl_name_matches("n::*", "n::m::f"));
    ck_assert(gl_name_matches("*::*", "n::f"));
    ck_assert(gl_name_matches("*", ""));
    ck_assert(!gl_name_matches("", "a"));
    ck_assert(gl_name_is_pattern("cublas*"));
    ck_assert(gl_name_is_pattern("n*::operator"));
    ck_assert(!gl_name_is_pattern("n::T::operator*"));
    ck_assert(!gl_name_is_pattern("operator*"));
    ck_assert(gl_name_is_pattern("n::T::operator *"));
    ck_assert(!gl_name_is_pattern("n::T::operator n::U *"));
    ck_assert_str_eq(gl_name_last_component("n::T::f"), "f");
    ck_assert_str_eq(gl_name_last_component("f"), "f");
    ck_assert_str_eq(gl_name_last_component("n::T::operator n::U *"), "operator n::U *");
}
END_TEST

int main(void)
{
    TCase *grammar = tcase_create("grammar");
    tcase_add_loop_test(grammar, target_is_read, 0, (int)GL_COUNT(targets));
    tcase_add_loop_test(grammar, bad_target_is_refused, 0, (int)GL_COUNT(bad_targets));
    tcase_add_test(grammar, conditions);
    tcase_add_test(grammar, patterns);
    Suite *suite = suite_create("rules: targets");
    suite_add_tcase(suite, grammar);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
