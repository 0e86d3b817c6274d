// SPDX-License-Identifier: Apache-2.0
// Compile commands → clang arguments: every nvcc flag of testdata/cli/nvcc-flags.tsv, and gcc's and clang's.
#include "base/file.h"
#include "cli/args.h"
#include "suite.h"

static struct gl_arena arena;
static struct gl_diags diags;

static void setup(void)
{
    arena = (struct gl_arena){0};
    diags = (struct gl_diags){0};
}

static void teardown(void)
{
    gl_diags_free(&diags);
    gl_arena_free(&arena);
}

// The translation of a command line as one text.
static const char *translate(const char *command, struct gl_args *out_args)
{
    struct gl_words words = {0};
    ck_assert(gl_words_split(&arena, command, &words));
    *out_args = gl_args_translate(&arena, &words, GL_TESTDATA "/cli", "a.cu", &diags);
    const char *text = "";
    for (size_t i = 0; i < out_args->words.list.count; i++)
        text = gl_arena_printf(&arena, "%s%s%s", text, i ? " " : "", out_args->words.list.items[i]);
    GL_VEC_FREE(&words.list);
    return text;
}

static void expect(const char *command, const char *expected)
{
    struct gl_args args;
    ck_assert_str_eq(translate(command, &args), expected);
    gl_args_free(&args);
}

// A row is "flag TAB clang arguments"; the macro after the flag must survive it.
static void row_check(char *row)
{
    char *tab = strchr(row, '\t');
    ck_assert_msg(tab != NULL, "no tab in: %s", row);
    *tab = '\0';
    struct gl_args args;
    const char *got = translate(gl_arena_printf(&arena, "nvcc %s -DNEXT -c a.cu -o a.o", row), &args);
    const char *want = gl_arena_printf(&arena, "%s%s-DNEXT", tab + 1, tab[1] ? " " : "");
    ck_assert_msg(strcmp(got, want) == 0, "%s: got '%s', want '%s'", row, got, want);
    gl_args_free(&args);
}

START_TEST(every_nvcc_flag_of_the_table)
{
    size_t size, rows = 0;
    char *text = gl_file_read(GL_TESTDATA "/cli/nvcc-flags.tsv", &size);
    ck_assert_ptr_nonnull(text);
    char *save = NULL;
    for (char *row = strtok_r(text, "\n", &save); row; row = strtok_r(NULL, "\n", &save)) {
        if (*row == '#')
            continue;
        row_check(row);
        rows++;
    }
    ck_assert_uint_ge(rows, 104);
    ck_assert_uint_eq(diags.list.count, 0);
    free(text);
}
END_TEST

START_TEST(language_of_nvcc)
{
    const char *const commands[] = {"nvcc -x cu a.cpp", "nvcc -x=cu a.cpp", "nvcc --x=cu a.cpp",
                                    "nvcc --x cu a.cpp"};
    for (size_t i = 0; i < GL_COUNT(commands); i++) {
        struct gl_args args;
        translate(commands[i], &args);
        ck_assert_ptr_nonnull(args.language);
        ck_assert_str_eq(args.language, "cuda");
        gl_args_free(&args);
    }
}
END_TEST

START_TEST(default_stream_per_thread)
{
    static const struct {
        const char *command;
        bool is_per_thread;
    } cases[] = {
        {"nvcc --default-stream=per-thread a.cu", true},
        {"nvcc --default-stream per-thread a.cu", true},
        {"nvcc -default-stream=per-thread a.cu", true},
        {"nvcc --default-stream=legacy a.cu", false},
        {"nvcc --default-stream=null a.cu", false},
        {"g++ -DCUDA_API_PER_THREAD_DEFAULT_STREAM a.cpp", true},
        {"clang++ -D CUDA_API_PER_THREAD_DEFAULT_STREAM=1 a.cu", true},
        {"nvcc -Xcompiler=-DCUDA_API_PER_THREAD_DEFAULT_STREAM a.cu", true},
        {"g++ -DCUDA_API_PER_THREAD_DEFAULT_STREAM_NOT a.cpp", false},
        {"nvcc a.cu", false},
    };
    for (size_t i = 0; i < GL_COUNT(cases); i++) {
        struct gl_args args;
        translate(cases[i].command, &args);
        ck_assert_msg(args.per_thread_default_stream == cases[i].is_per_thread, "%s", cases[i].command);
        gl_args_free(&args);
    }
}
END_TEST

START_TEST(compilers_are_known_by_name)
{
    ck_assert_int_eq(gl_compiler_of("/usr/local/cuda-13.0/bin/nvcc"), GL_COMPILER_NVCC);
    ck_assert_int_eq(gl_compiler_of("clang++-19"), GL_COMPILER_CLANG);
    ck_assert_int_eq(gl_compiler_of("/opt/nvcc/bin/x86_64-linux-gnu-g++-12"), GL_COMPILER_GCC);
    ck_assert_int_eq(gl_compiler_of("cc"), GL_COMPILER_GCC);
}
END_TEST

