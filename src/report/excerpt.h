// SPDX-License-Identifier: Apache-2.0
// Lines of source files, for excerpts under findings. Files are read once.
#ifndef GL_REPORT_EXCERPT_H
#define GL_REPORT_EXCERPT_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdio.h>

struct gl_source {
    const char *path;
    char *text; // NULL: cannot be read
    size_t size;
    GL_VEC(size_t) lines; // where each starts
};

// Zero-initialise to use; free with gl_sources_free.
struct gl_sources {
    GL_VEC(struct gl_source) files;
};

// The bytes of a line without its end (also CR LF), and their number; NULL if there is no such line.
const char *gl_source_line(struct gl_sources *sources, const char *path, unsigned line, size_t *out_length);
// Writes the line and a caret under the column (in bytes, from 1). Nothing if the line cannot be read. What a
// terminal could take for a command is shown as '?'.
void gl_excerpt_print(struct gl_sources *sources, const char *path, unsigned line, unsigned column,
                      FILE *stream);
void gl_sources_free(struct gl_sources *sources);

#endif
