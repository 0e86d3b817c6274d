// SPDX-License-Identifier: Apache-2.0
// Every report format, on one run with a finding that has a trace, a suppressed one, and a unit that failed.
#include "report/report.h"
#include "suite.h"

#include "base/strings.h"

#include <jansson.h>

static struct gl_strings *strings;
static struct gl_ir_program *program;
static struct gl_findings findings;
static struct gl_suppressed_list suppressed;
static struct gl_analysis_stats stats;
static struct gl_report report;
static char *text;
static size_t size;

static struct gl_ir_loc at(const char *file, unsigned line, unsigned column)
{
    return (struct gl_ir_loc){gl_intern(strings, file), line, column, NULL};
}

static struct gl_finding finding_make(const struct gl_ir_unit *unit, const char *check, unsigned line)
{
    struct gl_finding finding = {
        .check = gl_check_find(check),
        .severity = GL_ERROR,
        .loc = at("dir with blank/a:b.cu", line, 7),
        .message = "\"x\" is used, <late> & 100%",
        .function = "ns::f",
        .unit = unit,
    };
    GL_VEC_PUSH(&finding.trace, (struct gl_step){at("dir with blank/a:b.cu", 2, 3), "acquired here"});
    GL_VEC_PUSH(&finding.trace, (struct gl_step){at("/abs/h.h", 9, 1), "released here"});
    return finding;
}

static void setup(void)
{
    strings = gl_strings_create();
    program = gl_ir_program_create(strings);
    findings = (struct gl_findings){0};
    suppressed = (struct gl_suppressed_list){0};
    struct gl_ir_unit *unit = gl_ir_unit_add(program, "dir with blank/a:b.cu");
    unit->language = "cuda";
    GL_VEC_PUSH(&findings.list, finding_make(unit, "released-before-launch", 12));
    GL_VEC_PUSH(&suppressed.list, (struct gl_suppressed){finding_make(unit, "guard-leak", 20), "its reason",
                                                         at("dir with blank/a:b.cu", 20, 1)});
    struct gl_ir_unit *failed = gl_ir_unit_add(program, "bad\xff.c");
    failed->status = GL_UNIT_FAILED;
    GL_VEC_PUSH(
        &failed->problems,
        (struct gl_ir_problem){.kind = "crash", .message = "the front end crashed", .hint = "report it"});
    report = (struct gl_report){
        .version = "1.2.3",
        .program = program,
        .findings = &findings,
        .suppressed = &suppressed,
        .stats = &stats,
        .summary = {.units = 2, .failed = 1, .findings = 1, .suppressed = 1, .exit_status = 3},
    };
    text = NULL;
}

static void teardown(void)
{
    free(text);
    gl_suppressed_free(&suppressed);
    gl_findings_free(&findings);
    gl_ir_program_destroy(program);
    gl_strings_destroy(strings);
}

static void write_as(const char *format)
{
    FILE *stream = open_memstream(&text, &size);
    gl_report_format_find(format)->write(&report, stream);
    fclose(stream);
}

static json_t *parse(void)
{
    json_error_t error;
    json_t *root = json_loads(text, 0, &error);
    ck_assert_msg(root != NULL, "%d:%d: %s", error.line, error.column, error.text);
    return root;
}

static const char *string_at(json_t *object, const char *first, size_t index, const char *key)
{
    return json_string_value(json_object_get(json_array_get(json_object_get(object, first), index), key));
}

START_TEST(text_is_for_editors)
{
    write_as("text");
    ck_assert_str_eq(
        text, "dir with blank/a:b.cu:12:7: error: \"x\" is used, <late> & 100% [released-before-launch]\n"
              "dir with blank/a:b.cu:2:3: note: acquired here\n"
              "/abs/h.h:9:1: note: released here\n");
}
END_TEST

