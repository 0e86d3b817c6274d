// SPDX-License-Identifier: Apache-2.0
// Reads compile databases with jansson. Format: the JSON Compilation Database of clang's documentation.
#include "cli/compdb.h"

#include "cli/paths.h"

#include <jansson.h>
#include <string.h>

struct builder {
    struct gl_compdb *db;
    struct gl_arena *arena;
    struct gl_diags *diags;
    const char *folder; // the database's, for relative directories
};

static bool entry_fail(struct builder *b, size_t index, const char *what)
{
    gl_diag_add(b->diags, GL_ERROR, b->db->path, 0, 0, NULL, "entry %zu of the compile database %s",
                index + 1, what);
    return false;
}

static bool command_read(struct builder *b, const json_t *object, struct gl_words *out_words)
{
    const json_t *arguments = json_object_get(object, "arguments");
    const char *command = json_string_value(json_object_get(object, "command"));
    for (size_t i = 0; i < json_array_size(arguments); i++) {
        const char *word = json_string_value(json_array_get(arguments, i));
        if (!word)
            return false;
        GL_VEC_PUSH(&out_words->list, gl_arena_strdup(b->arena, word));
    }
    if (!out_words->list.count && command)
        gl_words_split(b->arena, command, out_words);
    return out_words->list.count > 0;
}

// Keeps the entry; a second one for the same file (another configuration of it) is left out, because its
// findings would be those of the first once more.
static void entry_add(struct builder *b, struct gl_compile_entry *entry)
{
    void **slot = gl_map_put(&b->db->by_file, entry->file, NULL);
    if (*slot) {
        GL_VEC_FREE(&entry->command.list);
        return;
    }
    GL_VEC_PUSH(&b->db->entries, *entry);
    *slot = (void *)(uintptr_t)b->db->entries.count; // index + 1: the vector moves
}

static bool entry_read(struct builder *b, const json_t *object, size_t index)
{
    const char *file = json_string_value(json_object_get(object, "file"));
    const char *directory = json_string_value(json_object_get(object, "directory"));
    if (!json_is_object(object))
        return entry_fail(b, index, "is no object");
    if (!file || !*file)
        return entry_fail(b, index, "has no \"file\"");
    struct gl_compile_entry entry = {
        .directory =
            gl_path_absolute(b->arena, gl_path_join(b->arena, b->folder, directory ? directory : ".")),
    };
    entry.file =
        gl_intern(b->db->strings, gl_path_absolute(b->arena, gl_path_join(b->arena, entry.directory, file)));
    if (!command_read(b, object, &entry.command)) {
        GL_VEC_FREE(&entry.command.list);
        return entry_fail(b, index, "has neither a \"command\" nor \"arguments\"");
    }
    entry_add(b, &entry);
    return true;
}

static json_t *json_read(struct builder *b)
{
    json_error_t error;
    json_t *root = json_load_file(b->db->path, 0, &error);
    if (root || error.line < 0) {
        if (!root)
            gl_diag_add(
                b->diags, GL_ERROR, b->db->path, 0, 0,
                "CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON; Bear and compiledb do for others",
                "the compile database cannot be read: %s", error.text);
        return root;
    }
    gl_diag_add(b->diags, GL_ERROR, b->db->path, (unsigned)error.line,
                (unsigned)(error.column > 0 ? error.column : 1),
                "the file may be cut off; configure the build again",
                "the compile database is no valid JSON: %s", error.text);
    return NULL;
}

bool gl_compdb_read(struct gl_compdb *db, struct gl_arena *arena, const char *path, struct gl_diags *diags)
{
    db->path = gl_path_is_folder(path) ? gl_path_join(arena, path, "compile_commands.json") : path;
    db->strings = gl_strings_create();
    struct builder b = {db, arena, diags, gl_path_absolute(arena, gl_path_folder(arena, db->path))};
    json_t *root = json_read(&b);
    if (!root)
        return false;
    bool is_good = json_is_array(root);
    if (!is_good)
        gl_diag_add(diags, GL_ERROR, db->path, 1, 1, NULL, "the compile database is no array of entries");
    for (size_t i = 0; is_good && i < json_array_size(root); i++)
        is_good = entry_read(&b, json_array_get(root, i), i);
    json_decref(root);
    return is_good;
}

const struct gl_compile_entry *gl_compdb_find(const struct gl_compdb *db, const char *file)
{
    uintptr_t index = (uintptr_t)gl_map_get(&db->by_file, gl_intern(db->strings, file), NULL);
    return index ? &db->entries.items[index - 1] : NULL;
}

static size_t common_length(const char *a, const char *b)
{
    size_t length = 0;
    while (a[length] && a[length] == b[length])
        length++;
    return length;
}

// Same stem beats same folder beats a folder nearby; of equals, the one in the same language, then the first.
const struct gl_compile_entry *gl_compdb_nearest(const struct gl_compdb *db, const char *file)
{
    const struct gl_compile_entry *best = NULL;
    size_t best_score = 0;
    const char *language, *other;
    gl_path_kind(file, &language);
    for (size_t i = 0; i < db->entries.count; i++) {
        const struct gl_compile_entry *entry = &db->entries.items[i];
        gl_path_kind(entry->file, &other);
        bool is_same = language && other && strcmp(language, other) == 0;
        size_t score = common_length(file, entry->file) * 2 + 1 + is_same;
        if (score > best_score) {
            best_score = score;
            best = entry;
        }
    }
    return best;
}

void gl_compdb_free(struct gl_compdb *db)
{
    for (size_t i = 0; i < db->entries.count; i++)
        GL_VEC_FREE(&db->entries.items[i].command.list);
    GL_VEC_FREE(&db->entries);
    gl_map_free(&db->by_file);
    gl_strings_destroy(db->strings);
}
