// SPDX-License-Identifier: Apache-2.0
// Positions and texts: where a cursor stands in which file, which macro it comes from, what is written there.
#include "frontend/fe.h"

#include "frontend/headers.h"

#include <ctype.h>
#include <string.h>

struct gl_fe_file *gl_fe_file(struct gl_fe *fe, CXFile file)
{
    if (!file)
        return NULL;
    void **slot = gl_map_put(&fe->files, file, NULL);
    if (*slot)
        return *slot;
    struct gl_fe_file *entry = GL_ARENA_NEW(&fe->arena, struct gl_fe_file);
    *slot = entry;
    entry->file = file;
    entry->name = gl_fe_string(fe, clang_getFileName(file));
    entry->text = clang_getFileContents(fe->tu, file, &entry->size);
    entry->is_main = clang_File_isEqual(file, fe->main_file);
    if (strncmp(entry->name, GL_BUILTIN_FOLDER "/", sizeof GL_BUILTIN_FOLDER) == 0)
        entry->name = NULL;
    if (entry->is_main)
        entry->name = gl_intern(gl_ir_strings(fe->program), fe->shown_path);
    return entry;
}

size_t gl_fe_identifier_length(const char *text, size_t size)
{
    size_t length = 0;
    while (length < size && (isalpha((unsigned char)text[length]) || text[length] == '_' ||
                             (length && isdigit((unsigned char)text[length]))))
        length++;
    return length;
}

struct gl_ir_loc gl_fe_loc(struct gl_fe *fe, CXSourceLocation location)
{
    CXFile file, spelled_file;
    unsigned line, column, offset, spelled;
    clang_getExpansionLocation(location, &file, &line, &column, &offset);
    struct gl_fe_file *entry = gl_fe_file(fe, file);
    if (!entry || !entry->name)
        return (struct gl_ir_loc){0};
    struct gl_ir_loc loc = {entry->name, line, column, NULL};
    clang_getSpellingLocation(location, &spelled_file, NULL, NULL, &spelled);
    if ((spelled != offset || spelled_file != file) && entry->text && offset < entry->size) {
        size_t length = gl_fe_identifier_length(entry->text + offset, entry->size - offset);
        if (length)
            loc.macro = gl_intern_n(gl_ir_strings(fe->program), entry->text + offset, length);
    }
    return loc;
}

struct gl_ir_loc gl_fe_cursor_loc(struct gl_fe *fe, CXCursor cursor)
{
    return gl_fe_loc(fe, clang_getCursorLocation(cursor));
}

// An extent costs libclang a look at the text; most expressions and statements are located where they start.
static bool is_located_at_start(CXCursor cursor)
{
    enum CXCursorKind kind = gl_fe_kind(cursor);
    return clang_isStatement(kind) || kind == CXCursor_CallExpr || kind == CXCursor_BinaryOperator;
}

struct gl_ir_loc gl_fe_start_loc(struct gl_fe *fe, CXCursor cursor)
{
    if (is_located_at_start(cursor))
        return gl_fe_cursor_loc(fe, cursor);
    return gl_fe_loc(fe, clang_getRangeStart(clang_getCursorExtent(cursor)));
}

// The last token, not the end of it: a closing brace is where it stands.
struct gl_ir_loc gl_fe_end_loc(struct gl_fe *fe, CXCursor cursor)
{
    struct gl_ir_loc loc = gl_fe_loc(fe, clang_getRangeEnd(clang_getCursorExtent(cursor)));
    loc.macro = NULL;
    if (loc.column > 1)
        loc.column--;
    return loc;
}

unsigned gl_fe_start_offset(CXCursor cursor)
{
    unsigned offset = 0;
    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(cursor)), NULL, NULL, NULL, &offset);
    return offset;
}

unsigned gl_fe_end_offset(CXCursor cursor)
{
    unsigned offset = 0;
    clang_getExpansionLocation(clang_getRangeEnd(clang_getCursorExtent(cursor)), NULL, NULL, NULL, &offset);
    return offset;
}

struct gl_fe_file *gl_fe_spelled_at(struct gl_fe *fe, CXSourceLocation location, unsigned *out_offset)
{
    CXFile file;
    clang_getSpellingLocation(location, &file, NULL, NULL, out_offset);
    struct gl_fe_file *entry = gl_fe_file(fe, file);
    return entry && entry->text && *out_offset < entry->size ? entry : NULL;
}

const char *gl_fe_text(struct gl_fe *fe, CXCursor cursor, size_t *out_length)
{
    CXSourceRange range = clang_getCursorExtent(cursor);
    CXFile file, end_file;
    unsigned start, end;
    clang_getExpansionLocation(clang_getRangeStart(range), &file, NULL, NULL, &start);
    clang_getExpansionLocation(clang_getRangeEnd(range), &end_file, NULL, NULL, &end);
    struct gl_fe_file *entry = gl_fe_file(fe, file);
    if (!entry || file != end_file || !entry->text || end > entry->size || start >= end)
        return NULL;
    *out_length = end - start;
    return entry->text + start;
}
