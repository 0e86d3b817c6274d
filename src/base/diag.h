// SPDX-License-Identifier: Apache-2.0
// Diagnostics about the tool's own input (rule files, IR text, configuration, sources it could not read):
// collected with position and hint, never printed where they arise. Findings about user code are not these.
#ifndef GL_BASE_DIAG_H
#define GL_BASE_DIAG_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdio.h>

enum gl_severity { GL_NOTE, GL_WARNING, GL_ERROR };

struct gl_diag {
    enum gl_severity severity;
    const char *file; // NULL: no position
    unsigned line;    // 1-based; 0: the whole file
    unsigned column;  // 1-based; 0: the whole line
    const char *message;
    const char *hint; // what to do about it, or NULL
};

// Zero-initialise to use. Texts are copied into the list's own arena.
struct gl_diags {
    struct gl_arena arena;
    GL_VEC(struct gl_diag) list;
    size_t errors;
};

// Adds a diagnostic with a printf message; `hint` may be NULL. Returns the entry so that a caller can refine it.
struct gl_diag *gl_diag_add(struct gl_diags *diags, enum gl_severity severity, const char *file, unsigned line,
                            unsigned column, const char *hint, const char *format, ...)
    __attribute__((format(printf, 7, 8)));

// Prints `path:line:col: severity: message` lines, each followed by its hint as a note.
void gl_diags_print(const struct gl_diags *diags, FILE *stream);
void gl_diags_free(struct gl_diags *diags);
const char *gl_severity_name(enum gl_severity severity);

#endif