START_TEST(launchers_stand_before_compilers)
{
    expect("ccache nvcc --extended-lambda -arch sm_80 a.cu", "-D__CUDACC_EXTENDED_LAMBDA__");
    expect("/usr/bin/sccache distcc g++ -fno-tree-vectorize -DX a.cpp", "-DX");
}
END_TEST

START_TEST(options_of_gcc)
{
    expect(
        "g++ -std=gnu++17 -O2 -g -Wall -Werror -fno-strict-aliasing -fdiagnostics-color=always -fconcepts "
        "-mno-avx256-split-unaligned-load -I inc -Iinc2 -isystem sys -MD -MT a.o -MF a.d -o a.o -c a.cpp -DX",
        "-std=gnu++17 -O2 -I inc -Iinc2 -isystem sys -DX");
    expect("gcc --param max-inline-insns=3 -Wl,-rpath,/x -L/lib -lm -pthread a.c -UX", "-pthread -UX");
    expect("gcc -include config.h -iquote q -idirafter r a.c", "-include config.h -iquote q -idirafter r");
    expect("gcc -include-pch x.pch -DX a.c", "-DX");
    expect("gcc -march=native -mavx2 -march=foo a.c", "-march=native -mavx2");
}
END_TEST

START_TEST(options_of_clang)
{
    expect("clang++ --cuda-gpu-arch=sm_80 --cuda-path=/cuda -fblocks -Xclang -fallow-half -DX -c a.cu -o a.o",
           "--cuda-path=/cuda -fblocks -Xclang -fallow-half -DX");
    expect("clang++ -Xclang -include-pch -Xclang /b/x.pch -Xclang -include -Xclang /b/x.hxx a.cpp",
           "-Xclang -include -Xclang /b/x.hxx");
    expect("clang -fsanitize=address -fprofile-instr-generate -flto=thin -DX a.c", "-DX");
    expect("clang -fopenmp -DX a.c", "-DX");
}
END_TEST

START_TEST(option_files)
{
    expect("nvcc --options-file options.rsp -DLAST a.cu",
           "-Ione -isystem two three -DIN_FILE=\"a b\" -DNESTED -DLAST");
    expect("nvcc -optf=options.rsp a.cu", "-Ione -isystem two three -DIN_FILE=\"a b\" -DNESTED");
    expect("g++ @host.rsp -DLAST a.cpp", "-DNESTED -DLAST");
    ck_assert_uint_eq(diags.list.count, 0);
}
END_TEST

START_TEST(option_files_that_cannot_be_read)
{
    expect("nvcc --options-file missing.rsp -DLAST a.cu", "-DLAST");
    ck_assert_uint_eq(diags.list.count, 1);
    ck_assert_ptr_nonnull(strstr(diags.list.items[0].message, "missing.rsp"));
    expect("g++ @loop.rsp -DLAST a.cpp", "-DLOOP -DLOOP -DLOOP -DLOOP -DLOOP -DLOOP -DLOOP -DLOOP -DLAST");
    ck_assert_ptr_nonnull(strstr(diags.list.items[1].message, "nested too deeply"));
}
END_TEST

START_TEST(a_value_that_is_missing)
{
    expect("nvcc -DX -I", "-DX");
    expect("g++ -DX -isystem", "-DX");
    expect("nvcc -DX -Xcompiler", "-DX");
    expect("nvcc", "");
    expect("", "");
}
END_TEST

START_TEST(words_are_split_as_shells_do)
{
    struct gl_words words = {0};
    ck_assert(gl_words_split(&arena, " a 'b c' \"d \\\"e\\\" \\n\" f\\ g '' \\\n h'i'\"j\" ", &words));
    const char *const expected[] = {"a", "b c", "d \"e\" \\n", "f g", "", "hij"};
    ck_assert_uint_eq(words.list.count, GL_COUNT(expected));
    for (size_t i = 0; i < GL_COUNT(expected); i++)
        ck_assert_str_eq(words.list.items[i], expected[i]);
    GL_VEC_FREE(&words.list);
    ck_assert(!gl_words_split(&arena, "a 'b", &words));
    ck_assert_uint_eq(words.list.count, 2);
    ck_assert_str_eq(words.list.items[1], "b");
    GL_VEC_FREE(&words.list);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cli_args");
    TCase *cases = tcase_create("args");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, every_nvcc_flag_of_the_table);
    tcase_add_test(cases, language_of_nvcc);
    tcase_add_test(cases, default_stream_per_thread);
    tcase_add_test(cases, compilers_are_known_by_name);
    tcase_add_test(cases, launchers_stand_before_compilers);
    tcase_add_test(cases, options_of_gcc);
    tcase_add_test(cases, options_of_clang);
    tcase_add_test(cases, option_files);
    tcase_add_test(cases, option_files_that_cannot_be_read);
    tcase_add_test(cases, a_value_that_is_missing);
    tcase_add_test(cases, words_are_split_as_shells_do);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
