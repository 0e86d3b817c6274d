// SPDX-License-Identifier: Apache-2.0
// Small questions about libclang's cursors: children, names, what a declaration is, constant values.
#include "frontend/fe.h"

#include <string.h>

bool gl_fe_is_null(CXCursor cursor)
{
    return clang_Cursor_isNull(cursor) || clang_isInvalid(gl_fe_kind(cursor));
}

const void *gl_fe_key(CXCursor declaration)
{
    return clang_getCanonicalCursor(declaration).data[0];
}

// ---- children --------------------------------------------------------------------------------------------

static enum CXChildVisitResult kid_push(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct gl_fe *fe = data;
    GL_VEC_PUSH(&fe->kid_stack, cursor);
    return CXChildVisit_Continue;
}

struct gl_kids gl_fe_kids(struct gl_fe *fe, CXCursor cursor)
{
    size_t base = fe->kid_stack.count;
    clang_visitChildren(cursor, kid_push, fe);
    size_t count = fe->kid_stack.count - base;
    fe->kid_stack.count = base;
    if (!count)
        return (struct gl_kids){0};
    CXCursor *at = gl_arena_copy(&fe->scratch, fe->kid_stack.items + base, count * sizeof *at);
    return (struct gl_kids){at, count};
}

static bool is_expr_or_stmt(CXCursor cursor)
{
    enum CXCursorKind kind = gl_fe_kind(cursor);
    return clang_isExpression(kind) || clang_isStatement(kind);
}

struct gl_kids gl_fe_expr_kids(struct gl_fe *fe, CXCursor cursor)
{
    struct gl_kids kids = gl_fe_kids(fe, cursor);
    size_t count = 0;
    for (size_t i = 0; i < kids.count; i++)
        if (is_expr_or_stmt(kids.at[i]))
            kids.at[count++] = kids.at[i];
    kids.count = count;
    return kids;
}

static enum CXChildVisitResult kid_first_expr(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (!is_expr_or_stmt(cursor))
        return CXChildVisit_Continue;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Break;
}

CXCursor gl_fe_expr_kid(struct gl_fe *fe, CXCursor cursor)
{
    (void)fe;
    CXCursor found = clang_getNullCursor();
    clang_visitChildren(cursor, kid_first_expr, &found);
    return found;
}

// Whether an implicit node keeps the object it is about: no array decay, no conversion to a scalar.
static bool keeps_object(CXCursor outer, CXCursor inner)
{
    enum CXTypeKind to = clang_getCanonicalType(clang_getCursorType(outer)).kind;
    enum CXTypeKind from = clang_getCanonicalType(clang_getCursorType(inner)).kind;
    return to == from || from == CXType_Dependent || to == CXType_Dependent;
}

CXCursor gl_fe_strip(struct gl_fe *fe, CXCursor cursor)
{
    for (;;) {
        enum CXCursorKind kind = gl_fe_kind(cursor);
        if (kind != CXCursor_ParenExpr && kind != CXCursor_UnexposedExpr)
            return cursor;
        struct gl_kids kids = gl_fe_expr_kids(fe, cursor);
        if (kids.count != 1)
            return cursor;
        if (kind == CXCursor_UnexposedExpr && !keeps_object(cursor, kids.at[0]))
            return cursor;
        cursor = kids.at[0];
    }
}

// ---- names -----------------------------------------------------------------------------------------------

const char *gl_fe_string(struct gl_fe *fe, CXString string)
{
    const char *text = clang_getCString(string);
    const char *interned = gl_intern(gl_ir_strings(fe->program), text ? text : "");
    clang_disposeString(string);
    return interned;
}

const char *gl_fe_spelling(struct gl_fe *fe, CXCursor cursor)
{
    return gl_fe_string(fe, clang_getCursorSpelling(cursor));
}

const char *gl_fe_usr(struct gl_fe *fe, CXCursor cursor)
{
    return gl_fe_string(fe, clang_getCursorUSR(cursor));
}

// The part of a qualified name that a scope adds; NULL: none.
static const char *scope_name(struct gl_fe *fe, CXCursor cursor)
{
    switch (gl_fe_kind(cursor)) {
    case CXCursor_Namespace:
        return clang_Cursor_isInlineNamespace(cursor) || clang_Cursor_isAnonymous(cursor)
                   ? NULL
                   : gl_fe_spelling(fe, cursor);
    case CXCursor_StructDecl:
    case CXCursor_ClassDecl:
    case CXCursor_UnionDecl:
        if (strncmp(gl_fe_spelling(fe, cursor), "(lambda", 7) == 0)
            return "(lambda)";
        return clang_Cursor_isAnonymous(cursor) ? NULL : gl_fe_spelling(fe, cursor);
    case CXCursor_EnumDecl:
        return clang_Cursor_isAnonymous(cursor) ? NULL : gl_fe_spelling(fe, cursor);
    case CXCursor_ClassTemplate:
    case CXCursor_ClassTemplatePartialSpecialization:
        return gl_fe_spelling(fe, cursor);
    default:
        return NULL;
    }
}

