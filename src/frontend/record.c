// SPDX-License-Identifier: Apache-2.0
// Classes: fields, bases, and what their constructors, assignments and destructors do, found from libclang's
// declarations → gl_fe_record and the IR's record.
#include "frontend/fe.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// ---- names -----------------------------------------------------------------------------------------------

static const char *record_name(struct gl_fe *fe, CXCursor declaration)
{
    // A C struct without a tag goes by its typedef; a closure or a nested anonymous struct has no name.
    if (!clang_Cursor_isAnonymous(declaration)) {
        const char *name = gl_fe_qualified_name(fe, declaration);
        if (*name && !strchr(name, '('))
            return name;
    }
    const char *spelled = gl_fe_string(fe, clang_getTypeSpelling(clang_getCursorType(declaration)));
    if (*spelled && !strchr(spelled, '(') && !strchr(spelled, ' '))
        return spelled;
    return gl_intern(gl_ir_strings(fe->program), strstr(spelled, "lambda") ? "(lambda)" : "(anonymous)");
}

static void add_template_args(struct gl_fe *fe, struct gl_ir_record *record, CXType type)
{
    int count = clang_Type_getNumTemplateArguments(type);
    for (int i = 0; i < count; i++) {
        CXType argument = clang_Type_getTemplateArgumentAsType(type, (unsigned)i);
        GL_VEC_PUSH(&record->template_args, gl_fe_type(fe, argument));
    }
}

struct gl_ir_record *gl_fe_record_named(struct gl_fe *fe, CXCursor declaration)
{
    const void *key = gl_fe_key(declaration);
    struct gl_ir_record *record = gl_map_get(&fe->record_names, key, NULL);
    if (record)
        return record;
    record = gl_ir_record_get(fe->program, gl_fe_usr(fe, declaration));
    *gl_map_put(&fe->record_names, key, NULL) = record;
    if (record->name)
        return record;
    record->name = record_name(fe, declaration);
    add_template_args(fe, record, clang_getCursorType(declaration));
    return record;
}

// ---- what the language calls by itself -------------------------------------------------------------------

enum gl_special gl_fe_special_kind(CXCursor function)
{
    switch (gl_fe_kind(function)) {
    case CXCursor_Destructor:
        return GL_SPECIAL_DESTRUCTOR;
    case CXCursor_Constructor:
        return clang_CXXConstructor_isCopyConstructor(function)      ? GL_SPECIAL_COPY
               : clang_CXXConstructor_isMoveConstructor(function)    ? GL_SPECIAL_MOVE
               : clang_CXXConstructor_isDefaultConstructor(function) ? GL_SPECIAL_DEFAULT
                                                                     : GL_SPECIAL_NONE;
    case CXCursor_CXXMethod:
        return clang_CXXMethod_isCopyAssignmentOperator(function)   ? GL_SPECIAL_COPY_ASSIGN
               : clang_CXXMethod_isMoveAssignmentOperator(function) ? GL_SPECIAL_MOVE_ASSIGN
                                                                    : GL_SPECIAL_NONE;
    default:
        return GL_SPECIAL_NONE;
    }
}

static void note_method(struct gl_fe *fe, struct gl_fe_record *record, CXCursor method)
{
    record->is_polymorphic |= clang_CXXMethod_isVirtual(method) != 0;
    enum gl_special kind = gl_fe_special_kind(method);
    if (kind == GL_SPECIAL_NONE || gl_fe_is_implicit(fe, method))
        return;
    bool is_deleted = clang_CXXMethod_isDeleted(method) != 0;
    if (!gl_fe_is_null(record->special[kind]) && is_deleted)
        return;
    record->special[kind] = method;
    record->is_deleted[kind] = is_deleted;
    record->is_user_provided[kind] = !is_deleted && !clang_CXXMethod_isDefaulted(method);
}

// ---- fields ----------------------------------------------------------------------------------------------

struct collect {
    struct gl_fe *fe;
    struct gl_fe_record *record;
    size_t member_count;
};

