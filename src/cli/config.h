// SPDX-License-Identifier: Apache-2.0
// A project's configuration: `.guardlint.yaml`, found in the folder of the checked files or above it.
#ifndef GL_CLI_CONFIG_H
#define GL_CLI_CONFIG_H

#include "base/diag.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>

#define GL_CONFIG_NAME ".guardlint.yaml"

struct gl_string_list {
    GL_VEC(const char *) list;
};

// What a file says; empty where it says nothing. Keys and meaning: config.def. Texts live in the arena given.
struct gl_config {
    const char *path;   // NULL: there is no file
    const char *folder; // of the file; what relative paths in it are relative to
    struct gl_string_list rules, enable, disable, exclude, args;
    const char *build;
    unsigned unit_timeout, unit_memory;
    bool is_strict;
    bool verify_together;
};

// The configuration file that belongs to a file or folder, or NULL if there is none up to the root.
const char *gl_config_find(struct gl_arena *arena, const char *file_or_folder);
// Reads a file. Errors have line and column, and name the nearest known key. Returns false on any error.
bool gl_config_read(struct gl_config *config, struct gl_arena *arena, const char *path,
                    struct gl_diags *diags);
// The same from text, for tests.
bool gl_config_parse(struct gl_config *config, struct gl_arena *arena, const char *path, const char *text,
                     size_t size, struct gl_diags *diags);
void gl_config_free(struct gl_config *config);

// Whether one of the `exclude` globs matches the path (absolute).
bool gl_config_excludes(const struct gl_config *config, const char *path);

#endif
