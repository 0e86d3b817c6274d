// SPDX-License-Identifier: Apache-2.0
// Bad input of every kind, through the real program: the message names the place and what to do, the exit
// status is the right one, and what else was given is still analysed.
#include "suite.h"

#include <sys/stat.h>

static char text[GL_TEST_TEXT];

static void setup(void)
{
    folder_enter();
    text_write("good.c", "int good(int a) { return a; }\n");
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

START_TEST(a_file_that_is_not_there)
{
    ck_assert_int_eq(guardlint("check missing.c good.c"), 3);
    says("missing.c: error: not analysed: cannot be read: No such file or directory");
    says("missing.c: note: check the path");
    says("1 unit analysed (0 partial), 1 failed");
}
END_TEST

START_TEST(a_file_that_must_not_be_read)
{
    text_write("secret.c", "int x;\n");
    ck_assert_int_eq(chmod("secret.c", 0), 0);
    if (access("secret.c", R_OK) == 0)
        return; // the superuser reads everything
    ck_assert_int_eq(guardlint("check secret.c"), 3);
    says("secret.c: error: not analysed: cannot be read: Permission denied");
}
END_TEST

START_TEST(a_link_that_leads_nowhere)
{
    ck_assert_int_eq(symlink("nowhere", "link.cu"), 0);
    ck_assert_int_eq(guardlint("check link.cu"), 3);
    says("link.cu: error: not analysed: cannot be read");
}
END_TEST

START_TEST(a_folder_without_sources)
{
    ck_assert_int_eq(mkdir("empty", 0777), 0);
    text_write("empty/README", "nothing\n");
    ck_assert_int_eq(guardlint("check empty"), 3);
    says("empty: error: not analysed: no source file lies in this folder or below it");
    says("empty: note: sources end in .c, .cc, .cpp, .cxx, .cu or .gir");
}
END_TEST

START_TEST(a_file_that_does_not_parse)
{
    text_write("broken.c", "int ok(void) { return 0; }\nint f(void) { return 1 +; }\n");
    ck_assert_int_eq(guardlint("check broken.c good.c"), 3);
    says("broken.c:2:25: error: analysed in part: ");
    says("2 units analysed (1 partial), 0 failed");
}
END_TEST

START_TEST(a_file_that_is_no_source_at_all)
{
    text_write("notes.txt", "hello\n");
    ck_assert_int_eq(guardlint("check notes.txt"), 3);
    says("notes.txt: error: not analysed: is no C, C++ or CUDA source by its name");
    text_write("code.txt", "int x;\n");
    ck_assert_int_eq(guardlint("check code.txt -- -x c"), 0);
}
END_TEST

START_TEST(a_header_that_is_missing)
{
    text_write("a.cu", "#include \"no/such/header.h\"\nint f(void) { return 1; }\n");
    ck_assert_int_eq(guardlint("check a.cu"), 0);
    says("a.cu:1:10: warning: analysed in part: ");
    says("no/such/header.h");
    says("a.cu:1:10: note: ");
    says("(1 partial)");
    ck_assert_int_eq(guardlint("check --strict a.cu"), 3);
}
END_TEST

START_TEST(an_empty_file)
{
    text_write("empty.c", "");
    text_write("empty.cpp", "");
    text_write("empty.cu", "");
    ck_assert_int_eq(guardlint("check empty.c empty.cpp empty.cu"), 0);
    says("3 units analysed (0 partial), 0 failed; 0 findings");
}
END_TEST

START_TEST(a_file_of_ten_megabytes)
{
    FILE *stream = fopen("big.c", "w");
    ck_assert_ptr_nonnull(stream);
    fputs("static const int table[] = {\n", stream);
    for (int i = 0; ftell(stream) < 10 << 20; i++)
        fprintf(stream, "    %d, /* a comment that makes the line longer than a number is by itself */\n", i);
    fputs("};\nint at(int i) { return table[i]; }\n", stream);
    fclose(stream);
    ck_assert_int_eq(guardlint("check big.c"), 0);
    says("1 unit analysed (0 partial), 0 failed");
}
END_TEST

START_TEST(a_rule_file_that_is_broken)
{
    text_write("broken.yaml", "library: x\ncals:\n  - name: f\n");
    ck_assert_int_eq(guardlint("check --rules broken.yaml good.c"), 2);
    says("broken.yaml:2:1: error: ");
    says("calls");
    ck_assert_int_eq(guardlint("check --rules missing.yaml good.c"), 2);
    says("missing.yaml");
    text_write("torn.yaml", "library: [x\n");
    ck_assert_int_eq(guardlint("check --rules torn.yaml good.c"), 2);
    says("torn.yaml:2:");
}
END_TEST

START_TEST(an_unknown_check_in_a_suppression)
{
    text_write("a.c", "int f(void)\n{\n    // guardlint: allow(guard-laek) why\n    return 0;\n}\n");
    ck_assert_int_eq(guardlint("check a.c"), 1);
    says("a.c:3:5: error: unknown check 'guard-laek' in a suppression; did you mean 'guard-leak'? "
         "[bad-suppression]");
}
END_TEST

START_TEST(an_unknown_check_on_the_command_line)
{
    ck_assert_int_eq(guardlint("check --disable guard-laek good.c"), 2);
    says("unknown check 'guard-laek'; did you mean 'guard-leak'?");
    ck_assert_int_eq(guardlint("explain guard-laek"), 2);
    says("did you mean 'guard-leak'?");
}
END_TEST

START_TEST(bytes_that_are_no_utf8)
{
    text_write(
        "latin.c",
        "// caf\xe9\nconst char *f(void) { return \"\xff\xfe\"; } // guardlint: allow(guard-leak) \xe9\n");
    ck_assert_int_eq(guardlint("check latin.c"), 1);
    says("latin.c:2:");
    says("[stale-suppression]");
    ck_assert_int_eq(guardlint("check --format json latin.c"), 1);
    says("\"check\": \"stale-suppression\"");
}
END_TEST

START_TEST(line_ends_of_dos)
{
    text_write("dos.c", "int f(void)\r\n{\r\n    return 0; // guardlint: allow(guard-leak) reason\r\n}\r\n");
    ck_assert_int_eq(guardlint("check dos.c"), 1);
    says("dos.c:3:15: warning: nothing here is reported as guard-leak");
    says_not("\r");
}
END_TEST

START_TEST(paths_with_blanks_and_colons)
{
    ck_assert_int_eq(mkdir("a folder:1:2", 0777), 0);
    text_write("a folder:1:2/my file: x.c", "int f(void) { return 0; } // guardlint: allow(guard-leak) x\n");
    ck_assert_int_eq(guardlint("check 'a folder:1:2/my file: x.c'"), 1);
    says("a folder:1:2/my file: x.c:1:27: warning: ");
    ck_assert_int_eq(guardlint("check 'a folder:1:2'"), 1);
    says("a folder:1:2/my file: x.c:1:27: warning: ");
}
END_TEST

START_TEST(ir_that_is_broken)
{
    text_write("broken.gir", "gir 1\nunit \"x.c\" c\nfunc \"f\"\n  frobnicate\n");
    ck_assert_int_eq(guardlint("check broken.gir good.c"), 3);
    says("broken.gir: error: not analysed: its IR is broken: 4:3: ");
    says("1 unit analysed (0 partial), 1 failed");
}
END_TEST

START_TEST(a_compile_database_that_is_cut_off)
{
    text_write("compile_commands.json", "[{\"directory\": \".\",\n \"command\": \"cc good.c\", \"fi");
    ck_assert_int_eq(guardlint("check -p ."), 2);
    says("compile_commands.json:2:");
    says("error: the compile database is no valid JSON");
    ck_assert_int_eq(guardlint("check -p nowhere good.c"), 2);
    says("nowhere: error: the compile database cannot be read");
}
END_TEST

START_TEST(a_configuration_that_is_broken)
{
    text_write(".guardlint.yaml", "rules: []\nexclud: [x]\n");
    ck_assert_int_eq(guardlint("check good.c"), 2);
    says(".guardlint.yaml:2:1: error: unknown key 'exclud'");
    says("did you mean 'exclude'?");
    ck_assert_int_eq(guardlint("check --no-config good.c"), 0);
}
END_TEST

static const struct {
    const char *arguments, *words;
} wrong_usages[] = {
    {"", "guardlint check"},
    {"frobnicate", "unknown command 'frobnicate'"},
    {"chek good.c", "did you mean 'check'?"},
    {"check", "nothing to check"},
    {"check --frobnicate good.c", "unrecognized option '--frobnicate'"},
    {"check --format jsn good.c", "did you mean 'json'?"},
    {"check -j 0 good.c", "-j takes a number"},
    {"check --unit-timeout -3 good.c", "--unit-timeout takes a number"},
    {"check --color=blue good.c", "--color takes auto, always or never"},
    {"check --dump=ast good.c", "--dump takes ir"},
    {"check --verify . good.c", "takes no further files"},
    {"lower good.c", "give one source file and -o FILE.gir"},
    {"rules", "Usage: guardlint rules"},
    {"rules frobnicate", "Usage: guardlint rules"},
    {"explain a b", "one check is expected"},
    {"check -o no/such/folder/x good.c", "the report cannot be written to no/such/folder/x: No such file"},
};

START_TEST(wrong_usage)
{
    ck_assert_int_eq(guardlint(wrong_usages[_i].arguments), 2);
    says(wrong_usages[_i].words);
}
END_TEST

START_TEST(a_report_that_cannot_be_written)
{
    text_write("a.c", "int f(void) { return 0; } // guardlint: allow(guard-leak) x\n");
    ck_assert_int_eq(guardlint("check --format json a.c > /dev/full"), 2);
    says("cannot be written to standard output: No space left on device");
}
END_TEST

START_TEST(a_front_end_that_is_missing)
{
    ck_assert_int_eq(guardlint("check --frontend /no/such/program good.c"), 3);
    says("good.c: error: not analysed: the front end '/no/such/program' cannot be started");
}
END_TEST

START_TEST(a_unit_that_hangs_or_crashes)
{
    text_write("hang.c", "");
    text_write("crash.c", "");
    char command[4096];
    snprintf(command, sizeof command, "check --frontend %s --unit-timeout 1 -j 2 hang.c crash.c good.c",
             GL_FAKE_FRONTEND);
    ck_assert_int_eq(guardlint(command), 3);
    says("hang.c: error: not analysed: not parsed and lowered within 1 s");
    says("crash.c: error: not analysed: the front end crashed: Segmentation fault");
    says("1 unit analysed (0 partial), 2 failed");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cli_bad_input");
    TCase *cases = tcase_create("bad input");
    tcase_set_timeout(cases, 120);
    tcase_add_checked_fixture(cases, setup, folder_leave);
    tcase_add_test(cases, a_file_that_is_not_there);
    tcase_add_test(cases, a_file_that_must_not_be_read);
    tcase_add_test(cases, a_link_that_leads_nowhere);
    tcase_add_test(cases, a_folder_without_sources);
    tcase_add_test(cases, a_file_that_does_not_parse);
    tcase_add_test(cases, a_file_that_is_no_source_at_all);
    tcase_add_test(cases, a_header_that_is_missing);
    tcase_add_test(cases, an_empty_file);
    tcase_add_test(cases, a_file_of_ten_megabytes);
    tcase_add_test(cases, a_rule_file_that_is_broken);
    tcase_add_test(cases, an_unknown_check_in_a_suppression);
    tcase_add_test(cases, an_unknown_check_on_the_command_line);
    tcase_add_test(cases, bytes_that_are_no_utf8);
    tcase_add_test(cases, line_ends_of_dos);
    tcase_add_test(cases, paths_with_blanks_and_colons);
    tcase_add_test(cases, ir_that_is_broken);
    tcase_add_test(cases, a_compile_database_that_is_cut_off);
    tcase_add_test(cases, a_configuration_that_is_broken);
    tcase_add_loop_test(cases, wrong_usage, 0, sizeof wrong_usages / sizeof wrong_usages[0]);
    tcase_add_test(cases, a_report_that_cannot_be_written);
    tcase_add_test(cases, a_front_end_that_is_missing);
    tcase_add_test(cases, a_unit_that_hangs_or_crashes);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
