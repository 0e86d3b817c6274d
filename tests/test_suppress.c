// SPDX-License-Identifier: Apache-2.0
// Suppression comments: how they are written, what they suppress, and what is said of those that do not.
#include "report/suppress.h"
#include "suite.h"

#include "base/strings.h"

static struct gl_arena arena;
static struct gl_strings *strings;
static struct gl_ir_program *program;
static struct gl_ir_unit *unit;
static struct gl_findings findings;
static struct gl_suppressed_list suppressed;
static struct gl_enabled enabled;

static void setup(void)
{
    arena = (struct gl_arena){0};
    strings = gl_strings_create();
    program = gl_ir_program_create(strings);
    unit = gl_ir_unit_add(program, "a.cu");
    findings = (struct gl_findings){0};
    suppressed = (struct gl_suppressed_list){0};
    enabled = (struct gl_enabled){.suppress = {true, true}};
}

static void teardown(void)
{
    gl_suppressed_free(&suppressed);
    gl_findings_free(&findings);
    gl_ir_program_destroy(program);
    gl_strings_destroy(strings);
    gl_arena_free(&arena);
}

static struct gl_ir_loc at(const char *file, unsigned line, unsigned column)
{
    return (struct gl_ir_loc){gl_intern(strings, file), line, column, NULL};
}

static void comment_add(unsigned line, const char *text)
{
    GL_VEC_PUSH(&unit->comments, (struct gl_ir_comment){at("a.cu", line, 5), gl_intern(strings, text)});
}

static void finding_add(const char *check, unsigned line)
{
    GL_VEC_PUSH(&findings.list, (struct gl_finding){
                                    .check = gl_check_find(check),
                                    .severity = GL_ERROR,
                                    .loc = at("a.cu", line, 3),
                                    .message = "m",
                                    .unit = unit,
                                });
}

static void suppress(void)
{
    gl_suppress(program, &enabled, &findings, &suppressed);
}

// The only finding left is this check's, on this line, and its message has these words.
static void left_is(const char *check, unsigned line, const char *words)
{
    ck_assert_uint_eq(findings.list.count, 1);
    ck_assert_str_eq(findings.list.items[0].check->name, check);
    ck_assert_uint_eq(findings.list.items[0].loc.line, line);
    ck_assert_msg(strstr(findings.list.items[0].message, words) != NULL, "%s",
                  findings.list.items[0].message);
}

START_TEST(on_the_line_and_on_the_line_above)
{
    comment_add(10, "guardlint: allow(guard-leak) one");
    comment_add(20, "guardlint: allow(guard-leak) two");
    finding_add("guard-leak", 10);
    finding_add("guard-leak", 21);
    suppress();
    ck_assert_uint_eq(findings.list.count, 0);
    ck_assert_uint_eq(suppressed.list.count, 2);
    ck_assert_str_eq(suppressed.list.items[0].reason, "one");
    ck_assert_str_eq(suppressed.list.items[1].reason, "two");
}
END_TEST

START_TEST(not_on_other_lines_or_for_other_checks)
{
    comment_add(10, "guardlint: allow(guard-leak) here");
    finding_add("guard-leak", 10);
    finding_add("guard-leak", 12);
    suppress();
    left_is("guard-leak", 12, "m");
}
END_TEST

START_TEST(another_check_stays)
{
    comment_add(10, "guardlint: allow(guard-leak, double-release) both");
    finding_add("guard-leak", 10);
    finding_add("double-release", 11);
    finding_add("wrong-stream", 11);
    suppress();
    left_is("wrong-stream", 11, "m");
    ck_assert_uint_eq(suppressed.list.count, 2);
}
END_TEST

START_TEST(the_same_comment_from_two_units_counts_once)
{
    struct gl_ir_unit *other = gl_ir_unit_add(program, "b.cu");
    comment_add(10, "guardlint: allow(guard-leak) stale");
    GL_VEC_PUSH(&other->comments, unit->comments.items[0]);
    suppress();
    left_is("stale-suppression", 10, "guard-leak");
}
END_TEST

