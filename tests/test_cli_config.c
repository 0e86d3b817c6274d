// SPDX-License-Identifier: Apache-2.0
// .guardlint.yaml and compile databases: what they say, and what is said about broken ones.
#include "cli/compdb.h"
#include "cli/config.h"
#include "cli/paths.h"
#include "suite.h"

#include <sys/stat.h>

static struct gl_arena arena;
static struct gl_diags diags;
static struct gl_config config;
static struct gl_compdb db;

static void setup(void)
{
    arena = (struct gl_arena){0};
    diags = (struct gl_diags){0};
    config = (struct gl_config){0};
    db = (struct gl_compdb){0};
    folder_enter();
}

static void teardown(void)
{
    folder_leave();
    gl_config_free(&config);
    gl_compdb_free(&db);
    gl_diags_free(&diags);
    gl_arena_free(&arena);
}

static bool config_parse(const char *text)
{
    return gl_config_parse(&config, &arena, "p/.guardlint.yaml", text, strlen(text), &diags);
}

static void diag_is(unsigned line, unsigned column, const char *words)
{
    ck_assert_uint_ge(diags.list.count, 1);
    const struct gl_diag *diag = &diags.list.items[0];
    ck_assert_msg(strstr(diag->message, words) || (diag->hint && strstr(diag->hint, words)), "%s",
                  diag->message);
    ck_assert_uint_eq(diag->line, line);
    ck_assert_uint_eq(diag->column, column);
}

START_TEST(config_says_everything)
{
    ck_assert(config_parse(
        "# comment\nrules: [a.yaml, cuda-runtime]\nenable: held-too-long\ndisable:\n  - guard-leak\n"
        "exclude: ['third_party/*', gen.cu]\nargs: [-DX, '-I inc']\nbuild: out\n"
        "unit-timeout: 7\nunit-memory: 99\nstrict: true\nverify-together: true\n"));
    ck_assert_uint_eq(config.rules.list.count, 2);
    ck_assert_str_eq(config.rules.list.items[1], "cuda-runtime");
    ck_assert_str_eq(config.enable.list.items[0], "held-too-long");
    ck_assert_str_eq(config.disable.list.items[0], "guard-leak");
    ck_assert_str_eq(config.args.list.items[1], "-I inc");
    ck_assert_str_eq(config.build, "out");
    ck_assert_uint_eq(config.unit_timeout, 7);
    ck_assert_uint_eq(config.unit_memory, 99);
    ck_assert(config.is_strict && config.verify_together);
    ck_assert(gl_config_excludes(&config, gl_path_absolute(&arena, "p/third_party/deep/x.cu")));
    ck_assert(gl_config_excludes(&config, gl_path_absolute(&arena, "p/gen.cu")));
    ck_assert(!gl_config_excludes(&config, gl_path_absolute(&arena, "p/src/gen.cu")));
    ck_assert(!gl_config_excludes(&config, "/elsewhere/gen.cu"));
}
END_TEST

START_TEST(config_may_be_empty)
{
    ck_assert(config_parse(""));
    ck_assert_uint_eq(config.rules.list.count, 0);
}
END_TEST

static const struct {
    const char *text;
    unsigned line, column;
    const char *words;
} broken_configs[] = {
    {"rules: [x]\nunit-timout: 3\n", 2, 1, "did you mean 'unit-timeout'?"},
    {"frobnicate: 3\n", 1, 1, "unknown key 'frobnicate'"},
    {"strict: maybe\n", 1, 9, "true or false"},
    {"unit-timeout: -3\n", 1, 15, "a number"},
    {"unit-timeout: 3s\n", 1, 15, "a number"},
    {"unit-memory: [1]\n", 1, 14, "a number"},
    {"rules: {a: b}\n", 1, 8, "a list"},
    {"rules: [[a]]\n", 1, 9, "a text"},
    {"build: [a]\n", 1, 8, "a text"},
    {"- rules\n", 1, 1, "keys and values"},
    {"strict: true\nstrict: true\n", 2, 1, "twice"},
    {"rules: [a\n", 2, 1, "no valid YAML"},
    {"? [a]\n: b\n", 1, 3, "a key"},
};

START_TEST(config_errors_have_positions)
{
    ck_assert(!config_parse(broken_configs[_i].text));
    diag_is(broken_configs[_i].line, broken_configs[_i].column, broken_configs[_i].words);
}
END_TEST

START_TEST(config_is_found_upward)
{
    ck_assert_int_eq(mkdir("a", 0777), 0);
    ck_assert_int_eq(mkdir("a/b", 0777), 0);
    ck_assert_int_eq(mkdir("a/b/c", 0777), 0);
    text_write("a/.guardlint.yaml", "");
    text_write("a/b/c/x.cu", "");
    const char *expected = gl_path_absolute(&arena, "a/.guardlint.yaml");
    ck_assert_str_eq(gl_config_find(&arena, "a/b/c/x.cu"), expected);
    ck_assert_str_eq(gl_config_find(&arena, "a/b"), expected);
    ck_assert_str_eq(gl_config_find(&arena, "a"), expected);
    ck_assert_ptr_null(gl_config_find(&arena, "."));
}
END_TEST