static bool ends_scope_walk(CXCursor cursor)
{
    enum CXCursorKind kind = gl_fe_kind(cursor);
    return gl_fe_is_null(cursor) || kind == CXCursor_TranslationUnit;
}

static size_t name_length(const char *name)
{
    // Constructors of template patterns are spelled with their template arguments.
    const char *angle = strchr(name, '<');
    if (!angle || angle == name || strncmp(name, "operator", 8) == 0)
        return strlen(name);
    return (size_t)(angle - name);
}

const char *gl_fe_qualified_name(struct gl_fe *fe, CXCursor cursor)
{
    void **slot = gl_map_put(&fe->names, gl_fe_key(cursor), NULL);
    if (*slot)
        return *slot;
    const char *own = gl_fe_spelling(fe, cursor);
    struct gl_arena text = {0};
    char *name = gl_arena_strndup(&text, own, name_length(own));
    for (CXCursor scope = clang_getCursorSemanticParent(cursor); !ends_scope_walk(scope);
         scope = clang_getCursorSemanticParent(scope)) {
        const char *outer = scope_name(fe, scope);
        if (outer)
            name = gl_arena_printf(&text, "%s::%s", outer, name);
    }
    const char *interned = gl_intern(gl_ir_strings(fe->program), name);
    gl_arena_free(&text);
    *gl_map_put(&fe->names, gl_fe_key(cursor), NULL) = (void *)(uintptr_t)interned;
    return interned;
}

// The last identifier in a text such as `p->template data<float>`, before template arguments.
static const char *last_identifier(struct gl_fe *fe, const char *text, size_t size)
{
    size_t end = size;
    if (end && text[end - 1] == '>') {
        int depth = 0;
        while (end > 0) {
            char c = text[--end];
            depth += c == '>' ? 1 : c == '<' ? -1 : 0;
            if (!depth)
                break;
        }
    }
    while (end > 0 && !gl_fe_identifier_length(text + end - 1, 1) &&
           !(text[end - 1] >= '0' && text[end - 1] <= '9'))
        end--;
    size_t start = end;
    while (start > 0 && (gl_fe_identifier_length(text + start - 1, 1) ||
                         (text[start - 1] >= '0' && text[start - 1] <= '9')))
        start--;
    if (start == end)
        return NULL;
    return gl_intern_n(gl_ir_strings(fe->program), text + start, end - start);
}

static const char *overloaded_name(struct gl_fe *fe, CXCursor cursor)
{
    struct gl_kids kids = gl_fe_kids(fe, cursor);
    for (size_t i = 0; i < kids.count; i++)
        if (gl_fe_kind(kids.at[i]) == CXCursor_OverloadedDeclRef)
            return gl_fe_spelling(fe, kids.at[i]);
    return NULL;
}

const char *gl_fe_written_name(struct gl_fe *fe, CXCursor cursor)
{
    const char *spelling = gl_fe_spelling(fe, cursor);
    if (*spelling)
        return spelling;
    const char *overloaded = overloaded_name(fe, cursor);
    if (overloaded && *overloaded)
        return overloaded;
    size_t length;
    const char *text = gl_fe_text(fe, cursor, &length);
    return text ? last_identifier(fe, text, length) : NULL;
}

// ---- kinds and values ------------------------------------------------------------------------------------

bool gl_fe_is_in_system_header(CXCursor cursor)
{
    return clang_Location_isInSystemHeader(clang_getCursorLocation(cursor));
}

bool gl_fe_is_record_kind(enum CXCursorKind kind)
{
    return kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl || kind == CXCursor_UnionDecl ||
           kind == CXCursor_ClassTemplate || kind == CXCursor_ClassTemplatePartialSpecialization;
}

// What the compiler declares by itself covers no more than the class's name.
bool gl_fe_is_implicit(struct gl_fe *fe, CXCursor member)
{
    size_t length;
    const char *text = gl_fe_text(fe, member, &length);
    return !text || gl_fe_identifier_length(text, length) == length;
}

bool gl_fe_constant(CXCursor cursor, int64_t *out_value)
{
    CXEvalResult result = clang_Cursor_Evaluate(cursor);
    if (!result)
        return false;
    bool is_int = clang_EvalResult_getKind(result) == CXEval_Int;
    if (is_int && clang_EvalResult_isUnsignedInt(result))
        *out_value = (int64_t)clang_EvalResult_getAsUnsigned(result);
    else if (is_int)
        *out_value = clang_EvalResult_getAsLongLong(result);
    clang_EvalResult_dispose(result);
    return is_int;
}