static void note_field(struct gl_fe *fe, struct gl_fe_record *record, CXCursor cursor)
{
    struct gl_fe_field field = {.cursor = cursor, .type = clang_getCursorType(cursor)};
    field.name = gl_fe_spelling(fe, cursor);
    if (!*field.name || strchr(field.name, '(')) {
        char name[32];
        snprintf(name, sizeof name, "<%zu>", record->fields.count);
        field.name = gl_intern(gl_ir_strings(fe->program), name);
    }
    field.ir_type = gl_fe_type(fe, field.type);
    *gl_map_put(&fe->field_names, gl_fe_key(cursor), NULL) = (void *)(uintptr_t)field.name;
    GL_VEC_PUSH(&record->fields, field);
}

static enum CXVisitorResult visit_field(CXCursor cursor, CXClientData data)
{
    struct collect *collect = data;
    note_field(collect->fe, collect->record, cursor);
    return CXVisit_Continue;
}

static enum CXChildVisitResult visit_member(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct collect *collect = data;
    collect->member_count++;
    switch (gl_fe_kind(cursor)) {
    case CXCursor_CXXBaseSpecifier:
        GL_VEC_PUSH(&collect->record->bases, clang_getCursorType(cursor));
        collect->record->is_polymorphic |= clang_isVirtualBase(cursor) != 0;
        break;
    case CXCursor_Constructor:
    case CXCursor_Destructor:
    case CXCursor_CXXMethod:
        note_method(collect->fe, collect->record, cursor);
        break;
    case CXCursor_FieldDecl: // of others the type knows the fields, in the right order
        if (collect->record->type.kind == CXType_Invalid)
            note_field(collect->fe, collect->record, cursor);
        break;
    default:
        break;
    }
    return CXChildVisit_Continue;
}

#ifdef GL_HAVE_VISIT_METHODS
static enum CXVisitorResult visit_method(CXCursor cursor, CXClientData data)
{
    struct collect *collect = data;
    note_method(collect->fe, collect->record, cursor);
    return CXVisit_Continue;
}

static enum CXVisitorResult visit_base(CXCursor cursor, CXClientData data)
{
    struct collect *collect = data;
    GL_VEC_PUSH(&collect->record->bases, clang_getCursorType(cursor));
    collect->record->is_polymorphic |= clang_isVirtualBase(cursor) != 0;
    return CXVisit_Continue;
}

static void collect_instantiation(struct collect *collect, CXCursor pattern)
{
    (void)pattern;
    clang_visitCXXBaseClasses(collect->record->type, visit_base, collect);
    clang_visitCXXMethods(collect->record->type, visit_method, collect);
}
#else
// Before LLVM 20 the members of an instantiation cannot be listed; its template's pattern shows most of it.
static void collect_instantiation(struct collect *collect, CXCursor pattern)
{
    collect->record->has_pattern_only = true;
    CXCursor own = collect->record->decl;
    collect->record->decl = pattern;
    clang_visitChildren(pattern, visit_member, collect);
    collect->record->decl = own;
}
#endif

static void collect_members(struct gl_fe *fe, struct gl_fe_record *record)
{
    struct collect collect = {fe, record, 0};
    clang_visitChildren(record->decl, visit_member, &collect);
    CXCursor pattern = clang_getSpecializedCursorTemplate(record->decl);
    if (!collect.member_count && !gl_fe_is_null(pattern))
        collect_instantiation(&collect, pattern);
    clang_Type_visitFields(record->type, visit_field, &collect);
}

const char *gl_fe_field_name(struct gl_fe *fe, CXCursor field)
{
    const char *known = gl_map_get(&fe->field_names, gl_fe_key(field), NULL);
    if (known)
        return known;
    CXCursor parent = clang_getCursorSemanticParent(field);
    if (gl_fe_is_record_kind(gl_fe_kind(parent)))
        gl_fe_record_for(fe, parent);
    known = gl_map_get(&fe->field_names, gl_fe_key(field), NULL);
    if (known)
        return known;
    const char *spelling = gl_fe_spelling(fe, field);
    return *spelling ? spelling : gl_intern(gl_ir_strings(fe->program), "<?>");
}

// ---- what is trivial -------------------------------------------------------------------------------------

