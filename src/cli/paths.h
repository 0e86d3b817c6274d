// SPDX-License-Identifier: Apache-2.0
// Paths: joining and normalising them, what kind of file a name stands for, and where the program's own files
// are.
#ifndef GL_CLI_PATHS_H
#define GL_CLI_PATHS_H

#include "base/arena.h"

#include <stdbool.h>

// `path` seen from `folder`: itself if it is absolute or `folder` is NULL or empty.
char *gl_path_join(struct gl_arena *arena, const char *folder, const char *path);
// The folder of a path: "." for a bare name.
char *gl_path_folder(struct gl_arena *arena, const char *path);
// Absolute, without "." and ".." and with symbolic links followed where the file exists.
char *gl_path_absolute(struct gl_arena *arena, const char *path);
// The path relative to `folder` if it is below it (both absolute), else itself.
const char *gl_path_below(const char *folder, const char *path);
const char *gl_path_current(struct gl_arena *arena);
bool gl_path_is_file(const char *path);
bool gl_path_is_folder(const char *path);

enum gl_file_kind { GL_FILE_OTHER, GL_FILE_SOURCE, GL_FILE_HEADER, GL_FILE_IR };

// What the extension says: kind, and the language as clang names it ("c", "c++", "cuda"; NULL for .h and
// others, which do not tell).
enum gl_file_kind gl_path_kind(const char *path, const char **out_language);

// The front end's worker: beside this program, in ../libexec/guardlint, or in its own folder of the build
// tree. NULL if there is none.
const char *gl_path_frontend(struct gl_arena *arena);
// The folder of the rule files that come with the program: installed, or those of the source tree.
const char *gl_path_rules(struct gl_arena *arena);

#endif
