// SPDX-License-Identifier: Apache-2.0
// The program as users run it: statuses, formats, configuration, compile databases, IR files, --verify,
// rules.
#include "suite.h"

#include <sys/stat.h>

static char text[GL_TEST_TEXT];

// A finding that needs no analysis: a suppression that nothing needs.
static const char stale[] = "int f(void) { return 0; } // guardlint: allow(guard-leak) reason\n";
// One that does.
static const char buggy[] = "#include \"lib.h\"\n"
                            "int f(struct slice *s, cudaStream_t stream)\n"
                            "{\n"
                            "    struct guard g;\n"
                            "    const float *p = lib_begin(s, stream, &g);\n"
                            "    lib_end(&g);\n"
                            "    return cudaMemsetAsync((void *)p, 0, 4, stream);\n"
                            "}\n";
static const char lib_header[] =
    "#include <cuda_runtime.h>\n"
    "struct slice;\n"
    "struct guard { cudaEvent_t done; };\n"
    "const float *lib_begin(struct slice *s, cudaStream_t stream, struct guard *g);\n"
    "void lib_end(struct guard *g);\n";
static const char lib_rules[] =
    "library: lib\n"
    "description: A library for this test.\n"
    "calls:\n"
    "  - name: lib_begin\n"
    "    effects: [{acquire: {target: \"*arg2\", of: arg0, stream: arg1, release: event, pointer: result}}]\n"
    "  - name: lib_end\n"
    "    effects: [{release: \"*arg0\"}]\n";

static void setup(void)
{
    folder_enter();
    text_write("clean.c", "int clean(void) { return 0; }\n");
    text_write("stale.c", stale);
    text_write("buggy.c", buggy);
    text_write("lib.h", lib_header);
    text_write("lib.yaml", lib_rules);
}

static int guardlint(const char *arguments)
{
    char command[4096];
    snprintf(command, sizeof command, "%s %s", GL_GUARDLINT, arguments);
    return command_run(command, text);
}

static void says(const char *words)
{
    ck_assert_msg(strstr(text, words) != NULL, "'%s' is not in:\n%s", words, text);
}

static void says_not(const char *words)
{
    ck_assert_msg(strstr(text, words) == NULL, "'%s' is in:\n%s", words, text);
}

START_TEST(clean_is_0_and_findings_are_1)
{
    ck_assert_int_eq(guardlint("check clean.c"), 0);
    says("guardlint: 1 unit analysed (0 partial), 0 failed; 0 findings, 0 suppressed; ");
    ck_assert_int_eq(guardlint("check clean.c stale.c"), 1);
    says("stale.c:1:27: warning: nothing here is reported as guard-leak: remove the suppression "
         "[stale-suppression]\n");
    says("guardlint: 2 units analysed (0 partial), 0 failed; 1 finding, 0 suppressed; ");
}
END_TEST

START_TEST(findings_go_to_stdout_and_the_summary_last_to_stderr)
{
    ck_assert_int_eq(guardlint("check stale.c 2>/dev/null"), 1);
    ck_assert_str_eq(text,
                     "stale.c:1:27: warning: nothing here is reported as guard-leak: remove the suppression "
                     "[stale-suppression]\n");
    ck_assert_int_eq(guardlint("check --stats stale.c 2>&1 >/dev/null | tail -n 1"), 0);
    ck_assert_ptr_eq(strstr(text, "guardlint: 1 unit analysed"), text);
}
END_TEST

START_TEST(a_rule_file_on_the_command_line)
{
    ck_assert_int_eq(guardlint("check buggy.c"), 0);
    ck_assert_int_eq(guardlint("check --rules lib.yaml buggy.c"), 1);
    says("buggy.c:7:12: warning: cudaMemsetAsync uses 'p'");
    says("[released-before-launch]");
    says("buggy.c:5:22: note: acquired by lib_begin()");
    says("buggy.c:6:5: note: released by lib_end()");
}
END_TEST

