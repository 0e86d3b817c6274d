// SPDX-License-Identifier: Apache-2.0
// Choosing headers, and the arguments that make clang find them.
#include "frontend/headers.h"

#include "frontend/builtin.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PRELUDE_FOLDER GL_BUILTIN_FOLDER "/prelude"
#define CUDA_FOLDER GL_BUILTIN_FOLDER "/cuda"
#define LIBRARIES_FOLDER GL_BUILTIN_FOLDER "/libs" // for toolkits installed without some of their libraries

// ---- language --------------------------------------------------------------------------------------------

static bool has_suffix(const char *name, const char *const *suffixes, size_t count)
{
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < count; i++)
        if (strcmp(dot, suffixes[i]) == 0)
            return true;
    return false;
}

static const char *explicit_language(const struct gl_frontend_request *request)
{
    const char *language = NULL;
    for (size_t i = 0; i < request->arg_count; i++) {
        if (strcmp(request->args[i], "-x") == 0 && i + 1 < request->arg_count)
            language = request->args[i + 1];
        else if (strncmp(request->args[i], "-x", 2) == 0 && request->args[i][2])
            language = request->args[i] + 2;
    }
    return language;
}

const char *gl_request_language(const struct gl_frontend_request *request)
{
    static const char *const cuda[] = {".cu", ".cuh"};
    static const char *const c[] = {".c"};
    const char *language = explicit_language(request);
    if (language)
        return strcmp(language, "c") == 0 || strcmp(language, "c-header") == 0 ? "c"
               : strcmp(language, "cuda") == 0                                 ? "cuda"
                                                                               : "c++";
    if (has_suffix(request->source, cuda, GL_COUNT(cuda)))
        return "cuda";
    return has_suffix(request->source, c, GL_COUNT(c)) ? "c" : "c++";
}

// ---- mode ------------------------------------------------------------------------------------------------

static bool has_toolkit_headers(struct gl_arena *arena, const char *folder)
{
    return folder && *folder &&
           access(gl_arena_printf(arena, "%s/include/cuda_runtime.h", folder), R_OK) == 0;
}

const char *gl_toolkit_find(struct gl_arena *arena, const struct gl_frontend_request *request)
{
    if (request->toolkit)
        return has_toolkit_headers(arena, request->toolkit) ? request->toolkit : NULL;
    const char *candidates[] = {getenv("CUDA_PATH"), getenv("CUDA_HOME"), "/usr/local/cuda"};
    for (size_t i = 0; i < GL_COUNT(candidates); i++)
        if (has_toolkit_headers(arena, candidates[i]))
            return candidates[i];
    return NULL;
}

enum gl_parse_mode gl_parse_mode_first(const struct gl_frontend_request *request, const char *toolkit)
{
    return request->headers == GL_HEADERS_TOOLKIT && toolkit ? GL_PARSE_TOOLKIT : GL_PARSE_BUILTIN;
}

bool gl_parse_mode_next(const struct gl_frontend_request *request, const char *toolkit,
                        enum gl_parse_mode mode, enum gl_parse_mode *out_next)
{
    bool is_cuda = strcmp(gl_request_language(request), "cuda") == 0;
    if (request->headers == GL_HEADERS_BUILTIN || !toolkit || mode == GL_PARSE_WRAPPER)
        return false;
    if (mode == GL_PARSE_TOOLKIT && (!is_cuda || GL_LIBCLANG_MAJOR < 22))
        return false;
    *out_next = mode == GL_PARSE_BUILTIN ? GL_PARSE_TOOLKIT : GL_PARSE_WRAPPER;
    return true;
}

// ---- arguments -------------------------------------------------------------------------------------------

static void add(struct gl_parse_setup *setup, const char *arg)
{
    GL_VEC_PUSH(&setup->args, arg);
}

static void add_pair(struct gl_parse_setup *setup, const char *option, const char *value)
{
    add(setup, option);
    add(setup, value);
}

static bool has_argument(const struct gl_frontend_request *request, const char *prefix)
{
    for (size_t i = 0; i < request->arg_count; i++)
        if (strncmp(request->args[i], prefix, strlen(prefix)) == 0)
            return true;
    return false;
}

static void add_language(struct gl_parse_setup *setup, const struct gl_frontend_request *request,
                         const char *language)
{
    if (!explicit_language(request))
        add_pair(setup, "-x", language);
    if (strcmp(language, "cuda") == 0)
        add(setup, "--cuda-host-only");
    if (strcmp(language, "c") != 0 && !has_argument(request, "-std"))
        add(setup, "-std=gnu++17");
}

static void add_headers(struct gl_parse_setup *setup, struct gl_arena *arena, const char *language,
                        const char *toolkit)
{
    bool is_cuda = strcmp(language, "cuda") == 0;
    add_pair(setup, "-idirafter", LIBRARIES_FOLDER);
    const char *include = toolkit ? gl_arena_printf(arena, "%s/include", toolkit) : NULL;
    switch (setup->mode) {
    case GL_PARSE_WRAPPER:
        add(setup, gl_arena_printf(arena, "--cuda-path=%s", toolkit));
        add(setup, "--cuda-gpu-arch=sm_80");
        add_pair(setup, "-isystem", gl_arena_printf(arena, "%s/cccl", include));
        return;
    case GL_PARSE_TOOLKIT:
        add_pair(setup, "-isystem", include);
        add_pair(setup, "-isystem", gl_arena_printf(arena, "%s/cccl", include));
        break;
    default:
        add_pair(setup, "-isystem", CUDA_FOLDER);
    }
    if (is_cuda) {
        add(setup, "-nocudainc");
        add(setup, "-nocudalib");
        add_pair(setup, "-include", PRELUDE_FOLDER "/guardlint_prelude.h");
    }
}

static void add_files(struct gl_parse_setup *setup, struct gl_arena *arena)
{
    struct CXUnsavedFile *files = GL_ARENA_ARRAY(arena, struct CXUnsavedFile, gl_builtin_header_count);
    for (size_t i = 0; i < gl_builtin_header_count; i++) {
        const struct gl_builtin_header *header = &gl_builtin_headers[i];
        files[i] = (struct CXUnsavedFile){gl_arena_printf(arena, GL_BUILTIN_FOLDER "/%s", header->name),
                                          header->text, header->size};
    }
    setup->files = files;
    setup->file_count = (unsigned)gl_builtin_header_count;
}

void gl_parse_setup_make(struct gl_parse_setup *setup, struct gl_arena *arena,
                         const struct gl_frontend_request *request, enum gl_parse_mode mode,
                         const char *toolkit)
{
    const char *language = gl_request_language(request);
    *setup = (struct gl_parse_setup){.mode = mode};
    add_language(setup, request, language);
    for (size_t i = 0; i < request->arg_count; i++)
        add(setup, request->args[i]);
    add_headers(setup, arena, language, toolkit);
    add(setup, "-ferror-limit=200");
    // Compilers differ in what they let pass; what matters here is what the code means. One warning is a
    // lead.
    add(setup,
        "-fno-openmp"); // libclang hides the body of a parallel region; without, it is the serial program
    add(setup, "-Wno-everything");
    add(setup, "-Wno-error");
    add(setup, "-Wvexing-parse");
    add_files(setup, arena);
}

void gl_parse_setup_free(struct gl_parse_setup *setup)
{
    GL_VEC_FREE(&setup->args);
}
