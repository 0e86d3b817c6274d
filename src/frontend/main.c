// SPDX-License-Identifier: Apache-2.0
// The worker program: command line and the request loop of base/worker_protocol.h → IR text.
#define _GNU_SOURCE // open_memstream
#include "base/worker_protocol.h"
#include "frontend/frontend.h"
#include "ir/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
// libclang does not free the files of a command line it refuses; leaks of our own are still reported.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_options(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libLLVM\nleak:libclang";
}

const char *__lsan_default_options(void)
{
    return "print_suppressions=0";
}
#endif

struct task {
    struct gl_frontend_request request;
    const char *output;    // "" or "-": a stream of the caller's
    const char *directory; // "" : ours
};

static bool header_mode(const char *text, enum gl_header_mode *out_mode)
{
    static const char *const names[] = {"auto", "toolkit", "builtin"};
    for (size_t i = 0; i < GL_COUNT(names); i++) {
        if (strcmp(text, names[i]) == 0) {
            *out_mode = (enum gl_header_mode)i;
            return true;
        }
    }
    return false;
}

// "times,per-thread,toolkit=DIR"; changes `text`.
static bool read_options(char *text, struct gl_frontend_request *request)
{
    for (char *option = text; option && *option;) {
        char *comma = strchr(option, ',');
        if (comma)
            *comma = '\0';
        if (strcmp(option, "times") == 0)
            request->with_times = true;
        else if (strcmp(option, "per-thread") == 0)
            request->per_thread_default_stream = true;
        else if (strncmp(option, "toolkit=", 8) == 0)
            request->toolkit = option + 8;
        else
            return false;
        option = comma ? comma + 1 : NULL;
    }
    return true;
}

// ---- one unit --------------------------------------------------------------------------------------------

static bool print_to(struct gl_ir_program *program, const struct gl_ir_unit *unit, const char *path)
{
    struct gl_arena arena = {0};
    const char *temporary = gl_arena_printf(&arena, "%s.%ld.tmp", path, (long)getpid());
    FILE *file = fopen(temporary, "w");
    bool ok = file && gl_ir_print_unit(program, unit, file);
    if (file && fclose(file) != 0)
        ok = false;
    ok = ok && rename(temporary, path) == 0;
    if (!ok) {
        int error = errno;
        unlink(temporary);
        errno = error;
    }
    gl_arena_free(&arena);
    return ok;
}

static bool run_task(struct gl_frontend *frontend, const struct task *task, FILE *text)
{
    struct gl_strings *strings = gl_strings_create();
    struct gl_ir_program *program = gl_ir_program_create(strings);
    struct gl_ir_unit *unit = gl_frontend_lower(frontend, program, &task->request);
    bool ok = text ? gl_ir_print_unit(program, unit, text) : print_to(program, unit, task->output);
    gl_ir_program_destroy(program);
    gl_strings_destroy(strings);
    return ok;
}

// ---- serving ---------------------------------------------------------------------------------------------

static bool answer(FILE *out, enum gl_worker_status status, const char *payload, size_t size)
{
    struct gl_worker_header header = {GL_WORKER_ANSWER_MAGIC, (uint32_t)status, size};
    return fwrite(&header, sizeof header, 1, out) == 1 && (!size || fwrite(payload, size, 1, out) == 1) &&
           fflush(out) == 0;
}

static bool answer_text(FILE *out, enum gl_worker_status status, const char *message)
{
    return answer(out, status, message, strlen(message));
}

// Splits a payload into its strings; NULL on success, else what is wrong with it.
static const char *read_task(char *payload, size_t size, const char **strings, struct task *task)
{
    size_t count = 0;
    for (char *p = payload; p < payload + size; p += strlen(p) + 1)
        strings[count++] = p;
    if (count < GL_WORKER_FIRST_ARGUMENT)
        return "the request has too few strings";
    task->output = strings[GL_WORKER_OUTPUT];
    task->directory = strings[GL_WORKER_DIRECTORY];
    task->request.source = strings[GL_WORKER_SOURCE];
    task->request.shown_path =
        *strings[GL_WORKER_SHOWN_PATH] ? strings[GL_WORKER_SHOWN_PATH] : task->request.source;
    task->request.args = strings + GL_WORKER_FIRST_ARGUMENT;
    task->request.arg_count = count - GL_WORKER_FIRST_ARGUMENT;
    if (!header_mode(strings[GL_WORKER_HEADER_MODE], &task->request.headers))
        return "the request's header mode is none of auto, toolkit, builtin";
    char *options = payload + (strings[GL_WORKER_OPTIONS] - payload);
    return read_options(options, &task->request) ? NULL : "the request has an unknown option";
}

