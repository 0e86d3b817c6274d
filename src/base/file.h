// SPDX-License-Identifier: Apache-2.0
// Whole files: read at once, written so that a reader never sees half of one.
#ifndef GL_BASE_FILE_H
#define GL_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// The file's bytes and a NUL after them, or NULL with errno set. The caller frees them.
char *gl_file_read(const char *path, size_t *out_size);

// A file under a temporary name beside its own; zero-initialise to use.
struct gl_file_writer {
    FILE *stream; // what to write to
    char *path, *temporary;
};

// Returns false with errno set if the file cannot be created.
bool gl_file_open(struct gl_file_writer *writer, const char *path);
// Puts the file in its place; after an error of any kind it removes it and returns false with errno set.
bool gl_file_commit(struct gl_file_writer *writer);

#endif