START_TEST(text_in_colour_with_excerpt)
{
    folder_enter();
    text_write("x.cu", "first\n\tcall(\033[0m \xc3\xa4, b);\r\nlast");
    report.has_color = report.has_excerpts = true;
    struct gl_finding *finding = &findings.list.items[0];
    finding->loc = at("x.cu", 2, 16);
    finding->trace.count = 0;
    write_as("text");
    ck_assert_ptr_nonnull(strstr(text, "\033[1;31merror:\033[0m"));
    ck_assert_msg(strstr(text, "    2 | \tcall(?[0m \xc3\xa4, b);\n      | \t             ^\n") != NULL, "%s",
                  text);
    folder_leave();
}
END_TEST

START_TEST(excerpt_of_what_is_not_there)
{
    report.has_excerpts = true;
    write_as("text");
    ck_assert_ptr_null(strstr(text, "|"));
}
END_TEST

START_TEST(json_holds_everything)
{
    write_as("json");
    json_t *root = parse();
    ck_assert_int_eq(json_integer_value(json_object_get(root, "format")), 1);
    ck_assert_str_eq(string_at(root, "findings", 0, "check"), "released-before-launch");
    ck_assert_str_eq(string_at(root, "findings", 0, "file"), "dir with blank/a:b.cu");
    ck_assert_str_eq(string_at(root, "findings", 0, "function"), "ns::f");
    ck_assert_str_eq(string_at(root, "suppressed", 0, "reason"), "its reason");
    ck_assert_str_eq(string_at(root, "units", 1, "status"), "failed");
    ck_assert_str_eq(string_at(root, "units", 1, "path"), "bad\xef\xbf\xbd.c");
    json_t *finding = json_array_get(json_object_get(root, "findings"), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(finding, "trace")), 2);
    ck_assert_str_eq(string_at(finding, "trace", 1, "message"), "released here");
    json_t *problem =
        json_array_get(json_object_get(json_array_get(json_object_get(root, "units"), 1), "problems"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(problem, "hint")), "report it");
    ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(root, "summary"), "exit_status")), 3);
    ck_assert(json_is_integer(json_object_get(json_object_get(root, "stats"), "states_joined")));
    json_decref(root);
}
END_TEST

START_TEST(sarif_has_what_the_standard_requires)
{
    write_as("sarif");
    json_t *root = parse();
    ck_assert_str_eq(json_string_value(json_object_get(root, "version")), "2.1.0");
    json_t *run = json_array_get(json_object_get(root, "runs"), 0);
    json_t *driver = json_object_get(json_object_get(run, "tool"), "driver");
    ck_assert_str_eq(json_string_value(json_object_get(driver, "name")), "guardlint");
    ck_assert_uint_eq(json_array_size(json_object_get(driver, "rules")),
                      gl_check_count() + GL_SUPPRESS_CHECK_COUNT);
    ck_assert_uint_eq(json_array_size(json_object_get(run, "results")), 2);
    json_t *result = json_array_get(json_object_get(run, "results"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(result, "ruleId")), "released-before-launch");
    ck_assert_ptr_nonnull(json_object_get(result, "codeFlows"));
    const char *uri;
    int line;
    ck_assert_int_eq(json_unpack(result, "{s:[{s:{s:{s:s}, s:{s:i}}}]}", "locations", "physicalLocation",
                                 "artifactLocation", "uri", &uri, "region", "startLine", &line),
                     0);
    ck_assert_str_eq(uri, "dir%20with%20blank/a%3Ab.cu");
    ck_assert_int_eq(line, 12);
    json_t *second = json_array_get(json_object_get(run, "results"), 1);
    ck_assert_str_eq(string_at(second, "suppressions", 0, "justification"), "its reason");
    json_t *invocation = json_array_get(json_object_get(run, "invocations"), 0);
    ck_assert(json_is_false(json_object_get(invocation, "executionSuccessful")));
    ck_assert_uint_eq(json_array_size(json_object_get(invocation, "toolExecutionNotifications")), 1);
    json_decref(root);
}
END_TEST