static bool serve_task(struct gl_frontend *frontend, const struct task *task, FILE *out)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = *task->output ? NULL : open_memstream(&text, &size);
    bool ok = run_task(frontend, task, memory);
    int error = errno;
    if (memory && fclose(memory) != 0)
        ok = false;
    ok = ok ? answer(out, GL_WORKER_OK, text, size) : answer_text(out, GL_WORKER_IO_ERROR, strerror(error));
    free(text);
    return ok;
}

static bool serve_request(struct gl_frontend *frontend, char *payload, size_t size, FILE *out)
{
    const char **strings = gl_xmalloc((size + 1) * sizeof *strings);
    struct task task = {0};
    const char *wrong = read_task(payload, size, strings, &task);
    bool ok;
    if (wrong)
        ok = answer_text(out, GL_WORKER_BAD_REQUEST, wrong);
    else if (*task.directory && chdir(task.directory) != 0)
        ok = answer_text(out, GL_WORKER_BAD_REQUEST, "cannot enter the unit's working directory");
    else
        ok = serve_task(frontend, &task, out);
    free(strings);
    return ok;
}

static int serve(struct gl_frontend *frontend, FILE *out)
{
    struct gl_worker_header header;
    while (fread(&header, sizeof header, 1, stdin) == 1) {
        if (header.magic != GL_WORKER_REQUEST_MAGIC || header.size > GL_WORKER_REQUEST_MAX) {
            fputs("guardlint-frontend: this is not a request\n", stderr);
            return 2;
        }
        char *payload = gl_xmalloc(header.size + 1);
        payload[header.size] = '\0';
        bool ok = (!header.size || fread(payload, header.size, 1, stdin) == 1) &&
                  serve_request(frontend, payload, header.size, out);
        free(payload);
        if (!ok)
            return 3;
    }
    return 0;
}

// ---- command line ----------------------------------------------------------------------------------------

static int usage(void)
{
    fputs(
        "usage: guardlint-frontend --serve\n"
        "       guardlint-frontend --lower OUT [--cuda-headers=auto|toolkit|builtin] [--options=LIST] FILE\n"
        "                          [-- CLANG-ARGUMENTS]\n"
        "       guardlint-frontend --version\n"
        "This is guardlint's worker; people call guardlint.\n",
        stderr);
    return 2;
}

static int lower(struct gl_frontend *frontend, int count, char **args, FILE *out)
{
    struct task task = {.output = args[0]};
    int i = 1;
    for (; i < count && strcmp(args[i], "--") != 0; i++) {
        if (strncmp(args[i], "--cuda-headers=", 15) == 0) {
            if (!header_mode(args[i] + 15, &task.request.headers))
                return usage();
        } else if (strncmp(args[i], "--options=", 10) == 0) {
            if (!read_options(args[i] + 10, &task.request))
                return usage();
        } else if (!task.request.source) {
            task.request.source = args[i];
        } else {
            return usage();
        }
    }
    if (!task.request.source)
        return usage();
    task.request.shown_path = task.request.source;
    if (i < count) {
        task.request.args = (const char *const *)args + i + 1;
        task.request.arg_count = (size_t)(count - i - 1);
    }
    bool is_stdout = strcmp(task.output, "-") == 0;
    if (run_task(frontend, &task, is_stdout ? out : NULL) && (!is_stdout || fflush(out) == 0))
        return 0;
    fprintf(stderr, "guardlint-frontend: cannot write '%s': %s\n", task.output, strerror(errno));
    return 2;
}

// Answers keep the real standard output to themselves: whatever libclang prints goes to standard error.
static FILE *take_stdout(void)
{
    int fd = dup(STDOUT_FILENO);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
    if (out)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    return out;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return usage();
    FILE *out = take_stdout();
    if (!out)
        return 3;
    struct gl_frontend *frontend = gl_frontend_create();
    int status;
    if (strcmp(argv[1], "--serve") == 0 && argc == 2)
        status = serve(frontend, out);
    else if (strcmp(argv[1], "--lower") == 0 && argc > 3)
        status = lower(frontend, argc - 2, argv + 2, out);
    else if (strcmp(argv[1], "--version") == 0)
        status =
            fprintf(out, "guardlint-frontend (libclang: %s)\n", gl_frontend_version(frontend)) < 0 ? 3 : 0;
    else
        status = usage();
    gl_frontend_destroy(frontend);
    if (fclose(out) != 0 && status == 0)
        status = 3;
    return status;
}
