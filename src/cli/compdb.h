// SPDX-License-Identifier: Apache-2.0
// Compile databases: compile_commands.json → one entry a unit, found by file or by likeness.
#ifndef GL_CLI_COMPDB_H
#define GL_CLI_COMPDB_H

#include "base/diag.h"
#include "base/map.h"
#include "base/strings.h"
#include "cli/words.h"

#include <stdbool.h>

struct gl_compile_entry {
    const char *directory; // absolute
    const char *file;      // absolute, symbolic links followed if it exists; interned
    struct gl_words command;
};

// Zero-initialise to use; free with gl_compdb_free. Texts are put in the arena given to gl_compdb_read.
struct gl_compdb {
    const char *path;
    GL_VEC(struct gl_compile_entry) entries; // the first of several for one file
    struct gl_map by_file;
    struct gl_strings *strings;
};

// Reads `path`: a compile_commands.json or the folder that holds one. Errors have line and column where the
// text is no JSON, and the number of the entry where something is missing in it. Returns false on any error.
bool gl_compdb_read(struct gl_compdb *db, struct gl_arena *arena, const char *path, struct gl_diags *diags);
// The entry of this file (absolute), or NULL.
const struct gl_compile_entry *gl_compdb_find(const struct gl_compdb *db, const char *file);
// For a header, or a source that is not built yet: the entry whose path has most in common with it. NULL if
// the database is empty.
const struct gl_compile_entry *gl_compdb_nearest(const struct gl_compdb *db, const char *file);
void gl_compdb_free(struct gl_compdb *db);

#endif