CXCursor gl_fe_field_initializer(struct gl_fe *fe, CXCursor field)
{
    struct gl_kids kids = gl_fe_expr_kids(fe, field);
    if (!kids.count || clang_Cursor_isBitField(field))
        return clang_getNullCursor();
    CXCursor last = kids.at[kids.count - 1];
    CXCursor inner = gl_fe_strip(fe, last);
    if (gl_fe_kind(last) == CXCursor_InitListExpr || gl_fe_kind(inner) == CXCursor_InitListExpr)
        return last;
    unsigned offset = gl_fe_start_offset(last);
    CXFile file;
    clang_getExpansionLocation(clang_getCursorLocation(last), &file, NULL, NULL, NULL);
    struct gl_fe_file *entry = gl_fe_file(fe, file);
    if (!entry || !entry->text || offset > entry->size)
        return clang_getNullCursor();
    // A constructor call in braces begins at the field's name or at the brace, and ends with the brace.
    unsigned end = gl_fe_end_offset(last);
    bool is_braced = gl_fe_kind(inner) == CXCursor_CallExpr && end > 0 && end <= entry->size &&
                     entry->text[end - 1] == '}';
    while (offset > 0 && isspace((unsigned char)entry->text[offset - 1]))
        offset--;
    bool is_assigned = offset > 0 && entry->text[offset - 1] == '=';
    return is_braced || is_assigned ? last : clang_getNullCursor();
}

static bool parts_are_trivial(struct gl_fe *fe, struct gl_fe_record *record, enum gl_special kind)
{
    for (size_t i = 0; i < record->bases.count; i++) {
        struct gl_fe_record *base = gl_fe_record_of(fe, record->bases.items[i]);
        if (base && !base->is_trivial[kind])
            return false;
    }
    for (size_t i = 0; i < record->fields.count && !record->is_union; i++) {
        struct gl_fe_field *field = &record->fields.items[i];
        struct gl_fe_record *part = gl_fe_record_of(fe, field->type);
        if (part && !part->is_trivial[kind])
            return false;
        if (kind == GL_SPECIAL_DEFAULT && !gl_fe_is_null(gl_fe_field_initializer(fe, field->cursor)))
            return false;
    }
    return true;
}

static bool is_declared(const struct gl_fe_record *record, enum gl_special kind)
{
    return !gl_fe_is_null(record->special[kind]);
}

static void find_trivial(struct gl_fe *fe, struct gl_fe_record *record)
{
    for (enum gl_special kind = 0; kind < GL_SPECIAL_COUNT; kind++) {
        bool keeps_vtable = kind == GL_SPECIAL_DESTRUCTOR || !record->is_polymorphic;
        record->is_trivial[kind] =
            !record->is_user_provided[kind] && keeps_vtable && parts_are_trivial(fe, record, kind);
    }
    // A user-declared move removes the implicit copy, a user-declared copy or destructor the implicit move
    // (which then is the copy).
    bool has_move = is_declared(record, GL_SPECIAL_MOVE) || is_declared(record, GL_SPECIAL_MOVE_ASSIGN);
    if (has_move && !is_declared(record, GL_SPECIAL_COPY))
        record->is_deleted[GL_SPECIAL_COPY] = true;
    if (!is_declared(record, GL_SPECIAL_MOVE) && is_declared(record, GL_SPECIAL_COPY)) {
        record->is_deleted[GL_SPECIAL_MOVE] = record->is_deleted[GL_SPECIAL_COPY];
        record->is_trivial[GL_SPECIAL_MOVE] = record->is_trivial[GL_SPECIAL_COPY];
    }
}

static bool is_abi_trivial(const struct gl_fe_record *record)
{
    const bool *trivial = record->is_trivial, *deleted = record->is_deleted;
    if (!trivial[GL_SPECIAL_DESTRUCTOR] || deleted[GL_SPECIAL_DESTRUCTOR])
        return false;
    if (deleted[GL_SPECIAL_COPY] && deleted[GL_SPECIAL_MOVE])
        return false;
    return (trivial[GL_SPECIAL_COPY] || deleted[GL_SPECIAL_COPY]) &&
           (trivial[GL_SPECIAL_MOVE] || deleted[GL_SPECIAL_MOVE]);
}

// ---- records ---------------------------------------------------------------------------------------------

// Fields and bases of a class in a system header are its own business, unless its destructor is an implicit
// one that reaches through them.
static bool shows_parts(const struct gl_fe_record *record)
{
    return !gl_fe_is_in_system_header(record->decl) || !record->is_user_provided[GL_SPECIAL_DESTRUCTOR];
}

