// SPDX-License-Identifier: Apache-2.0
// Reading and atomic writing of whole files.
#include "base/file.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Reads to the end: pipes and /proc files have no size beforehand.
static char *stream_read(FILE *stream, size_t capacity, size_t *out_size)
{
    char *text = gl_xmalloc(capacity);
    size_t size = 0;
    for (;;) {
        size += fread(text + size, 1, capacity - size - 1, stream);
        if (size + 1 < capacity)
            break;
        capacity *= 2;
        text = gl_xrealloc(text, capacity);
    }
    text[size] = '\0';
    *out_size = size;
    return text;
}

char *gl_file_read(const char *path, size_t *out_size)
{
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return NULL;
    struct stat info;
    if (fstat(fileno(stream), &info) != 0 || S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        fclose(stream);
        return NULL;
    }
    char *text = stream_read(stream, (size_t)info.st_size + 2, out_size);
    int error = ferror(stream) ? errno : 0;
    fclose(stream);
    if (!error)
        return text;
    free(text);
    errno = error;
    return NULL;
}

// mkstemp makes private files; ours are like any other that the user creates.
static void mode_set(int descriptor)
{
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(descriptor, 0666 & ~mask) != 0)
        errno = 0; // some file systems have no modes
}

bool gl_file_open(struct gl_file_writer *writer, const char *path)
{
    struct stat info;
    bool is_special =
        stat(path, &info) == 0 && !S_ISREG(info.st_mode); // /dev/stdout, a pipe: written directly
    size_t size = strlen(path) + sizeof ".XXXXXX";
    writer->path = gl_xstrdup(path);
    writer->temporary = gl_xmalloc(size);
    snprintf(writer->temporary, size, is_special ? "%s" : "%s.XXXXXX", path);
    int descriptor = is_special ? open(path, O_WRONLY) : mkstemp(writer->temporary);
    writer->stream = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (writer->stream) {
        if (!is_special)
            mode_set(descriptor);
        return true;
    }
    int error = errno;
    free(writer->path);
    free(writer->temporary);
    errno = error;
    return false;
}

bool gl_file_commit(struct gl_file_writer *writer)
{
    bool is_written = fflush(writer->stream) == 0 && !ferror(writer->stream);
    int error = is_written ? 0 : errno ? errno : EIO;
    if (fclose(writer->stream) != 0 && !error)
        error = errno;
    bool is_special = strcmp(writer->path, writer->temporary) == 0;
    if (!error && !is_special && rename(writer->temporary, writer->path) != 0)
        error = errno;
    if (error && !is_special)
        unlink(writer->temporary);
    free(writer->path);
    free(writer->temporary);
    errno = error;
    return !error;
}
