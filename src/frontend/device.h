// SPDX-License-Identifier: Apache-2.0
// Which errors of a parse matter: those in code that only runs on the device do not.
#ifndef GL_FRONTEND_DEVICE_H
#define GL_FRONTEND_DEVICE_H

#include "base/vec.h"

#include <clang-c/Index.h>
#include <stdbool.h>
#include <stddef.h>

// Where a translation unit's kernels and __device__ functions are, in the files that have errors: the host's
// parse knows only some of what they may use, and they are not analysed.
struct gl_device_range {
    CXFile file;
    unsigned start, end;
};

struct gl_device_code {
    GL_VEC(CXFile) files; // with errors
    GL_VEC(struct gl_device_range) ranges;
};

struct gl_device_code gl_device_code_find(CXTranslationUnit tu);
bool gl_device_code_has(const struct gl_device_code *code, CXSourceLocation location);
void gl_device_code_free(struct gl_device_code *code);

struct gl_parse_errors {
    size_t count;                 // outside of device code
    bool lacks_header;            // one that `folder` does not have either
    bool lacks_header_of_toolkit; // one that `folder` has
};

// `folder`: where a missing header would be found in another mode, or NULL.
struct gl_parse_errors gl_parse_errors(CXTranslationUnit tu, const char *folder);
// The name in "'NAME' file not found …", as a new string (free it), or NULL.
char *gl_missing_header(const char *message);

#endif