START_TEST(a_rule_file_in_the_configuration)
{
    text_write(".guardlint.yaml", "rules: [lib.yaml]\n");
    ck_assert_int_eq(guardlint("check buggy.c"), 1);
    ck_assert_int_eq(guardlint("check --no-config buggy.c"), 0);
    ck_assert_int_eq(mkdir("sub", 0777), 0);
    ck_assert_int_eq(guardlint("check $PWD/buggy.c && true"), 1);
    text_write("other.yaml", "disable: [released-before-launch]\nrules: lib.yaml\n");
    ck_assert_int_eq(guardlint("check --config other.yaml buggy.c"), 0);
}
END_TEST

START_TEST(one_run_has_one_configuration)
{
    ck_assert_int_eq(command_run("mkdir a b && cp clean.c a && cp clean.c b && touch a/.guardlint.yaml && "
                                 "echo 'strict: true' >b/.guardlint.yaml",
                                 text),
                     0);
    ck_assert_int_eq(guardlint("check a/clean.c b/clean.c"), 0);
    says("b/clean.c: warning: its configuration ");
    says("b/clean.c: note: check it in a run of its own");
    ck_assert_int_eq(guardlint("check --no-config a/clean.c b/clean.c"), 0);
    says_not("warning");
}
END_TEST

START_TEST(shipped_examples)
{
    ck_assert_int_eq(guardlint("check " GL_SOURCE "/examples/buggy.c"), 1);
    says("buggy.c:19:12: warning: ");
    says("[released-before-launch]");
    says("[guard-leak]");
    says("; 2 findings, ");
    ck_assert_int_eq(guardlint("check " GL_SOURCE "/examples/buggy.cu"), 1);
    says("[temporary-owner]");
    says("[released-before-launch]");
    says("; 2 findings, ");
    ck_assert_int_eq(guardlint("check " GL_SOURCE "/examples/correct.c " GL_SOURCE "/examples/correct.cu"),
                     0);
    says("2 units analysed (0 partial)");
}
END_TEST

START_TEST(a_suppression_hides_a_finding)
{
    char code[1024];
    snprintf(code, sizeof code, "%.*s    // guardlint: allow(released-before-launch) one stream only\n%s",
             (int)(strstr(buggy, "    return") - buggy), buggy, strstr(buggy, "    return"));
    text_write("buggy.c", code);
    ck_assert_int_eq(guardlint("check --rules lib.yaml buggy.c"), 0);
    says("0 findings, 1 suppressed");
    ck_assert_int_eq(guardlint("check --rules lib.yaml --format json buggy.c"), 0);
    says("\"reason\": \"one stream only\"");
}
END_TEST

START_TEST(checks_are_switched)
{
    ck_assert_int_eq(guardlint("check --disable stale-suppression stale.c"), 0);
    ck_assert_int_eq(guardlint("check --disable all stale.c"), 0);
    ck_assert_int_eq(guardlint("check --disable all --enable stale-suppression stale.c"),
                     0); // guard-leak is off
    ck_assert_int_eq(guardlint("check --disable all --enable stale-suppression,guard-leak stale.c"), 1);
    ck_assert_int_eq(guardlint("check --checks guard-leak stale.c"), 0);
    ck_assert_int_eq(guardlint("check --rules lib.yaml --checks=guard-leak buggy.c"), 0);
    ck_assert_int_eq(guardlint("check --rules lib.yaml --checks=released-before-launch buggy.c"), 1);
}
END_TEST

START_TEST(a_report_goes_to_a_file)
{
    ck_assert_int_eq(guardlint("check --format sarif -o out.sarif stale.c"), 1);
    says_not("stale-suppression");
    ck_assert_int_eq(command_run("cat out.sarif; ls", text), 0);
    says("\"ruleId\": \"stale-suppression\"");
    says_not("out.sarif."); // nothing temporary is left
}
END_TEST

START_TEST(colour_only_when_asked_or_on_a_terminal)
{
    ck_assert_int_eq(guardlint("check stale.c"), 1);
    says_not("\033[");
    says_not("    1 | ");
    ck_assert_int_eq(guardlint("check --color=always stale.c"), 1);
    says("\033[1;35mwarning:\033[0m");
    says("    1 | int f(void)");
    ck_assert_int_eq(guardlint("check --color=never stale.c"), 1);
    says_not("\033[");
}
END_TEST

