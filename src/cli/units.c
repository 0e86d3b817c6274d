// SPDX-License-Identifier: Apache-2.0
// Collects the units of a run.
#include "cli/units.h"

#include "base/map.h"
#include "cli/args.h"
#include "cli/paths.h"

#include <dirent.h>
#include <errno.h>
#include <fts.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct collector {
    struct gl_unit_list *units;
    struct gl_arena *arena;
    const struct gl_unit_settings *settings;
    struct gl_diags *diags;
    const char *current; // folder of the process
    struct gl_strings *names;
    struct gl_map seen; // absolute paths
};

// ---- arguments -------------------------------------------------------------------------------------------

static void word_add(struct gl_unit *unit, const char *word)
{
    GL_VEC_PUSH(&unit->args.list, word);
}

// A header that does not tell is read as C where only C sources lie beside it.
static const char *header_language_guess(struct collector *c, const char *path)
{
    bool has_c = false, has_other = false;
    DIR *folder = opendir(gl_path_folder(c->arena, path));
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        const char *language;
        if (gl_path_kind(entry->d_name, &language) != GL_FILE_SOURCE)
            continue;
        if (strcmp(language, "c") == 0)
            has_c = true;
        else
            has_other = true;
    }
    if (folder)
        closedir(folder);
    return has_c && !has_other ? "c" : "c++";
}

// The language that must be said: clang knows it of sources by their extension, of headers it does not.
static const char *language_choose(struct collector *c, const char *path, const char *stated,
                                   const struct gl_compile_entry *borrowed)
{
    const char *language;
    enum gl_file_kind kind = gl_path_kind(path, &language);
    if (kind == GL_FILE_SOURCE)
        return stated && !borrowed ? stated : NULL;
    if (language || stated)
        return language ? language : stated;
    if (borrowed)
        gl_path_kind(borrowed->file, &language);
    return language ? language : header_language_guess(c, path);
}

// A neighbour's standard says nothing of a file in another language.
static bool is_foreign_standard(const char *word, const struct gl_compile_entry *borrowed, const char *path)
{
    const char *own = NULL, *other = NULL;
    if (!borrowed || strncmp(word, "-std=", 5) != 0)
        return false;
    gl_path_kind(path, &own);
    gl_path_kind(borrowed->file, &other);
    return own && other && (strcmp(own, "c") == 0) != (strcmp(other, "c") == 0);
}

static void arguments_add(struct collector *c, struct gl_unit *unit, const char *absolute)
{
    const struct gl_compdb *database = c->settings->database;
    const struct gl_compile_entry *own = database ? gl_compdb_find(database, absolute) : NULL;
    const struct gl_compile_entry *borrowed = database && !own ? gl_compdb_nearest(database, absolute) : NULL;
    const struct gl_compile_entry *entry = own ? own : borrowed;
    struct gl_args args = {0};
    if (entry) {
        unit->directory = entry->directory;
        unit->source = absolute;
        args = gl_args_translate(c->arena, &entry->command, entry->directory, unit->shown, c->diags);
    }
    const char *language = language_choose(c, absolute, args.language, borrowed);
    if (language) {
        word_add(unit, "-x");
        word_add(unit, language);
    }
    for (size_t i = 0; i < args.words.list.count; i++)
        if (!is_foreign_standard(args.words.list.items[i], borrowed, absolute))
            word_add(unit, args.words.list.items[i]);
    gl_args_free(&args);
    for (size_t i = 0; i < c->settings->config->args.list.count; i++)
        word_add(unit, c->settings->config->args.list.items[i]);
    for (size_t i = 0; i < c->settings->clang_arg_count; i++)
        word_add(unit, c->settings->clang_args[i]);
    unit->per_thread_default_stream = gl_args_are_per_thread(&unit->args);
}

// ---- files -----------------------------------------------------------------------------------------------

static bool is_new(struct collector *c, const char *absolute)
{
    void **slot = gl_map_put(&c->seen, gl_intern(c->names, absolute), NULL);
    bool was_new = !*slot;
    *slot = c;
    return was_new;
}

static bool says_language(const struct gl_unit_settings *settings)
{
    for (size_t i = 0; i < settings->clang_arg_count; i++) {
        if (strncmp(settings->clang_args[i], "-x", 2) == 0)
            return true;
    }
    return false;
}

static struct gl_failure file_failure(struct collector *c, const char *path)
{
    const char *language;
    if (access(path, R_OK) != 0)
        return (struct gl_failure){"unreadable",
                                   gl_arena_printf(c->arena, "cannot be read: %s", strerror(errno)),
                                   errno == ENOENT ? "check the path; it is relative to the current folder"
                                                   : "check the permissions"};
    if (gl_path_kind(path, &language) == GL_FILE_OTHER && !says_language(c->settings))
        return (struct gl_failure){"unknown-language", "is no C, C++ or CUDA source by its name",
                                   "say what it is: guardlint check FILE -- -x c++"};
    return (struct gl_failure){0};
}

