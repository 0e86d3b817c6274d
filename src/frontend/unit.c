// SPDX-License-Identifier: Apache-2.0
// One translation unit: finds the functions written in it, lowers them and what they reach, reads its
// comments.
#include "frontend/fe.h"

#include <ctype.h>
#include <string.h>

void gl_fe_problem(struct gl_fe *fe, const char *kind, struct gl_ir_loc loc, const char *message,
                   const char *hint)
{
    struct gl_strings *strings = gl_ir_strings(fe->program);
    struct gl_ir_problem problem = {gl_intern(strings, kind), loc, gl_intern(strings, message),
                                    hint ? gl_intern(strings, hint) : NULL};
    GL_VEC_PUSH(&fe->unit->problems, problem);
}

// ---- what is written here --------------------------------------------------------------------------------

static void want_pattern(struct gl_fe *fe, CXCursor function)
{
    if (!clang_isCursorDefinition(function))
        return;
    struct gl_fe_job job = {.kind = GL_JOB_BODY, .definition = function};
    GL_VEC_PUSH(&fe->late, job);
}

struct walk {
    struct gl_fe *fe;
    bool in_template;
    bool whole; // of a class: its members, wherever they were spelled
};

static enum CXChildVisitResult want(CXCursor cursor, CXCursor parent, CXClientData data);

static void walk_into(struct gl_fe *fe, CXCursor cursor, bool in_template, bool whole)
{
    struct walk walk = {fe, in_template, whole};
    clang_visitChildren(cursor, want, &walk);
}

static void want_function(struct walk *walk, CXCursor function)
{
    CXCursor scope = clang_getCursorSemanticParent(function);
    enum CXCursorKind kind = gl_fe_kind(scope);
    bool is_pattern = walk->in_template || kind == CXCursor_ClassTemplate ||
                      kind == CXCursor_ClassTemplatePartialSpecialization;
    if (is_pattern)
        want_pattern(walk->fe, function);
    else if (clang_isCursorDefinition(function))
        gl_fe_callee(walk->fe, function, 0);
}

static bool is_expanded_in_main_file(struct gl_fe *fe, CXCursor cursor)
{
    CXFile file;
    clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
    struct gl_fe_file *entry = gl_fe_file(fe, file);
    return entry && entry->is_main;
}

static enum CXChildVisitResult want(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct walk *walk = data;
    if (!walk->whole && !is_expanded_in_main_file(walk->fe, cursor))
        return CXChildVisit_Continue;
    switch (gl_fe_kind(cursor)) {
    case CXCursor_FunctionDecl:
    case CXCursor_CXXMethod:
    case CXCursor_Constructor:
    case CXCursor_Destructor:
    case CXCursor_ConversionFunction:
        want_function(walk, cursor);
        break;
    case CXCursor_FunctionTemplate:
        want_pattern(walk->fe, cursor);
        break;
    case CXCursor_ClassTemplate:
    case CXCursor_ClassTemplatePartialSpecialization:
        walk_into(walk->fe, cursor, true, walk->whole);
        break;
    case CXCursor_Namespace:
    case CXCursor_LinkageSpec:
    case CXCursor_UnexposedDecl:
    case CXCursor_StructDecl:
    case CXCursor_ClassDecl:
    case CXCursor_UnionDecl:
    case CXCursor_FriendDecl:
        walk_into(walk->fe, cursor, walk->in_template, walk->whole);
        break;
    default:
        break;
    }
    return CXChildVisit_Continue;
}

void gl_fe_want_bodies(struct gl_fe *fe, CXCursor declaration)
{
    walk_into(fe, declaration, false, true);
}

// ---- the queue -------------------------------------------------------------------------------------------

static void drain(struct gl_fe *fe, size_t *next)
{
    while (*next < fe->queue.count) {
        struct gl_fe_job job = fe->queue.items[(*next)++];
        gl_fe_lower_job(fe, &job);
    }
}

