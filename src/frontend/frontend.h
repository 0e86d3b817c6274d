// SPDX-License-Identifier: Apache-2.0
// The front end: takes one source file with clang arguments, hands on its IR unit. Only this folder knows
// libclang.
#ifndef GL_FRONTEND_FRONTEND_H
#define GL_FRONTEND_FRONTEND_H

#include "ir/ir.h"

enum gl_header_mode {
    GL_HEADERS_AUTO,    // see headers.h
    GL_HEADERS_TOOLKIT, // the installed CUDA toolkit's headers
    GL_HEADERS_BUILTIN, // the declarations that this program carries
};

struct gl_frontend_request {
    const char *source;      // as clang shall open it
    const char *shown_path;  // as the IR shall name it
    const char *const *args; // clang arguments without program name and source
    size_t arg_count;
    enum gl_header_mode headers;
    const char *toolkit; // the CUDA toolkit's folder, or NULL: CUDA_PATH, CUDA_HOME, /usr/local/cuda
    bool per_thread_default_stream;
    bool with_times; // fill in the unit's parse_seconds and lower_seconds
};

struct gl_frontend; // one loaded libclang, for many units one after the other

struct gl_frontend *gl_frontend_create(void);
void gl_frontend_destroy(struct gl_frontend *frontend);
// Parses and lowers one file into a new unit of `program`. Never fails: what went wrong is in the unit's
// status and problems.
struct gl_ir_unit *gl_frontend_lower(struct gl_frontend *frontend, struct gl_ir_program *program,
                                     const struct gl_frontend_request *request);
// libclang's own version text.
const char *gl_frontend_version(struct gl_frontend *frontend);

#endif