START_TEST(a_unit_as_ir)
{
    ck_assert_int_eq(guardlint("lower buggy.c -o buggy.gir"), 0);
    ck_assert_int_eq(guardlint("check --rules lib.yaml buggy.gir"), 1);
    says("buggy.c:7:12: warning: cudaMemsetAsync uses 'p'");
    ck_assert_int_eq(guardlint("check --dump=ir buggy.c"), 0);
    says("unit \"buggy.c\" c");
    says("call %p = ");
    ck_assert_int_eq(guardlint("lower missing.c -o x.gir"), 3);
    says("missing.c: error: cannot be read");
    ck_assert_int_eq(guardlint("lower buggy.c -o no/such/x.gir"), 3);
    says("no/such/x.gir: error: cannot be written");
}
END_TEST

START_TEST(a_folder_is_walked)
{
    ck_assert_int_eq(
        command_run("mkdir -p d/deep d/.git && cp stale.c d/deep/a.c && cp stale.c d/.git/b.c && "
                    "cp clean.c d/c.cpp && cp lib.h d",
                    text),
        0);
    ck_assert_int_eq(guardlint("check d"), 1);
    says("d/deep/a.c:1:27: warning");
    says("2 units analysed");
    ck_assert_int_eq(guardlint("check d/ d/c.cpp ./d/c.cpp"), 1);
    says("2 units analysed");
}
END_TEST

START_TEST(files_are_excluded)
{
    text_write(".guardlint.yaml", "exclude: ['sta*', 'gen/*']\n");
    ck_assert_int_eq(guardlint("check stale.c clean.c"), 0);
    says("1 unit analysed (0 partial), 0 failed, 1 excluded");
}
END_TEST

START_TEST(a_header_by_itself)
{
    text_write("h.hpp", "class A { int f() { return 0; } }; // guardlint: allow(guard-leak) x\n");
    text_write("plain.h", "static inline int g(void) { int class = 0; return class; }\n");
    ck_assert_int_eq(guardlint("check h.hpp plain.h"), 1); // beside C sources, a .h is C
    says("h.hpp:1:36: warning");
    says("2 units analysed (0 partial)");
}
END_TEST

static void database_write(const char *command)
{
    char json[2048];
    snprintf(json, sizeof json,
             "[{\"directory\": \".\", \"command\": \"%s -c ../src/a.cu -o a.o\", \"file\": \"../src/a.cu\"}]",
             command);
    ck_assert_int_eq(command_run("mkdir -p build src/inc", text), 0);
    text_write("src/inc/own.h", "#ifdef FLAG\nint flagged(void);\n#endif\n");
    text_write("src/a.cu",
               "#include \"own.h\"\nint f() { return flagged(); } // guardlint: allow(guard-leak) x\n");
    text_write("build/compile_commands.json", json);
}

START_TEST(a_compile_database_of_nvcc)
{
    database_write(
        "/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler --generate-code=arch=compute_80,"
        "code=[compute_80,sm_80] -Xcompiler=-fPIC -rdc=true -lineinfo -use_fast_math -diag-suppress 177 "
        "--options-file options.rsp -DFLAG -std=c++17 -x cu");
    text_write("build/options.rsp", "-I../src/inc\n");
    ck_assert_int_eq(guardlint("check -p build"), 1);
    says("src/a.cu:2:31: warning: ");
    says("1 unit analysed (0 partial), 0 failed");
    ck_assert_int_eq(guardlint("check -p build src/a.cu"), 1);
    ck_assert_int_eq(guardlint("check src/a.cu -- -Isrc/inc -DFLAG"), 1);
    says("1 unit analysed (0 partial), 0 failed");
}
END_TEST