START_TEST(a_stale_one_is_reported)
{
    comment_add(10, "guardlint: allow(guard-leak, double-release) half of it");
    finding_add("double-release", 10);
    suppress();
    left_is("stale-suppression", 10, "guard-leak");
    ck_assert_int_eq(findings.list.items[0].severity, GL_WARNING);
}
END_TEST

START_TEST(no_staleness_where_the_unit_is_partial)
{
    unit->status = GL_UNIT_PARTIAL;
    comment_add(10, "guardlint: allow(guard-leak) may be found elsewhere");
    suppress();
    ck_assert_uint_eq(findings.list.count, 0);
}
END_TEST

START_TEST(no_staleness_where_the_check_is_off)
{
    bool *table = gl_arena_alloc(&arena, gl_check_count() * sizeof *table); // all off
    enabled.table = table;
    comment_add(10, "guardlint: allow(guard-leak) off");
    suppress();
    ck_assert_uint_eq(findings.list.count, 0);
}
END_TEST

START_TEST(no_staleness_where_it_is_disabled)
{
    enabled.suppress[GL_STALE_SUPPRESSION] = false;
    comment_add(10, "guardlint: allow(guard-leak) stale");
    suppress();
    ck_assert_uint_eq(findings.list.count, 0);
}
END_TEST

static const struct {
    const char *text, *words;
} bad_comments[] = {
    {"guardlint: allow(guard-leak)", "the reason is missing"},
    {"guardlint: allow(guard-leak) -- ", "the reason is missing"},
    {"guardlint: allow(guard-laek) why", "did you mean 'guard-leak'?"},
    {"guardlint: allow(zzzzzzzzzzzzzzzzzzzzz) why", "unknown check 'zzzzzzzzzzzzzzzzzzzzz'"},
    {"guardlint: allow guard-leak why", "the checks are missing"},
    {"guardlint: allow() why", "the checks are missing"},
    {"guardlint: allow(guard-leak why", "the checks are missing"},
    {"guardlint: disable(guard-leak) why", "'disable' is nothing"},
};

START_TEST(bad_ones_suppress_nothing_and_are_reported)
{
    comment_add(10, bad_comments[_i].text);
    suppress();
    left_is("bad-suppression", 10, bad_comments[_i].words);
    finding_add("guard-leak", 10);
    suppress();
    ck_assert_uint_eq(suppressed.list.count, 0);
}
END_TEST

START_TEST(reasons_are_trimmed)
{
    struct gl_allow allow = gl_allow_parse(&arena, "  guardlint:allow( a ,b-c ) : the reason -- why \n ");
    ck_assert_int_eq(allow.status, GL_ALLOW_OK);
    ck_assert_uint_eq(allow.names.count, 2);
    ck_assert_str_eq(allow.names.items[1], "b-c");
    ck_assert_str_eq(allow.reason, "the reason -- why");
    GL_VEC_FREE(&allow.names);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("suppress");
    TCase *cases = tcase_create("suppress");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, on_the_line_and_on_the_line_above);
    tcase_add_test(cases, not_on_other_lines_or_for_other_checks);
    tcase_add_test(cases, another_check_stays);
    tcase_add_test(cases, the_same_comment_from_two_units_counts_once);
    tcase_add_test(cases, a_stale_one_is_reported);
    tcase_add_test(cases, no_staleness_where_the_unit_is_partial);
    tcase_add_test(cases, no_staleness_where_the_check_is_off);
    tcase_add_test(cases, no_staleness_where_it_is_disabled);
    tcase_add_loop_test(cases, bad_ones_suppress_nothing_and_are_reported, 0, GL_COUNT(bad_comments));
    tcase_add_test(cases, reasons_are_trimmed);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