static void lower_patterns(struct gl_fe *fe, size_t *next)
{
    for (size_t i = 0; i < fe->late.count; i++) {
        struct gl_fe_job job = fe->late.items[i];
        if (gl_fe_body_seen(fe, job.definition, false))
            continue;
        if (!job.decl)
            job.decl = gl_fe_decl(fe, job.definition);
        if (gl_fe_is_device_only(job.decl))
            continue;
        gl_fe_lower_job(fe, &job);
        drain(fe, next);
    }
}

void gl_fe_lower_unit(struct gl_fe *fe)
{
    size_t next = 0;
    walk_into(fe, clang_getTranslationUnitCursor(fe->tu), false, false);
    drain(fe, &next);
    lower_patterns(fe, &next);
    if (fe->hit_limit)
        gl_fe_problem(
            fe, "limit", (struct gl_ir_loc){0},
            "too many functions or instantiations are reachable from this file; some were not followed",
            NULL);
}

// ---- comments --------------------------------------------------------------------------------------------

static const char marker[] = "guardlint:";

static const char *find_marker(const char *text, size_t size)
{
    for (const char *p = text; (p = memchr(p, 'g', size - (size_t)(p - text))); p++) {
        if ((size_t)(text + size - p) < sizeof marker - 1)
            return NULL;
        if (memcmp(p, marker, sizeof marker - 1) == 0)
            return p;
    }
    return NULL;
}

static void add_comment(struct gl_fe *fe, const char *text, size_t length, struct gl_ir_loc loc)
{
    size_t start = 0;
    while (start < length && (text[start] == '/' || text[start] == '*' || text[start] == '!' ||
                              isspace((unsigned char)text[start])))
        start++;
    if (length > 4 && text[length - 1] == '/' && text[length - 2] == '*')
        length -= 2;
    while (length > start && isspace((unsigned char)text[length - 1]))
        length--;
    if (length - start < sizeof marker - 1 || memcmp(text + start, marker, sizeof marker - 1) != 0)
        return;
    struct gl_ir_comment comment = {loc,
                                    gl_intern_n(gl_ir_strings(fe->program), text + start, length - start)};
    GL_VEC_PUSH(&fe->unit->comments, comment);
}

static void scan_tokens(struct gl_fe *fe, struct gl_fe_file *file)
{
    CXSourceRange range =
        clang_getRange(clang_getLocationForOffset(fe->tu, file->file, 0),
                       clang_getLocationForOffset(fe->tu, file->file, (unsigned)file->size));
    CXToken *tokens = NULL;
    unsigned count = 0;
    clang_tokenize(fe->tu, range, &tokens, &count);
    for (unsigned i = 0; i < count; i++) {
        if (clang_getTokenKind(tokens[i]) != CXToken_Comment)
            continue;
        CXString spelling = clang_getTokenSpelling(fe->tu, tokens[i]);
        const char *text = clang_getCString(spelling);
        if (text && strstr(text, marker))
            add_comment(fe, text, strlen(text), gl_fe_loc(fe, clang_getTokenLocation(fe->tu, tokens[i])));
        clang_disposeString(spelling);
    }
    clang_disposeTokens(fe->tu, tokens, count);
}

static void scan_file(struct gl_fe *fe, struct gl_fe_file *file)
{
    if (!file || file->is_scanned)
        return;
    file->is_scanned = true;
    if (file->text && find_marker(file->text, file->size))
        scan_tokens(fe, file);
}

// The main file and every file a lowered function stands in.
void gl_fe_scan_comments(struct gl_fe *fe)
{
    struct gl_map names = {0};
    for (size_t i = 0; i < fe->unit->funcs.count; i++) {
        const char *file = fe->unit->funcs.items[i]->loc.file;
        if (file)
            *gl_map_put(&names, file, NULL) = fe;
    }
    scan_file(fe, gl_fe_file(fe, fe->main_file));
    for (size_t i = 0; i < fe->files.capacity; i++) {
        struct gl_fe_file *file = fe->files.slots[i].key ? fe->files.slots[i].value : NULL;
        if (file && file->name && gl_map_get(&names, file->name, NULL))
            scan_file(fe, file);
    }
    gl_map_free(&names);
}
