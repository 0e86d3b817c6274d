// SPDX-License-Identifier: Apache-2.0
// What is to be analysed: files and folders of the command line, or a whole compile database → a list of
// units, each with the arguments to read it.
#ifndef GL_CLI_UNITS_H
#define GL_CLI_UNITS_H

#include "base/diag.h"
#include "cli/compdb.h"
#include "cli/config.h"

// Why something could not be analysed, in the terms of struct gl_ir_problem.
struct gl_failure {
    const char *kind; // NULL: there is none
    const char *message, *hint;
};

struct gl_unit {
    const char *source;    // what to open, seen from `directory`
    const char *shown;     // how reports call it
    const char *directory; // where relative paths of the arguments start; "": here
    bool is_ir;            // a .gir file: read, not parsed
    bool per_thread_default_stream;
    struct gl_words args;
    struct gl_failure failure; // known before it was tried: no such file, no source
};

// Zero-initialise to use; free with gl_units_free. Texts live in the arena given to gl_units_collect.
struct gl_unit_list {
    GL_VEC(struct gl_unit) list;
    size_t excluded; // files left out by the configuration
};

// What decides on the arguments of every unit.
struct gl_unit_settings {
    const struct gl_compdb *database; // NULL: none
    const struct gl_config *config;
    const char *const *clang_args; // added last
    size_t clang_arg_count;
};

// Appends the units that `files` stand for (none: all of the database), each file once. A file that cannot be
// analysed is a unit with a failure. Warnings about option files go to `diags`.
void gl_units_collect(struct gl_unit_list *units, struct gl_arena *arena,
                      const struct gl_unit_settings *settings, const char *const *files, size_t file_count,
                      struct gl_diags *diags);
void gl_units_free(struct gl_unit_list *units);

#endif