START_TEST(database_of_commands_and_arguments)
{
    text_write("a.cu", "");
    text_write("compile_commands.json",
               "[{\"directory\": \".\", \"command\": \"nvcc -DA='x y' -c a.cu\", \"file\": \"a.cu\"},\n"
               " {\"directory\": \"sub\", \"arguments\": [\"g++\", \"-DB\", \"../b.cpp\"], \"file\": "
               "\"../b.cpp\"},\n"
               " {\"directory\": \".\", \"command\": \"nvcc -DSECOND -c a.cu\", \"file\": \"a.cu\"}]");
    ck_assert(gl_compdb_read(&db, &arena, ".", &diags));
    ck_assert_uint_eq(db.entries.count, 2);
    const struct gl_compile_entry *a = gl_compdb_find(&db, gl_path_absolute(&arena, "a.cu"));
    const struct gl_compile_entry *b = gl_compdb_find(&db, gl_path_absolute(&arena, "b.cpp"));
    ck_assert_ptr_nonnull(a);
    ck_assert_str_eq(a->command.list.items[1], "-DA=x y");
    ck_assert_ptr_nonnull(b);
    ck_assert_str_eq(b->command.list.items[1], "-DB");
    ck_assert_ptr_null(gl_compdb_find(&db, "/nowhere/a.cu"));
    ck_assert_ptr_eq(gl_compdb_nearest(&db, gl_path_absolute(&arena, "a.cuh")), a);
    ck_assert_ptr_eq(gl_compdb_nearest(&db, gl_path_absolute(&arena, "b.h")), b);
}
END_TEST

static const struct {
    const char *text;
    unsigned line, column;
    const char *words;
} broken_databases[] = {
    {"[{\"directory\": \".\", \"command\": \"g++ a.cpp\",\n \"file\": \"a.cpp\"},\n {\"direct", 3, 9,
     "no valid JSON"},
    {"", 1, 1, "no valid JSON"},
    {"{\"a\": 1}", 1, 1, "no array"},
    {"[3]", 0, 0, "entry 1"},
    {"[{\"directory\": \".\", \"command\": \"g++ a.cpp\"}]", 0, 0, "no \"file\""},
    {"[{\"directory\": \".\", \"file\": \"a.cpp\"}]", 0, 0, "neither"},
    {"[{\"directory\": \".\", \"file\": \"a.cpp\", \"arguments\": [1]}]", 0, 0, "neither"},
};

START_TEST(database_errors_have_positions)
{
    text_write("compile_commands.json", broken_databases[_i].text);
    ck_assert(!gl_compdb_read(&db, &arena, "compile_commands.json", &diags));
    diag_is(broken_databases[_i].line, broken_databases[_i].column, broken_databases[_i].words);
}
END_TEST

START_TEST(database_that_is_missing)
{
    ck_assert(!gl_compdb_read(&db, &arena, ".", &diags));
    diag_is(0, 0, "cannot be read");
    ck_assert_ptr_nonnull(strstr(diags.list.items[0].hint, "CMAKE_EXPORT_COMPILE_COMMANDS"));
}
END_TEST

START_TEST(paths_are_computed)
{
    ck_assert_str_eq(gl_path_join(&arena, "a/", "b"), "a/b");
    ck_assert_str_eq(gl_path_join(&arena, "a", "/b"), "/b");
    ck_assert_str_eq(gl_path_join(&arena, "", "b"), "b");
    ck_assert_str_eq(gl_path_folder(&arena, "/b"), "/");
    ck_assert_str_eq(gl_path_folder(&arena, "b"), ".");
    ck_assert_str_eq(gl_path_absolute(&arena, "/no/such/../x/./y//z"), "/no/x/y/z");
    ck_assert_str_eq(gl_path_absolute(&arena, "/no/../../.."), "/");
    ck_assert_str_eq(gl_path_below("/a/b", "/a/b/c"), "c");
    ck_assert_str_eq(gl_path_below("/a/b", "/a/bc"), "/a/bc");
    ck_assert_str_eq(gl_path_below("/", "/a"), "a");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cli_config");
    TCase *cases = tcase_create("config");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, config_says_everything);
    tcase_add_test(cases, config_may_be_empty);
    tcase_add_loop_test(cases, config_errors_have_positions, 0, GL_COUNT(broken_configs));
    tcase_add_test(cases, config_is_found_upward);
    tcase_add_test(cases, database_of_commands_and_arguments);
    tcase_add_loop_test(cases, database_errors_have_positions, 0, GL_COUNT(broken_databases));
    tcase_add_test(cases, database_that_is_missing);
    tcase_add_test(cases, paths_are_computed);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