static void fill_ir(struct gl_fe *fe, struct gl_fe_record *record)
{
    struct gl_ir_record *ir = record->ir;
    ir->is_union = record->is_union;
    ir->is_abi_trivial = is_abi_trivial(record);
    if (!record->is_trivial[GL_SPECIAL_DESTRUCTOR])
        ir->destructor = gl_fe_special(fe, record, GL_SPECIAL_DESTRUCTOR, 0);
    if (!shows_parts(record) || ir->is_complete)
        return;
    ir->is_complete = true;
    for (size_t i = 0; i < record->bases.count; i++)
        GL_VEC_PUSH(&ir->bases, gl_fe_type(fe, record->bases.items[i]));
    for (size_t i = 0; i < record->fields.count; i++)
        GL_VEC_PUSH(&ir->fields,
                    (struct gl_ir_field){record->fields.items[i].name, record->fields.items[i].ir_type});
}

static bool is_union_decl(CXCursor declaration)
{
    enum CXCursorKind kind = gl_fe_kind(declaration);
    if (kind == CXCursor_ClassTemplate || kind == CXCursor_ClassTemplatePartialSpecialization)
        kind = clang_getTemplateCursorKind(declaration);
    return kind == CXCursor_UnionDecl;
}

static struct gl_fe_record *record_new(struct gl_fe *fe, CXCursor declaration)
{
    CXCursor definition = clang_getCursorDefinition(declaration);
    struct gl_fe_record *record = GL_ARENA_NEW(&fe->arena, struct gl_fe_record);
    *gl_map_put(&fe->records, gl_fe_key(declaration), NULL) = record;
    GL_VEC_PUSH(&fe->all_records, record);
    record->decl = gl_fe_is_null(definition) ? declaration : definition;
    record->type = clang_getCursorType(record->decl);
    record->ir = gl_fe_record_named(fe, declaration);
    record->is_union = is_union_decl(record->decl);
    for (enum gl_special kind = 0; kind < GL_SPECIAL_COUNT; kind++) {
        record->special[kind] = clang_getNullCursor();
        record->is_trivial[kind] = true;
    }
    return record;
}

struct gl_fe_record *gl_fe_record_for(struct gl_fe *fe, CXCursor declaration)
{
    struct gl_fe_record *record = gl_map_get(&fe->records, gl_fe_key(declaration), NULL);
    if (record)
        return record;
    record = record_new(fe, declaration);
    if (gl_fe_is_null(clang_getCursorDefinition(declaration)))
        return record;
    collect_members(fe, record);
    find_trivial(fe, record);
    fill_ir(fe, record);
    return record;
}

struct gl_fe_record *gl_fe_closure_record(struct gl_fe *fe, CXCursor declaration,
                                          const struct gl_fe_field *fields, size_t count)
{
    struct gl_fe_record *record = gl_fe_record_for(fe, declaration);
    if (record->ir->is_closure)
        return record;
    // libclang knows the fields too, but neither their names nor what they capture.
    record->ir->is_closure = true;
    record->ir->is_complete = false;
    record->fields.count = record->ir->fields.count = 0;
    for (size_t i = 0; i < count; i++)
        GL_VEC_PUSH(&record->fields, fields[i]);
    find_trivial(fe, record);
    fill_ir(fe, record);
    return record;
}

static CXType element_type(CXType type)
{
    type = clang_getCanonicalType(type);
    for (CXType element; (element = clang_getArrayElementType(type)).kind != CXType_Invalid;)
        type = clang_getCanonicalType(element);
    return type;
}

struct gl_fe_record *gl_fe_record_of(struct gl_fe *fe, CXType type)
{
    type = element_type(type);
    if (type.kind != CXType_Record && type.kind != CXType_Unexposed)
        return NULL;
    CXCursor declaration = clang_getTypeDeclaration(type);
    if (!gl_fe_is_record_kind(gl_fe_kind(declaration)))
        return NULL;
    return gl_fe_record_for(fe, declaration);
}

bool gl_fe_is_by_address(struct gl_fe *fe, CXType type)
{
    struct gl_fe_record *record = gl_fe_is_reference(type) ? NULL : gl_fe_record_of(fe, type);
    return record && clang_getCanonicalType(type).kind == CXType_Record && !record->ir->is_abi_trivial;
}