START_TEST(github_encodes_what_would_end_a_property)
{
    write_as("github");
    ck_assert_str_eq(text, "::error file=dir with blank/a%3Ab.cu,line=12,col=7,title=guardlint "
                           "released-before-launch::\"x\" is used, <late> & 100%25"
                           "%0Adir with blank/a:b.cu:2: acquired here%0A/abs/h.h:9: released here\n");
}
END_TEST

START_TEST(gitlab_names_a_line_and_a_fingerprint)
{
    write_as("gitlab");
    json_t *root = parse();
    const char *path, *fingerprint, *severity;
    int line;
    ck_assert_int_eq(json_unpack(root, "[{s:{s:s, s:{s:i}}, s:s, s:s}]", "location", "path", &path, "lines",
                                 "begin", &line, "fingerprint", &fingerprint, "severity", &severity),
                     0);
    ck_assert_str_eq(path, "dir with blank/a:b.cu");
    ck_assert_int_eq(line, 12);
    ck_assert_uint_eq(strlen(fingerprint), 16);
    ck_assert_str_eq(severity, "major");
    json_decref(root);
}
END_TEST

START_TEST(fingerprint_does_not_depend_on_the_line)
{
    char first[17], moved[17], other[17];
    struct gl_finding *finding = &findings.list.items[0];
    gl_report_fingerprint(finding, first);
    finding->loc.line += 10;
    gl_report_fingerprint(finding, moved);
    finding->function = "ns::g";
    gl_report_fingerprint(finding, other);
    ck_assert_str_eq(first, moved);
    ck_assert_str_ne(first, other);
}
END_TEST

START_TEST(junit_is_well_formed)
{
    write_as("junit");
    ck_assert_ptr_nonnull(
        strstr(text, "<testsuite name=\"guardlint\" tests=\"2\" failures=\"1\" errors=\"1\""));
    ck_assert_ptr_nonnull(strstr(text, "message=\"&quot;x&quot; is used, &lt;late&gt; &amp; 100%\""));
    ck_assert_ptr_nonnull(strstr(text, "name=\"bad?.c\""));
    ck_assert_ptr_nonnull(strstr(text, "<error type=\"crash\" message=\"the front end crashed\"/>"));
}
END_TEST

START_TEST(a_finding_without_position_is_at_the_start_of_its_unit)
{
    findings.list.items[0].loc = (struct gl_ir_loc){0};
    findings.list.items[0].trace.count = 0;
    for (size_t i = 0; i < gl_report_format_count(); i++) {
        write_as(gl_report_format_at(i)->name);
        ck_assert_uint_gt(size, 0);
        free(text);
        text = NULL;
    }
    write_as("text");
    ck_assert_ptr_nonnull(strstr(text, "dir with blank/a:b.cu:1:1: error"));
}
END_TEST

START_TEST(nothing_found)
{
    struct gl_finding finding = findings.list.items[0];
    findings.list.count = 0;
    for (size_t i = 0; i < gl_report_format_count(); i++) {
        write_as(gl_report_format_at(i)->name);
        if (strchr("{[", text[0]) && size)
            json_decref(parse());
        free(text);
        text = NULL;
    }
    findings.list.items[findings.list.count++] = finding;
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("report");
    TCase *cases = tcase_create("formats");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, text_is_for_editors);
    tcase_add_test(cases, text_in_colour_with_excerpt);
    tcase_add_test(cases, excerpt_of_what_is_not_there);
    tcase_add_test(cases, json_holds_everything);
    tcase_add_test(cases, sarif_has_what_the_standard_requires);
    tcase_add_test(cases, github_encodes_what_would_end_a_property);
    tcase_add_test(cases, gitlab_names_a_line_and_a_fingerprint);
    tcase_add_test(cases, fingerprint_does_not_depend_on_the_line);
    tcase_add_test(cases, junit_is_well_formed);
    tcase_add_test(cases, a_finding_without_position_is_at_the_start_of_its_unit);
    tcase_add_test(cases, nothing_found);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