START_TEST(a_source_that_the_database_lacks_borrows_from_its_neighbour)
{
    database_write("g++ -I../src/inc -DFLAG");
    text_write("src/new.cpp", "#include \"own.h\"\nint g() { return flagged(); }\n");
    text_write("src/new.cuh", "#include \"own.h\"\ninline int h() { return flagged(); }\n");
    text_write("src/new.h", "#include \"own.h\"\ninline int h() { return flagged(); }\n");
    ck_assert_int_eq(guardlint("check -p build/compile_commands.json src/new.cpp src/new.cuh src/new.h"), 0);
    says("3 units analysed (0 partial), 0 failed");
}
END_TEST

START_TEST(an_option_file_that_is_missing_is_told)
{
    database_write("nvcc -DFLAG --options-file gone.rsp -I../src/inc");
    ck_assert_int_eq(guardlint("check -p build"), 1);
    says("src/a.cu: warning: option file '");
    says("build/gone.rsp' cannot be read: No such file or directory");
}
END_TEST

START_TEST(the_database_of_the_configuration)
{
    database_write("g++ -I../src/inc -DFLAG");
    text_write(".guardlint.yaml", "build: build\nargs: [-DMORE]\n");
    ck_assert_int_eq(guardlint("check src/a.cu"), 1);
    says("1 unit analysed (0 partial), 0 failed");
}
END_TEST

START_TEST(verify_compares_with_expectations)
{
    ck_assert_int_eq(
        command_run("mkdir v && cp lib.h lib.yaml v && echo 'rules: [lib.yaml]' >v/.guardlint.yaml", text),
        0);
    char code[1024];
    snprintf(code, sizeof code, "%.*s  // expect: released-before-launch\n}\n", (int)(strlen(buggy) - 3),
             buggy);
    text_write("v/good.c", code);
    ck_assert_int_eq(guardlint("check --verify v"), 0);
    says("v: 1 files, 1 findings as expected, 0 to do, 0 mismatches");
    text_write("v/missing.c", "int f(void); // expect: guard-leak, guard-leak\n");
    text_write("v/unexpected.c", buggy);
    text_write("v/todo.c", "int h(void); // expect-todo: guard-leak not written yet\n");
    text_write("v/unknown.c", "int i(void); // expect: guard-laek\n");
    ck_assert_int_eq(guardlint("check --verify v"), 1);
    says("v/missing.c:1: expected, but not found: [guard-leak]\nv/missing.c:1: expected, but not found: "
         "[guard-leak]\n");
    says("v/unexpected.c:7: column 12: not expected: ");
    says("v/unknown.c:1: unknown check 'guard-laek' is expected; did you mean guard-leak");
    says("v: 5 files, 1 findings as expected, 1 to do, 4 mismatches");
}
END_TEST

START_TEST(verify_wants_todo_unmarked_once_it_is_found)
{
    ck_assert_int_eq(mkdir("v", 0777), 0);
    text_write(
        "v/a.c",
        "int f(void); /* guardlint: allow(guard-leak) x */ // expect-todo: stale-suppression because\n");
    ck_assert_int_eq(guardlint("check --verify v"), 1);
    says("v/a.c:1: found, although marked expect-todo");
    text_write("v/a.c", "int f(void); // expect-todo: guard-leak\n");
    ck_assert_int_eq(guardlint("check --verify v"), 1);
    says("v/a.c:1: expect-todo: needs a reason");
}
END_TEST

START_TEST(verify_does_not_accept_what_is_not_analysed)
{
    ck_assert_int_eq(mkdir("v", 0777), 0);
    ck_assert_int_eq(guardlint("check --verify v"), 2);
    says("v: error: no source or .gir file lies in this folder or below it");
    text_write("v/a.c", "#include \"missing.h\"\n");
    ck_assert_int_eq(guardlint("check --verify v"), 1);
    says("v/a.c:1: not analysed: ");
}
END_TEST