static void file_add(struct collector *c, const char *path, const char *shown)
{
    const char *language, *absolute = gl_path_absolute(c->arena, path);
    if (!is_new(c, absolute))
        return;
    if (gl_config_excludes(c->settings->config, absolute)) {
        c->units->excluded++;
        return;
    }
    struct gl_unit unit = {.source = path, .shown = shown, .directory = "", .failure = file_failure(c, path)};
    unit.is_ir = gl_path_kind(path, &language) == GL_FILE_IR;
    if (!unit.is_ir && !unit.failure.kind)
        arguments_add(c, &unit, absolute);
    GL_VEC_PUSH(&c->units->list, unit);
}

static void failure_add(struct collector *c, const char *path, struct gl_failure failure)
{
    GL_VEC_PUSH(&c->units->list,
                (struct gl_unit){.source = path, .shown = path, .directory = "", .failure = failure});
}

// ---- folders ---------------------------------------------------------------------------------------------

static int entry_compare(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool is_hidden(const FTSENT *entry)
{
    return entry->fts_level > FTS_ROOTLEVEL && entry->fts_name[0] == '.';
}

// Adds one thing met on the walk; returns whether it is a source.
static bool walk_entry(struct collector *c, FTS *walk, FTSENT *entry)
{
    const char *language;
    if (entry->fts_info == FTS_D && is_hidden(entry))
        fts_set(walk, entry, FTS_SKIP);
    if (entry->fts_info == FTS_DNR) {
        failure_add(c, gl_arena_strdup(c->arena, entry->fts_path),
                    (struct gl_failure){"unreadable",
                                        gl_arena_printf(c->arena, "the folder cannot be read: %s",
                                                        strerror(entry->fts_errno)),
                                        "check the permissions"});
        return true; // said; the folder is not empty
    }
    if (entry->fts_info != FTS_F || is_hidden(entry))
        return false;
    enum gl_file_kind kind = gl_path_kind(entry->fts_name, &language);
    if (kind != GL_FILE_SOURCE && kind != GL_FILE_IR)
        return false;
    const char *path = gl_arena_strdup(c->arena, entry->fts_path);
    file_add(c, path, gl_path_below(".", path));
    return true;
}

static void folder_add(struct collector *c, const char *path)
{
    char *root = gl_arena_strdup(c->arena, path);
    for (size_t length = strlen(root); length > 1 && root[length - 1] == '/'; length--)
        root[length - 1] = '\0';
    char *const roots[] = {root, NULL};
    FTS *walk = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, entry_compare);
    bool has_source = false;
    for (FTSENT *entry; walk && (entry = fts_read(walk));)
        has_source |= walk_entry(c, walk, entry);
    if (walk)
        fts_close(walk);
    if (!has_source)
        failure_add(c, path,
                    (struct gl_failure){"no-sources", "no source file lies in this folder or below it",
                                        "sources end in .c, .cc, .cpp, .cxx, .cu or .gir"});
}

static void database_add(struct collector *c)
{
    const struct gl_compdb *database = c->settings->database;
    for (size_t i = 0; i < database->entries.count; i++) {
        const char *file = database->entries.items[i].file;
        const char *language;
        if (gl_path_kind(file, &language) == GL_FILE_SOURCE) // not assembler, Fortran, …
            file_add(c, file, gl_path_below(c->current, file));
    }
    if (!c->units->list.count && !c->units->excluded)
        failure_add(
            c, database->path,
            (struct gl_failure){"no-sources", "the compile database has no C, C++ or CUDA source", NULL});
}

void gl_units_collect(struct gl_unit_list *units, struct gl_arena *arena,
                      const struct gl_unit_settings *settings, const char *const *files, size_t file_count,
                      struct gl_diags *diags)
{
    struct collector c = {.units = units,
                          .arena = arena,
                          .settings = settings,
                          .diags = diags,
                          .current = gl_path_current(arena),
                          .names = gl_strings_create()};
    for (size_t i = 0; i < file_count; i++) {
        if (gl_path_is_folder(files[i]))
            folder_add(&c, files[i]);
        else
            file_add(&c, files[i], files[i]);
    }
    if (!file_count && settings->database)
        database_add(&c);
    gl_map_free(&c.seen);
    gl_strings_destroy(c.names);
}

void gl_units_free(struct gl_unit_list *units)
{
    for (size_t i = 0; i < units->list.count; i++)
        GL_VEC_FREE(&units->list.items[i].args.list);
    GL_VEC_FREE(&units->list);
}
