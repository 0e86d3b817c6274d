// SPDX-License-Identifier: Apache-2.0
// The front end as a program: golden files, the worker protocol, header modes, bad input.
//
// Each testdata/frontend/NAME.{c,cpp,cu} is lowered with the built-in headers; the text must be NAME.gir, or,
// where an older libclang shows less, NAME.llvmNN.gir. GUARDLINT_UPDATE_GOLDEN=1 writes what came out.
#define _GNU_SOURCE // open_memstream
#include "base/arena.h"
#include "base/diag.h"
#include "base/worker_protocol.h"
#include "ir/check.h"
#include "ir/text.h"

#include <check.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char folder[] = GL_TESTDATA "/frontend";

// ---- running the program ---------------------------------------------------------------------------------

static char *read_stream(FILE *stream, size_t *out_size)
{
    char *text = NULL;
    FILE *memory = open_memstream(&text, out_size);
    char buffer[65536];
    size_t count;
    while ((count = fread(buffer, 1, sizeof buffer, stream)) > 0)
        fwrite(buffer, 1, count, memory);
    fclose(memory);
    return text;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    size_t size;
    char *text = read_stream(file, &size);
    fclose(file);
    return text;
}

// Runs a shell command line; returns what it printed.
static char *run(int *out_status, const char *format, ...) __attribute__((format(printf, 2, 3)));
static char *run(int *out_status, const char *format, ...)
{
    char command[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    size_t size;
    char *text = read_stream(pipe, &size);
    int status = pclose(pipe);
    *out_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return text;
}

static char *lower(const char *arguments)
{
    int status;
    char *text = run(&status, "cd '%s' && '%s' --lower - --cuda-headers=builtin %s 2>&1", folder, GL_FRONTEND,
                     arguments);
    ck_assert_msg(status == 0, "status %d: %s", status, text);
    return text;
}

static int libclang_major(void)
{
    int status, major = 0;
    char *text = run(&status, "'%s' --version", GL_FRONTEND);
    const char *version = strstr(text, "clang version ");
    ck_assert_ptr_nonnull(version);
    major = atoi(version + strlen("clang version "));
    free(text);
    return major;
}

// ---- IR of a run -----------------------------------------------------------------------------------------

struct parsed {
    struct gl_strings *strings;
    struct gl_ir_program *program;
    const struct gl_ir_unit *unit;
};

static void check_parsed(const struct parsed *parsed, const char *name)
{
    struct gl_diags diags = {0};
    if (!gl_ir_check_unit(parsed->unit, &diags)) {
        gl_diags_print(&diags, stderr);
        ck_abort_msg("%s: the IR is malformed", name);
    }
    gl_diags_free(&diags);
}

static struct parsed parse(const char *name, const char *text)
{
    struct parsed parsed = {.strings = gl_strings_create()};
    parsed.program = gl_ir_program_create(parsed.strings);
    struct gl_diags diags = {0};
    bool ok = gl_ir_parse(parsed.program, name, text, strlen(text), &diags);
    if (!ok)
        gl_diags_print(&diags, stderr);
    gl_diags_free(&diags);
    ck_assert_msg(ok && gl_ir_unit_count(parsed.program) == 1, "%s: the text does not parse", name);
    parsed.unit = gl_ir_unit_at(parsed.program, 0);
    check_parsed(&parsed, name);
    return parsed;
}

static void parsed_free(struct parsed *parsed)
{
    gl_ir_program_destroy(parsed->program);
    gl_strings_destroy(parsed->strings);
}

static struct parsed parse_lowered(const char *arguments)
{
    char *text = lower(arguments);
    struct parsed parsed = parse(arguments, text);
    free(text);
    return parsed;
}

static const struct gl_ir_problem *problem_of(const struct parsed *parsed, const char *kind)
{
    for (size_t i = 0; i < parsed->unit->problems.count; i++)
        if (strcmp(parsed->unit->problems.items[i].kind, kind) == 0)
            return &parsed->unit->problems.items[i];
    return NULL;
}

// A source of its own for one test.
static void write_source(char *path, size_t size, const char *suffix, const char *text)
{
    const char *folder_name = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
    snprintf(path, size, "%s/guardlint-test-XXXXXX%s", folder_name, suffix);
    int fd = mkstemps(path, (int)strlen(suffix));
    ck_assert_int_ge(fd, 0);
    FILE *file = fdopen(fd, "w");
    fputs(text, file);
    fclose(file);
}

static struct parsed parse_text(const char *suffix, const char *text, const char *arguments)
{
    char path[256], command[1024];
    write_source(path, sizeof path, suffix, text);
    snprintf(command, sizeof command, "'%s' %s", path, arguments);
    struct parsed parsed = parse_lowered(command);
    unlink(path);
    return parsed;
}

// ---- golden files ----------------------------------------------------------------------------------------

static bool is_source(const char *name)
{
    static const char *const suffixes[] = {".c", ".cpp", ".cu"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < GL_COUNT(suffixes); i++)
        if (strcmp(dot, suffixes[i]) == 0)
            return true;
    return false;
}

static void golden_path(char *path, size_t size, const char *source, int major)
{
    int stem = (int)(strrchr(source, '.') - source);
    snprintf(path, size, "%s/%.*s.llvm%d.gir", folder, stem, source, major);
    if (access(path, R_OK) != 0)
        snprintf(path, size, "%s/%.*s.gir", folder, stem, source);
}

static void write_golden(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static size_t first_difference(const char *a, const char *b)
{
    size_t line = 1;
    for (; *a && *a == *b; a++, b++)
        line += *a == '\n';
    return line;
}

static bool golden_matches(const char *source, int major)
{
    char path[512];
    golden_path(path, sizeof path, source, major);
    char *text = lower(source), *expected = read_file(path);
    struct parsed parsed = parse(source, text);
    parsed_free(&parsed);
    bool is_same = expected && strcmp(text, expected) == 0;
    if (!is_same && getenv("GUARDLINT_UPDATE_GOLDEN"))
        write_golden(path, text);
    else if (!is_same)
        fprintf(stderr, "%s: not as in %s, from its line %zu on\n", source, path,
                expected ? first_difference(text, expected) : 0);
    is_same |= getenv("GUARDLINT_UPDATE_GOLDEN") != NULL;
    free(text);
    free(expected);
    return is_same;
}

START_TEST(golden_files)
{
    DIR *directory = opendir(folder);
    ck_assert_ptr_nonnull(directory);
    int major = libclang_major();
    size_t count = 0, failed = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (!is_source(entry->d_name))
            continue;
        count++;
        failed += !golden_matches(entry->d_name, major);
    }
    closedir(directory);
    ck_assert_uint_ge(count, 10);
    ck_assert_uint_eq(failed, 0);
}
END_TEST

// ---- problems --------------------------------------------------------------------------------------------

START_TEST(missing_header_is_named)
{
    struct parsed parsed = parse_text(".c", "#include \"nowhere/at_all.h\"\nint f(void) { return 1; }\n", "");
    const struct gl_ir_problem *problem = problem_of(&parsed, "missing-header");
    ck_assert_ptr_nonnull(problem);
    ck_assert_str_eq(problem->message, "the header 'nowhere/at_all.h' was not found");
    ck_assert_ptr_nonnull(problem->hint);
    ck_assert_uint_eq(problem->loc.line, 1);
    ck_assert_int_eq(parsed.unit->status, GL_UNIT_PARTIAL);
    ck_assert_uint_eq(parsed.unit->funcs.count, 1);
    parsed_free(&parsed);
}
END_TEST

START_TEST(nothing_to_lower_fails)
{
    struct parsed parsed = parse_text(".c", "this is not C at all;\n", "");
    ck_assert_int_eq(parsed.unit->status, GL_UNIT_FAILED);
    ck_assert_ptr_nonnull(problem_of(&parsed, "parse-error"));
    parsed_free(&parsed);
}
END_TEST

START_TEST(unreadable_file_fails)
{
    struct parsed parsed = parse_lowered("no-such-file.c");
    ck_assert_int_eq(parsed.unit->status, GL_UNIT_FAILED);
    ck_assert_ptr_nonnull(problem_of(&parsed, "unreadable"));
    parsed_free(&parsed);
}
END_TEST

START_TEST(bad_argument_is_named)
{
    struct parsed parsed = parse_text(".c", "int f(void) { return 1; }\n", "-- -DOK -std=c++99 -DALSO");
    const struct gl_ir_problem *problem = problem_of(&parsed, "bad-argument");
    ck_assert_int_eq(parsed.unit->status, GL_UNIT_FAILED);
    ck_assert_ptr_nonnull(problem);
    ck_assert_ptr_nonnull(strstr(problem->message, "'-std=c++99'"));
    parsed_free(&parsed);
}
END_TEST

START_TEST(empty_file_is_fine)
{
    struct parsed parsed = parse_text(".cpp", "", "");
    ck_assert_int_eq(parsed.unit->status, GL_UNIT_OK);
    ck_assert_uint_eq(parsed.unit->funcs.count, 0);
    parsed_free(&parsed);
}
END_TEST

START_TEST(device_code_does_not_count)
{
    struct parsed parsed =
        parse_text(".cu",
                   "template <class T> __device__ T inner(T x) { return no_such_builtin(x); }\n"
                   "__global__ void k(float *p) { *p = another_builtin(inner(*p)); }\n"
                   "void f(float *p) { k<<<1, 2>>>(p); }\n",
                   "");
    ck_assert_int_eq(parsed.unit->status, GL_UNIT_OK);
    ck_assert_uint_eq(parsed.unit->problems.count, 0);
    ck_assert_uint_ge(parsed.unit->funcs.count, 2);
    parsed_free(&parsed);
}
END_TEST

START_TEST(odd_sources)
{
    static const char *const sources[] = {
        "int f(int n)\r\n{\r\n    return n;\r\n}\r\n",               // CRLF
        "// caf\xe9 \xff\xfe\nint f(int n) { return n; } // \x80\n", // no UTF-8
        "int f(int n) { return n; }",                                // no newline at the end
        "\xef\xbb\xbfint f(int n) { return n; }\n",                  // a byte order mark
    };
    for (size_t i = 0; i < GL_COUNT(sources); i++) {
        struct parsed parsed = parse_text(".c", sources[i], "");
        ck_assert_int_eq(parsed.unit->status, GL_UNIT_OK);
        ck_assert_uint_eq(parsed.unit->funcs.count, 1);
        parsed_free(&parsed);
    }
}
END_TEST

static char *deep_expression(size_t depth)
{
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    fputs("int f(int n) { return ", memory);
    for (size_t i = 0; i < depth; i++)
        fputs("(n + ", memory);
    fputs("1", memory);
    for (size_t i = 0; i < depth; i++)
        fputs(")", memory);
    fputs("; }\n", memory);
    fclose(memory);
    return text;
}

START_TEST(deep_nesting_is_unknown)
{
    char *text = deep_expression(700);
    struct parsed parsed = parse_text(".c", text, "-- -fbracket-depth=2000");
    ck_assert_int_eq(parsed.unit->status, GL_UNIT_OK);
    ck_assert_uint_eq(parsed.unit->funcs.count, 1);
    ck_assert_uint_ge(parsed.unit->funcs.items[0]->unknown_count, 1);
    parsed_free(&parsed);
    free(text);
}
END_TEST

// ---- headers ---------------------------------------------------------------------------------------------

// Everything the built-in headers declare, in the three languages.
static const char every_header[] =
    "#include <cuda.h>\n#include <cuda_runtime.h>\n#include <cuda_runtime_api.h>\n"
    "#include <cuda_profiler_api.h>\n#include <cublas_v2.h>\n#include <cublasLt.h>\n"
    "#include <curand.h>\n#include <cufft.h>\n#include <cusparse.h>\n"
    "#include <cusolverDn.h>\n#include <nccl.h>\n#include <nvrtc.h>\n"
    "#include <nvToolsExt.h>\n#include <cuComplex.h>\n#include <math_constants.h>\n"
    "cudaError_t f(cudaStream_t s, cublasHandle_t h, CUdeviceptr p)\n"
    "{ dim3 g = {1, 2, 3}; (void)g; (void)h; cuMemFree(p); return cudaStreamQuery(s); }\n";
static const char device_headers[] =
    "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cuda_fp8.h>\n#include <mma.h>\n"
    "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n"
    "#include <curand_kernel.h>\n";

START_TEST(builtin_headers_parse)
{
    static const char *const suffixes[] = {".c", ".cpp", ".cu"};
    for (size_t i = 0; i < GL_COUNT(suffixes); i++) {
        char text[4096];
        snprintf(text, sizeof text, "%s%s", i ? device_headers : "", every_header);
        struct parsed parsed = parse_text(suffixes[i], text, "");
        for (size_t k = 0; k < parsed.unit->problems.count; k++)
            ck_abort_msg("%s: %s", suffixes[i], parsed.unit->problems.items[k].message);
        ck_assert_int_eq(parsed.unit->status, GL_UNIT_OK);
        ck_assert_uint_ge(parsed.unit->funcs.count, 1);
        parsed_free(&parsed);
    }
}
END_TEST

START_TEST(toolkit_mode_agrees)
{
    const char *toolkit = getenv("CUDA_PATH") ? getenv("CUDA_PATH") : "/usr/local/cuda";
    char header[512];
    snprintf(header, sizeof header, "%s/include/cuda_runtime.h", toolkit);
    if (access(header, R_OK) != 0) {
        fprintf(stderr, "toolkit_mode_agrees: skipped, no CUDA toolkit at %s\n", toolkit);
        return;
    }
    int status;
    char *text = run(&status, "cd '%s' && '%s' --lower - --cuda-headers=toolkit cuda-launch.cu 2>&1", folder,
                     GL_FRONTEND);
    ck_assert_int_eq(status, 0);
    struct parsed parsed = parse("cuda-launch.cu", text);
    ck_assert_int_eq(parsed.unit->status, GL_UNIT_OK);
    ck_assert_uint_eq(parsed.unit->problems.count, 0);
    struct parsed builtin = parse_lowered("cuda-launch.cu");
    ck_assert_uint_eq(parsed.unit->funcs.count, builtin.unit->funcs.count);
    parsed_free(&builtin);
    parsed_free(&parsed);
    free(text);
}
END_TEST

// ---- the worker protocol ---------------------------------------------------------------------------------

struct worker {
    pid_t pid;
    FILE *in, *out;
};

static struct worker worker_start(void)
{
    int to[2], from[2];
    ck_assert_int_eq(pipe(to) | pipe(from), 0);
    struct worker worker = {.pid = fork()};
    ck_assert_int_ge(worker.pid, 0);
    if (!worker.pid) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        close(to[0]), close(to[1]), close(from[0]), close(from[1]);
        execl(GL_FRONTEND, GL_FRONTEND, "--serve", (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    worker.in = fdopen(to[1], "w");
    worker.out = fdopen(from[0], "r");
    return worker;
}

static int worker_end(struct worker *worker)
{
    int status;
    fclose(worker->in);
    waitpid(worker->pid, &status, 0);
    fclose(worker->out);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void request(struct worker *worker, const char *const *strings, size_t count)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += strlen(strings[i]) + 1;
    struct gl_worker_header header = {GL_WORKER_REQUEST_MAGIC, 0, size};
    fwrite(&header, sizeof header, 1, worker->in);
    for (size_t i = 0; i < count; i++)
        fwrite(strings[i], strlen(strings[i]) + 1, 1, worker->in);
    fflush(worker->in);
}

static char *answer(struct worker *worker, struct gl_worker_header *out_header)
{
    ck_assert_uint_eq(fread(out_header, sizeof *out_header, 1, worker->out), 1);
    ck_assert_uint_eq(out_header->magic, GL_WORKER_ANSWER_MAGIC);
    char *payload = malloc(out_header->size + 1);
    ck_assert_ptr_nonnull(payload);
    if (out_header->size)
        ck_assert_uint_eq(fread(payload, out_header->size, 1, worker->out), 1);
    payload[out_header->size] = '\0';
    return payload;
}

START_TEST(serves_many_units)
{
    struct worker worker = worker_start();
    struct gl_worker_header header;
    for (int round = 0; round < 3; round++) {
        const char *strings[] = {"", folder, "c-control.c", "shown/as.c", "builtin", "per-thread", "-DX=1"};
        request(&worker, strings, GL_COUNT(strings));
        char *text = answer(&worker, &header);
        ck_assert_uint_eq(header.status, GL_WORKER_OK);
        struct parsed parsed = parse("answer", text);
        ck_assert_str_eq(parsed.unit->path, "shown/as.c");
        ck_assert(parsed.unit->per_thread_default_stream);
        ck_assert_uint_ge(parsed.unit->funcs.count, 5);
        ck_assert_str_eq(parsed.unit->funcs.items[0]->loc.file, "shown/as.c");
        parsed_free(&parsed);
        free(text);
    }
    ck_assert_int_eq(worker_end(&worker), 0);
}
END_TEST

START_TEST(writes_to_a_file)
{
    char path[256], written[300];
    write_source(path, sizeof path, ".c", "int f(void) { return 1; }\n");
    snprintf(written, sizeof written, "%s.gir", path);
    struct worker worker = worker_start();
    struct gl_worker_header header;
    const char *strings[] = {written, "", path, "", "auto", "times"};
    request(&worker, strings, GL_COUNT(strings));
    char *text = answer(&worker, &header);
    ck_assert_uint_eq(header.status, GL_WORKER_OK);
    ck_assert_uint_eq(header.size, 0);
    free(text);
    text = read_file(written);
    ck_assert_ptr_nonnull(text);
    struct parsed parsed = parse(written, text);
    ck_assert_str_eq(parsed.unit->path, path);
    ck_assert(parsed.unit->parse_seconds > 0);
    parsed_free(&parsed);
    free(text);
    unlink(path);
    unlink(written);
    ck_assert_int_eq(worker_end(&worker), 0);
}
END_TEST

START_TEST(bad_requests_are_answered)
{
    static const char *const bad[][6] = {
        {"", "", "x.c", "", "wrong-mode", ""},
        {"", "", "x.c", "", "auto", "wrong-option"},
        {"", "/no/such/folder", "x.c", "", "auto", ""},
    };
    struct worker worker = worker_start();
    struct gl_worker_header header;
    for (size_t i = 0; i < GL_COUNT(bad); i++) {
        request(&worker, bad[i], GL_COUNT(bad[i]));
        char *text = answer(&worker, &header);
        ck_assert_uint_eq(header.status, GL_WORKER_BAD_REQUEST);
        ck_assert_uint_ge(strlen(text), 10);
        free(text);
    }
    request(&worker, bad[0], 2);
    free(answer(&worker, &header));
    ck_assert_uint_eq(header.status, GL_WORKER_BAD_REQUEST);
    const char *unwritable[] = {"/no/such/folder/x.gir", folder, "c-control.c", "", "builtin", ""};
    request(&worker, unwritable, GL_COUNT(unwritable));
    free(answer(&worker, &header));
    ck_assert_uint_eq(header.status, GL_WORKER_IO_ERROR);
    ck_assert_int_eq(worker_end(&worker), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("frontend");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 240);
    tcase_add_test(tests, golden_files);
    tcase_add_test(tests, missing_header_is_named);
    tcase_add_test(tests, nothing_to_lower_fails);
    tcase_add_test(tests, unreadable_file_fails);
    tcase_add_test(tests, bad_argument_is_named);
    tcase_add_test(tests, empty_file_is_fine);
    tcase_add_test(tests, device_code_does_not_count);
    tcase_add_test(tests, odd_sources);
    tcase_add_test(tests, deep_nesting_is_unknown);
    tcase_add_test(tests, builtin_headers_parse);
    tcase_add_test(tests, toolkit_mode_agrees);
    tcase_add_test(tests, serves_many_units);
    tcase_add_test(tests, writes_to_a_file);
    tcase_add_test(tests, bad_requests_are_answered);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
