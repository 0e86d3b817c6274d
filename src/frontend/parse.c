// SPDX-License-Identifier: Apache-2.0
// The front end as its users see it: parses a request with libclang, lowers it, says what went wrong.
#include "frontend/frontend.h"

#include "frontend/device.h"
#include "frontend/fe.h"
#include "frontend/headers.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct gl_frontend {
    CXIndex index;
    char *version;
};

struct gl_frontend *gl_frontend_create(void)
{
    struct gl_frontend *frontend = gl_xmalloc(sizeof *frontend);
    CXString version = clang_getClangVersion();
    frontend->index = clang_createIndex(0, 0);
    frontend->version = gl_xstrdup(clang_getCString(version));
    clang_disposeString(version);
    return frontend;
}

void gl_frontend_destroy(struct gl_frontend *frontend)
{
    clang_disposeIndex(frontend->index);
    free(frontend->version);
    free(frontend);
}

const char *gl_frontend_version(struct gl_frontend *frontend)
{
    return frontend->version;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// ---- parsing ---------------------------------------------------------------------------------------------

static enum CXErrorCode parse(CXIndex index, const char *source, const struct gl_parse_setup *setup,
                              CXTranslationUnit *out_tu)
{
    // The unsaved files are ours for as long as the call lasts; libclang does not change them.
    struct CXUnsavedFile *files = (struct CXUnsavedFile *)(uintptr_t)setup->files;
    return clang_parseTranslationUnit2(index, source, setup->args.items, (int)setup->args.count, files,
                                       setup->file_count, CXTranslationUnit_KeepGoing, out_tu);
}

static void note_builtin(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    (void)stack;
    (void)depth;
    CXString name = clang_getFileName(file);
    bool *uses_builtin = data;
    *uses_builtin |= strncmp(clang_getCString(name), GL_BUILTIN_FOLDER, sizeof GL_BUILTIN_FOLDER - 1) == 0;
    clang_disposeString(name);
}

// Whether the parse depends on the mode at all.
static bool uses_builtin_headers(CXTranslationUnit tu)
{
    bool uses_builtin = false;
    clang_getInclusions(tu, note_builtin, &uses_builtin);
    return uses_builtin;
}

struct attempt {
    CXTranslationUnit tu;
    enum CXErrorCode error;
    struct gl_parse_errors errors;
};

static struct attempt try_mode(struct gl_frontend *frontend, struct gl_arena *arena,
                               const struct gl_frontend_request *request, enum gl_parse_mode mode,
                               const char *toolkit)
{
    struct attempt attempt = {0};
    struct gl_parse_setup setup;
    gl_parse_setup_make(&setup, arena, request, mode, toolkit);
    attempt.error = parse(frontend->index, request->source, &setup, &attempt.tu);
    gl_parse_setup_free(&setup);
    const char *include = toolkit ? gl_arena_printf(arena, "%s/include", toolkit) : NULL;
    if (!attempt.error)
        attempt.errors = gl_parse_errors(attempt.tu, include);
    return attempt;
}

// Parses in the first mode; while that gives errors that another mode may not have, in the next. Keeps the
// best.
static enum CXErrorCode parse_best(struct gl_frontend *frontend, struct gl_arena *arena,
                                   const struct gl_frontend_request *request, CXTranslationUnit *out_tu)
{
    const char *toolkit = gl_toolkit_find(arena, request);
    enum gl_parse_mode mode = gl_parse_mode_first(request, toolkit);
    struct attempt best = try_mode(frontend, arena, request, mode, toolkit);
    bool depends_on_mode = !best.error && best.errors.count &&
                           (best.errors.lacks_header_of_toolkit || uses_builtin_headers(best.tu));
    while (depends_on_mode && best.errors.count && !best.errors.lacks_header &&
           gl_parse_mode_next(request, toolkit, mode, &mode)) {
        struct attempt next = try_mode(frontend, arena, request, mode, toolkit);
        if (next.error)
            break;
        bool is_better = next.errors.count < best.errors.count;
        clang_disposeTranslationUnit(is_better ? best.tu : next.tu);
        if (is_better)
            best = next;
    }
    *out_tu = best.tu;
    return best.error;
}

// ---- why a unit could not be parsed at all ---------------------------------------------------------------

// Parses an empty file with some of the arguments.
static bool accepts(CXIndex index, const char *const *args, size_t count, const char *language)
{
    struct CXUnsavedFile empty = {GL_BUILTIN_FOLDER "/empty", "", 0};
    const char **all = gl_xmalloc((count + 2) * sizeof *all);
    all[0] = "-x";
    all[1] = language;
    for (size_t i = 0; i < count; i++)
        all[i + 2] = args[i];
    CXTranslationUnit tu = NULL;
    enum CXErrorCode error = clang_parseTranslationUnit2(index, empty.Filename, all, (int)count + 2, &empty,
                                                         1, CXTranslationUnit_None, &tu);
    if (!error)
        clang_disposeTranslationUnit(tu);
    free(all);
    return error == CXError_Success;
}

// libclang says only that the command line is bad. The shortest prefix it refuses ends in the culprit.
static const char *refused_argument(CXIndex index, const struct gl_frontend_request *request)
{
    const char *language = gl_request_language(request);
    if (accepts(index, request->args, request->arg_count, language))
        return NULL;
    size_t accepted = 0, refused = request->arg_count;
    while (refused - accepted > 1) {
        size_t middle = accepted + (refused - accepted) / 2;
        if (accepts(index, request->args, middle, language))
            accepted = middle;
        else
            refused = middle;
    }
    return request->args[refused - 1];
}

static void explain_failure(struct gl_fe *fe, struct gl_frontend *frontend,
                            const struct gl_frontend_request *request)
{
    struct gl_ir_loc loc = {gl_intern(gl_ir_strings(fe->program), request->shown_path), 0, 0, NULL};
    if (access(request->source, R_OK) != 0) {
        gl_fe_problem(fe, "unreadable", loc, "the file cannot be read", "check its name and permissions");
        return;
    }
    const char *argument = refused_argument(frontend->index, request);
    if (argument)
        gl_fe_problem(fe, "bad-argument", loc,
                      gl_arena_printf(&fe->scratch, "clang does not accept the argument '%s'", argument),
                      "arguments after -- or in the compile database are passed to clang");
    else
        gl_fe_problem(fe, "crash", loc, "libclang could not parse this file", NULL);
}

// ---- lowering --------------------------------------------------------------------------------------------

static void set_status(struct gl_fe *fe, bool has_error)
{
    if (has_error)
        fe->unit->status = fe->unit->funcs.count ? GL_UNIT_PARTIAL : GL_UNIT_FAILED;
}

static void lower_translation_unit(struct gl_fe *fe)
{
    bool has_fatal, has_error;
    fe->main_file = clang_getFile(fe->tu, gl_fe_string(fe, clang_getTranslationUnitSpelling(fe->tu)));
    gl_fe_read_diagnostics(fe, &has_fatal, &has_error);
    gl_fe_lower_unit(fe);
    gl_fe_scan_comments(fe);
    set_status(fe, has_error || has_fatal);
}

static void free_tables(struct gl_fe *fe)
{
    struct gl_map *maps[] = {&fe->files,  &fe->decls,     &fe->records,     &fe->record_names,
                             &fe->types,  &fe->names,     &fe->field_names, &fe->requested,
                             &fe->bodies, &fe->instances, &fe->closures,    &fe->functions_by_name};
    for (size_t i = 0; i < GL_COUNT(maps); i++)
        gl_map_free(maps[i]);
    for (size_t i = 0; i < fe->all_records.count; i++) {
        GL_VEC_FREE(&fe->all_records.items[i]->bases);
        GL_VEC_FREE(&fe->all_records.items[i]->fields);
    }
    for (size_t i = 0; i < fe->all_closures.count; i++)
        GL_VEC_FREE(&fe->all_closures.items[i]->captures);
    GL_VEC_FREE(&fe->all_records);
    GL_VEC_FREE(&fe->all_closures);
    GL_VEC_FREE(&fe->queue);
    GL_VEC_FREE(&fe->late);
    GL_VEC_FREE(&fe->kid_stack);
    GL_VEC_FREE(&fe->errors);
    gl_arena_free(&fe->scratch);
    gl_arena_free(&fe->arena);
}

struct gl_ir_unit *gl_frontend_lower(struct gl_frontend *frontend, struct gl_ir_program *program,
                                     const struct gl_frontend_request *request)
{
    struct gl_ir_unit *unit = gl_ir_unit_add(program, request->shown_path);
    struct gl_fe fe = {.program = program, .unit = unit, .shown_path = request->shown_path};
    unit->language = gl_intern(gl_ir_strings(program), gl_request_language(request));
    unit->per_thread_default_stream = request->per_thread_default_stream;
    fe.is_cxx = strcmp(unit->language, "c") != 0;
    double start = now();
    if (parse_best(frontend, &fe.arena, request, &fe.tu) != CXError_Success) {
        unit->status = GL_UNIT_FAILED;
        explain_failure(&fe, frontend, request);
        free_tables(&fe);
        return unit;
    }
    double parsed = now();
    lower_translation_unit(&fe);
    if (request->with_times) {
        unit->parse_seconds = parsed - start;
        unit->lower_seconds = now() - parsed;
    }
    free_tables(&fe);
    clang_disposeTranslationUnit(fe.tu);
    return unit;
}
