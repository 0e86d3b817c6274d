// SPDX-License-Identifier: Apache-2.0
// Which CUDA headers a unit is parsed with: takes the request, hands on clang arguments and in-memory files.
//
// Three modes:
//   wrapper   the toolkit through clang's own wrapper (--cuda-path), which knows all device intrinsics; slow
//             (0.5 s for cuda_runtime.h), and only an LLVM as new as the toolkit can do it
//   toolkit   the toolkit's headers with a built-in host prelude (-nocudainc); 0.1 s
//   builtin   no toolkit: the declarations this program carries; 0.03 s
//
// "auto" takes `toolkit` where a toolkit is found, else `builtin`; a unit that does not parse with the toolkit's
// headers alone (Thrust and CUB need device intrinsics) is parsed once more through the wrapper, and the better
// result is kept. Measured on the same files; see docs/frontend.md.
#ifndef GL_FRONTEND_HEADERS_H
#define GL_FRONTEND_HEADERS_H

#include "base/arena.h"
#include "frontend/frontend.h"

#include <clang-c/Index.h>

enum gl_parse_mode { GL_PARSE_PLAIN, GL_PARSE_BUILTIN, GL_PARSE_TOOLKIT, GL_PARSE_WRAPPER };

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
// The mode to try after `mode` gave errors; the same mode if there is none.
enum gl_parse_mode gl_parse_mode_next(const struct gl_frontend_request *request, enum gl_parse_mode mode);
void gl_parse_setup_make(struct gl_parse_setup *setup, struct gl_arena *arena,
                         const struct gl_frontend_request *request, enum gl_parse_mode mode,
                         const char *toolkit);
void gl_parse_setup_free(struct gl_parse_setup *setup);

#endif