START_TEST(verify_together_links_the_files_of_a_folder)
{
    ck_assert_int_eq(
        command_run("mkdir v && cp lib.h lib.yaml v && echo 'rules: [lib.yaml]' >v/.guardlint.yaml", text),
        0);
    text_write("v/helper.c", "#include \"lib.h\"\nvoid finish(struct guard *g) { lib_end(g); }\n");
    text_write("v/user.c",
               "#include \"lib.h\"\nvoid finish(struct guard *g);\n"
               "int f(struct slice *s, cudaStream_t stream)\n{\n    struct guard g;\n"
               "    const float *p = lib_begin(s, stream, &g);\n    finish(&g);\n"
               "    return cudaMemsetAsync((void *)p, 0, 4, stream); // expect: released-before-launch\n}\n");
    ck_assert_int_eq(guardlint("check --verify v"), 1);
    says("v/user.c:8: expected, but not found");
    text_write("v/.guardlint.yaml", "rules: [lib.yaml]\nverify-together: true\n");
    ck_assert_int_eq(guardlint("check --verify v"), 0);
}
END_TEST

START_TEST(rules_are_listed_tested_and_described)
{
    ck_assert_int_eq(guardlint("rules list lib.yaml"), 0);
    says("A library for this test.");
    says("cuda-runtime.yaml");
    ck_assert_int_eq(guardlint("rules schema"), 0);
    says("\"$schema\"");
    char file[4096];
    snprintf(file, sizeof file, "%sexamples:\n  - name: early\n    language: c\n    code: |\n      %s",
             lib_rules,
             "struct guard { int x; }; const float *lib_begin(void *, void *, struct guard *);\n"
             "      void lib_end(struct guard *);\n"
             "      void f(void *s) { // expect: guard-leak\n"
             "      }\n");
    text_write("lib.yaml", file);
    ck_assert_int_eq(guardlint("rules test lib.yaml"), 1);
    says("lib.yaml:14: expected, but not found: [guard-leak]");
    says("1 examples, 0 findings as expected, 0 to do, 1 mismatches");
}
END_TEST

START_TEST(help_and_version)
{
    ck_assert_int_eq(guardlint("--version"), 0);
    says("guardlint 0.");
    says("libclang");
    ck_assert_int_eq(guardlint("--help"), 0);
    says("guardlint check");
    ck_assert_int_eq(guardlint("check --help"), 0);
    says("--unit-timeout");
    says("Exit status: 0 clean");
    ck_assert_int_eq(guardlint("lower --help"), 0);
    ck_assert_int_eq(guardlint("explain"), 0);
    says("released-before-launch");
    says("bad-suppression");
    ck_assert_int_eq(guardlint("explain bad-suppression"), 0);
    says("Correct:");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cli_run");
    TCase *cases = tcase_create("runs");
    tcase_set_timeout(cases, 120);
    tcase_add_checked_fixture(cases, setup, folder_leave);
    tcase_add_test(cases, clean_is_0_and_findings_are_1);
    tcase_add_test(cases, findings_go_to_stdout_and_the_summary_last_to_stderr);
    tcase_add_test(cases, a_rule_file_on_the_command_line);
    tcase_add_test(cases, a_rule_file_in_the_configuration);
    tcase_add_test(cases, one_run_has_one_configuration);
    tcase_add_test(cases, shipped_examples);
    tcase_add_test(cases, a_suppression_hides_a_finding);
    tcase_add_test(cases, checks_are_switched);
    tcase_add_test(cases, a_report_goes_to_a_file);
    tcase_add_test(cases, colour_only_when_asked_or_on_a_terminal);
    tcase_add_test(cases, a_unit_as_ir);
    tcase_add_test(cases, a_folder_is_walked);
    tcase_add_test(cases, files_are_excluded);
    tcase_add_test(cases, a_header_by_itself);
    tcase_add_test(cases, a_compile_database_of_nvcc);
    tcase_add_test(cases, a_source_that_the_database_lacks_borrows_from_its_neighbour);
    tcase_add_test(cases, an_option_file_that_is_missing_is_told);
    tcase_add_test(cases, the_database_of_the_configuration);
    tcase_add_test(cases, verify_compares_with_expectations);
    tcase_add_test(cases, verify_wants_todo_unmarked_once_it_is_found);
    tcase_add_test(cases, verify_does_not_accept_what_is_not_analysed);
    tcase_add_test(cases, verify_together_links_the_files_of_a_folder);
    tcase_add_test(cases, rules_are_listed_tested_and_described);
    tcase_add_test(cases, help_and_version);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
