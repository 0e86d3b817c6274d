// SPDX-License-Identifier: Apache-2.0
// Which CUDA headers a unit is parsed with: takes the request, hands on clang arguments and in-memory files.
//
// Three modes:
//   builtin   the declarations this program carries; no toolkit needed
//   toolkit   the toolkit's headers with a built-in host prelude (-nocudainc)
//   wrapper   the toolkit through clang's own wrapper (--cuda-path), which knows all device intrinsics; only
//   an
//             LLVM as new as the toolkit can do it (>= 22 for CUDA 13)
// They cost about 1 : 2 : 8 for a file that only includes cuda_runtime.h. "auto" begins with the cheapest,
// which also gives the same result on machines with and without a toolkit; a unit that does not parse that
// way goes on to the next, as long as the toolkit has what is missing, and the best result is kept.
// Libraries' headers (cublas_v2.h …) that a toolkit was installed without come from this program in every
// mode.
#ifndef GL_FRONTEND_HEADERS_H
#define GL_FRONTEND_HEADERS_H

#include "base/arena.h"
#include "frontend/frontend.h"

#include <clang-c/Index.h>

// The folder of the headers that are in memory only. No such folder exists.
#define GL_BUILTIN_FOLDER "/guardlint-builtin"

enum gl_parse_mode { GL_PARSE_BUILTIN, GL_PARSE_TOOLKIT, GL_PARSE_WRAPPER };

struct gl_parse_setup {
    enum gl_parse_mode mode;
    GL_VEC(const char *) args;
    const struct CXUnsavedFile *files;
    unsigned file_count;
};

// The language clang will parse as: "c", "c++" or "cuda".
const char *gl_request_language(const struct gl_frontend_request *request);
// The folder of the CUDA toolkit to use, or NULL.
const char *gl_toolkit_find(struct gl_arena *arena, const struct gl_frontend_request *request);
// The mode to begin with.
enum gl_parse_mode gl_parse_mode_first(const struct gl_frontend_request *request, const char *toolkit);
// The mode to try after `mode` gave errors; false if there is none.
bool gl_parse_mode_next(const struct gl_frontend_request *request, const char *toolkit,
                        enum gl_parse_mode mode, enum gl_parse_mode *out_next);
void gl_parse_setup_make(struct gl_parse_setup *setup, struct gl_arena *arena,
                         const struct gl_frontend_request *request, enum gl_parse_mode mode,
                         const char *toolkit);
void gl_parse_setup_free(struct gl_parse_setup *setup);

#endif
