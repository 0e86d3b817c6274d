// SPDX-License-Identifier: Apache-2.0
// Path arithmetic and look-up of the program's own files.
#include "cli/paths.h"

#include "base/vec.h"
#include "base/worker_protocol.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *gl_path_join(struct gl_arena *arena, const char *folder, const char *path)
{
    if (*path == '/' || !folder || !*folder || strcmp(folder, ".") == 0)
        return gl_arena_strdup(arena, path);
    bool has_slash = folder[strlen(folder) - 1] == '/';
    return gl_arena_printf(arena, "%s%s%s", folder, has_slash ? "" : "/", path);
}

char *gl_path_folder(struct gl_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return gl_arena_strdup(arena, ".");
    return slash == path ? gl_arena_strdup(arena, "/")
                         : gl_arena_strndup(arena, path, (size_t)(slash - path));
}

const char *gl_path_current(struct gl_arena *arena)
{
    char *folder = getcwd(NULL, 0);
    const char *copy = gl_arena_strdup(arena, folder ? folder : "/");
    free(folder);
    return copy;
}

// Removes "." and ".." from an absolute path as text; for files that do not exist.
static char *path_normalize(char *path)
{
    char *out = path;
    for (const char *part = path; *part;) {
        while (*part == '/')
            part++;
        size_t length = strcspn(part, "/");
        if (length == 2 && strncmp(part, "..", 2) == 0) {
            while (out > path && *--out != '/')
                continue;
        } else if (length && !(length == 1 && *part == '.')) {
            *out++ = '/';
            memmove(out, part, length);
            out += length;
        }
        part += length;
    }
    if (out == path)
        *out++ = '/';
    *out = '\0';
    return path;
}

char *gl_path_absolute(struct gl_arena *arena, const char *path)
{
    char *real = realpath(path, NULL);
    if (!real)
        return path_normalize(gl_path_join(arena, gl_path_current(arena), path));
    char *copy = gl_arena_strdup(arena, real);
    free(real);
    return copy;
}

const char *gl_path_below(const char *folder, const char *path)
{
    size_t length = strlen(folder);
    while (length && folder[length - 1] == '/')
        length--;
    if (strncmp(path, folder, length) != 0 || path[length] != '/')
        return path;
    return path + length + 1;
}

bool gl_path_is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool gl_path_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static const struct extension {
    const char *name;
    enum gl_file_kind kind;
    const char *language;
} extensions[] = {
    {".c", GL_FILE_SOURCE, "c"},      {".cc", GL_FILE_SOURCE, "c++"},  {".cpp", GL_FILE_SOURCE, "c++"},
    {".cxx", GL_FILE_SOURCE, "c++"},  {".c++", GL_FILE_SOURCE, "c++"}, {".C", GL_FILE_SOURCE, "c++"},
    {".cu", GL_FILE_SOURCE, "cuda"},  {".h", GL_FILE_HEADER, NULL},    {".hh", GL_FILE_HEADER, "c++"},
    {".hpp", GL_FILE_HEADER, "c++"},  {".hxx", GL_FILE_HEADER, "c++"}, {".h++", GL_FILE_HEADER, "c++"},
    {".inl", GL_FILE_HEADER, "c++"},  {".ipp", GL_FILE_HEADER, "c++"}, {".tpp", GL_FILE_HEADER, "c++"},
    {".cuh", GL_FILE_HEADER, "cuda"}, {".gir", GL_FILE_IR, NULL},
};

enum gl_file_kind gl_path_kind(const char *path, const char **out_language)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < GL_COUNT(extensions); i++) {
        if (strcmp(dot, extensions[i].name) != 0)
            continue;
        *out_language = extensions[i].language;
        return extensions[i].kind;
    }
    *out_language = NULL;
    return GL_FILE_OTHER;
}

// The folder this program lies in, or NULL where /proc is missing.
static const char *program_folder(struct gl_arena *arena)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return NULL;
    path[length] = '\0';
    return gl_path_folder(arena, path);
}

const char *gl_path_frontend(struct gl_arena *arena)
{
    static const char *const places[] = {"", "../libexec/guardlint/", "../frontend/"};
    const char *folder = program_folder(arena);
    for (size_t i = 0; folder && i < GL_COUNT(places); i++) {
        const char *path = gl_arena_printf(arena, "%s/%s%s", folder, places[i], GL_WORKER_PROGRAM);
        if (access(path, X_OK) == 0 && gl_path_is_file(path))
            return path;
    }
    return NULL;
}

const char *gl_path_rules(struct gl_arena *arena)
{
    const char *folder = program_folder(arena);
    const char *installed = folder ? gl_path_join(arena, folder, "../share/guardlint/rules") : NULL;
    return installed && gl_path_is_folder(installed) ? installed : GL_BUILD_RULES;
}
