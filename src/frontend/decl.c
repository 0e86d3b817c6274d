// SPDX-License-Identifier: Apache-2.0
// Functions and globals: libclang's declarations → the IR's, and which bodies are worth lowering.
#include "frontend/fe.h"

#include <string.h>

// ---- attributes ------------------------------------------------------------------------------------------

struct attributes {
    struct gl_fe *fe;
    bool is_global, is_device, is_host, is_nodiscard, is_noreturn;
};

static bool word_at_is(struct gl_fe *fe, CXCursor attribute, const char *const *words, size_t count)
{
    unsigned offset;
    CXSourceLocation start = clang_getRangeStart(clang_getCursorExtent(attribute));
    struct gl_fe_file *file = gl_fe_spelled_at(fe, start, &offset);
    if (!file)
        return false;
    size_t length = gl_fe_identifier_length(file->text + offset, file->size - offset);
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) == length && memcmp(words[i], file->text + offset, length) == 0)
            return true;
    return false;
}

static enum CXChildVisitResult visit_attribute(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    static const char *const noreturn[] = {"noreturn", "__noreturn__", "_Noreturn"};
    struct attributes *attributes = data;
    switch (gl_fe_kind(cursor)) {
    case CXCursor_CUDAGlobalAttr:
        attributes->is_global = true;
        break;
    case CXCursor_CUDADeviceAttr:
        attributes->is_device = true;
        break;
    case CXCursor_CUDAHostAttr:
        attributes->is_host = true;
        break;
    case CXCursor_WarnUnusedResultAttr:
        attributes->is_nodiscard = true;
        break;
    case CXCursor_UnexposedAttr:
        attributes->is_noreturn |= word_at_is(attributes->fe, cursor, noreturn, GL_COUNT(noreturn));
        break;
    default:
        break;
    }
    return CXChildVisit_Continue;
}

static unsigned attribute_flags(struct gl_fe *fe, CXCursor function)
{
    unsigned flags = 0;
    if (strstr(gl_fe_string(fe, clang_getTypeSpelling(clang_getCursorType(function))), "noreturn"))
        flags |= GL_DECL_NORETURN;
    if (gl_fe_kind(function) != CXCursor_FunctionTemplate && !clang_Cursor_hasAttrs(function))
        return flags;
    struct attributes found = {.fe = fe};
    clang_visitChildren(function, visit_attribute, &found);
    flags |= found.is_global ? GL_DECL_KERNEL : 0;
    flags |= found.is_device && !found.is_host ? GL_DECL_DEVICE : 0;
    flags |= found.is_nodiscard ? GL_DECL_NODISCARD : 0;
    flags |= found.is_noreturn ? GL_DECL_NORETURN : 0;
    return flags;
}

bool gl_fe_is_device_only(const struct gl_ir_decl *decl)
{
    return (decl->flags & (GL_DECL_KERNEL | GL_DECL_DEVICE)) != 0;
}

// ---- functions -------------------------------------------------------------------------------------------

static bool is_template_pattern(CXCursor function)
{
    if (gl_fe_kind(function) == CXCursor_FunctionTemplate)
        return true;
    for (CXCursor scope = clang_getCursorSemanticParent(function); gl_fe_is_record_kind(gl_fe_kind(scope));
         scope = clang_getCursorSemanticParent(scope)) {
        enum CXCursorKind kind = gl_fe_kind(scope);
        if (kind == CXCursor_ClassTemplate || kind == CXCursor_ClassTemplatePartialSpecialization)
            return true;
    }
    return false;
}

static enum CXCursorKind function_kind(CXCursor function)
{
    enum CXCursorKind kind = gl_fe_kind(function);
    return kind == CXCursor_FunctionTemplate ? clang_getTemplateCursorKind(function) : kind;
}

static unsigned kind_flags(CXCursor function)
{
    unsigned flags = 0;
    switch (function_kind(function)) {
    case CXCursor_Constructor:
        flags = GL_DECL_METHOD | GL_DECL_CONSTRUCTOR;
        break;
    case CXCursor_Destructor:
        flags = GL_DECL_METHOD | GL_DECL_DESTRUCTOR;
        break;
    case CXCursor_ConversionFunction:
        flags = GL_DECL_METHOD | GL_DECL_CONVERSION;
        break;
    case CXCursor_CXXMethod:
        flags = clang_CXXMethod_isStatic(function) ? GL_DECL_STATIC_METHOD : GL_DECL_METHOD;
        break;
    default:
        return 0;
    }
    if (clang_CXXMethod_isVirtual(function))
        flags |= GL_DECL_VIRTUAL;
    if (clang_CXXMethod_isDefaulted(function))
        flags |= GL_DECL_DEFAULTED;
    if (clang_CXXMethod_isDeleted(function))
        flags |= GL_DECL_DELETED;
    enum gl_special special = gl_fe_special_kind(function);
    if (special >= GL_SPECIAL_COPY && special <= GL_SPECIAL_MOVE_ASSIGN)
        flags |= GL_DECL_COPY_OR_MOVE;
    return flags;
}

static bool is_internal(CXCursor function)
{
    enum CXLinkageKind linkage = clang_getCursorLinkage(function);
    return linkage == CXLinkage_Internal || linkage == CXLinkage_UniqueExternal ||
           linkage == CXLinkage_NoLinkage;
}

static void add_signature(struct gl_fe *fe, struct gl_ir_decl *decl, CXCursor function)
{
    CXType type = clang_getCursorType(function);
    decl->result = gl_fe_type(fe, clang_getResultType(type));
    int count = clang_getNumArgTypes(type);
    for (int i = 0; i < count; i++)
        GL_VEC_PUSH(&decl->params, gl_fe_type(fe, clang_getArgType(type, (unsigned)i)));
    if (clang_isFunctionTypeVariadic(type))
        decl->flags |= GL_DECL_VARIADIC;
}

static void add_class(struct gl_fe *fe, struct gl_ir_decl *decl, CXCursor function)
{
    CXCursor parent = clang_getCursorSemanticParent(function);
    if (!gl_fe_is_record_kind(gl_fe_kind(parent)))
        return;
    decl->record = gl_fe_record_named(fe, parent);
    decl->class_name = decl->record->name;
}

static void fill_decl(struct gl_fe *fe, struct gl_ir_decl *decl, CXCursor function)
{
    decl->name = gl_fe_qualified_name(fe, function);
    decl->flags |= kind_flags(function) | attribute_flags(fe, function) |
                   (gl_fe_is_in_system_header(function) ? GL_DECL_SYSTEM : 0u);
    if (is_template_pattern(function))
        decl->flags |= GL_DECL_TEMPLATE;
    decl->loc = gl_fe_cursor_loc(fe, function);
    add_class(fe, decl, function);
    add_signature(fe, decl, function);
}

// Attributes may stand on the definition only, or on the first declaration only.
static void join_redeclaration(struct gl_fe *fe, struct gl_ir_decl *decl, CXCursor function)
{
    CXCursor definition = clang_getCursorDefinition(function);
    if (!gl_fe_is_null(definition) && !clang_equalCursors(definition, function))
        decl->flags |= attribute_flags(fe, definition);
}

static struct gl_ir_decl *special_decl(struct gl_fe *fe, struct gl_fe_record *record,
                                       enum gl_special special);

struct gl_ir_decl *gl_fe_decl(struct gl_fe *fe, CXCursor function)
{
    function = clang_getCanonicalCursor(function);
    const void *key = gl_fe_key(function);
    struct gl_ir_decl *decl = gl_map_get(&fe->decls, key, NULL);
    if (decl)
        return decl;
    enum gl_special special = gl_fe_special_kind(function);
    if (special != GL_SPECIAL_NONE && gl_fe_is_implicit(fe, function)) {
        decl = special_decl(fe, gl_fe_record_for(fe, clang_getCursorSemanticParent(function)), special);
    } else {
        decl = gl_ir_decl_get(fe->program, fe->unit, gl_fe_usr(fe, function), is_internal(function));
        if (!decl->name) {
            fill_decl(fe, decl, function);
            join_redeclaration(fe, decl, function);
        }
    }
    *gl_map_put(&fe->decls, key, NULL) = decl;
    return decl;
}

// ---- special members -------------------------------------------------------------------------------------

static const char *class_own_name(const struct gl_ir_record *record)
{
    const char *name = record->name, *last = name;
    for (const char *p = name; (p = strstr(p, "::")); p += 2)
        last = p + 2;
    return last;
}

static char *special_usr(struct gl_arena *arena, const struct gl_ir_record *record, enum gl_special special)
{
    static const char *const forms[GL_SPECIAL_COUNT] = {
        [GL_SPECIAL_DEFAULT] = "",         [GL_SPECIAL_COPY] = "#&1$",        [GL_SPECIAL_MOVE] = "#&&$",
        [GL_SPECIAL_COPY_ASSIGN] = "#&1$", [GL_SPECIAL_MOVE_ASSIGN] = "#&&$", [GL_SPECIAL_DESTRUCTOR] = "",
    };
    bool is_assign = special == GL_SPECIAL_COPY_ASSIGN || special == GL_SPECIAL_MOVE_ASSIGN;
    const char *own = strncmp(record->usr, "c:", 2) == 0 ? record->usr + 2 : record->usr;
    return gl_arena_printf(arena, "%s@F@%s%s%s%s#", record->usr, special == GL_SPECIAL_DESTRUCTOR ? "~" : "",
                           is_assign ? "operator=" : class_own_name(record), forms[special],
                           *forms[special] ? own : "");
}

static void fill_special(struct gl_fe *fe, struct gl_ir_decl *decl, struct gl_fe_record *record,
                         enum gl_special special)
{
    static const unsigned flags[GL_SPECIAL_COUNT] = {
        [GL_SPECIAL_DEFAULT] = GL_DECL_CONSTRUCTOR,
        [GL_SPECIAL_COPY] = GL_DECL_CONSTRUCTOR | GL_DECL_COPY_OR_MOVE,
        [GL_SPECIAL_MOVE] = GL_DECL_CONSTRUCTOR | GL_DECL_COPY_OR_MOVE,
        [GL_SPECIAL_COPY_ASSIGN] = GL_DECL_COPY_OR_MOVE,
        [GL_SPECIAL_MOVE_ASSIGN] = GL_DECL_COPY_OR_MOVE,
        [GL_SPECIAL_DESTRUCTOR] = GL_DECL_DESTRUCTOR,
    };
    bool is_assign = special == GL_SPECIAL_COPY_ASSIGN || special == GL_SPECIAL_MOVE_ASSIGN;
    bool is_move = special == GL_SPECIAL_MOVE || special == GL_SPECIAL_MOVE_ASSIGN;
    const char *own = is_assign ? "operator=" : class_own_name(record->ir);
    decl->name = gl_intern(gl_ir_strings(fe->program),
                           gl_arena_printf(&fe->scratch, "%s::%s%s", record->ir->name,
                                           special == GL_SPECIAL_DESTRUCTOR ? "~" : "", own));
    decl->class_name = record->ir->name;
    decl->record = record->ir;
    decl->flags |= flags[special] | GL_DECL_METHOD;
    decl->flags |= record->is_user_provided[special] ? GL_DECL_TEMPLATE : GL_DECL_DEFAULTED;
    decl->loc = gl_fe_cursor_loc(fe, record->decl);
    struct gl_ir_type *self = gl_fe_record_type(fe, record->ir);
    decl->result = is_assign ? gl_fe_reference_to(fe, self) : gl_fe_simple_type(fe, GL_TYPE_VOID);
    if (decl->flags & GL_DECL_COPY_OR_MOVE) {
        struct gl_ir_type object = *self;
        object.is_const = !is_move;
        struct gl_ir_type pattern = {.kind = is_move ? GL_TYPE_RVALUE : GL_TYPE_REFERENCE,
                                     .element = gl_ir_type_get(fe->program, &object)};
        GL_VEC_PUSH(&decl->params, gl_ir_type_get(fe->program, &pattern));
    }
}

// Implicit members have no cursor that every libclang shows, so their USR is made the way clang makes it.
static struct gl_ir_decl *special_decl(struct gl_fe *fe, struct gl_fe_record *record, enum gl_special special)
{
    if (record->special_decls[special])
        return record->special_decls[special];
    CXCursor written = record->special[special];
    struct gl_ir_decl *decl;
    if (!gl_fe_is_null(written) && !record->has_pattern_only) {
        decl = gl_fe_decl(fe, written);
    } else {
        bool is_local = is_internal(record->decl);
        decl =
            gl_ir_decl_get(fe->program, fe->unit, special_usr(&fe->scratch, record->ir, special), is_local);
        if (!decl->name)
            fill_special(fe, decl, record, special);
    }
    record->special_decls[special] = decl;
    return decl;
}

// ---- bodies ----------------------------------------------------------------------------------------------

static bool first_request(struct gl_fe *fe, const struct gl_ir_decl *decl)
{
    void **slot = gl_map_put(&fe->requested, decl, NULL);
    bool is_first = !*slot;
    *slot = fe;
    return is_first;
}

static void queue_job(struct gl_fe *fe, struct gl_fe_job job)
{
    if (job.depth > GL_FE_BODY_DEPTH_MAX || fe->body_count >= GL_FE_BODY_COUNT_MAX) {
        fe->hit_limit = true;
        return;
    }
    fe->body_count++;
    GL_VEC_PUSH(&fe->queue, job);
}

static bool has_public_field(const struct gl_fe_record *record)
{
    for (size_t i = 0; i < record->fields.count; i++)
        if (clang_getCXXAccessSpecifier(record->fields.items[i].cursor) == CX_CXXPublic)
            return true;
    return false;
}

// Functions in system headers are known by rules, not by their bodies. But a class whose members are public
// and whose end can be seen (std::pair: an implicit destructor) must be seen to begin as well: its
// constructors are followed.
static bool is_followed(struct gl_fe *fe, CXCursor definition)
{
    if (!gl_fe_is_in_system_header(definition))
        return true;
    if (function_kind(definition) != CXCursor_Constructor)
        return false;
    CXCursor parent = clang_getCursorSemanticParent(definition);
    struct gl_fe_record *record = gl_fe_record_for(fe, parent);
    return !record->is_user_provided[GL_SPECIAL_DESTRUCTOR] && !record->is_trivial[GL_SPECIAL_DESTRUCTOR] &&
           has_public_field(record);
}

static void request_special(struct gl_fe *fe, struct gl_fe_record *record, enum gl_special special,
                            struct gl_ir_decl *decl, unsigned depth)
{
    if (!record->is_user_provided[special]) {
        if (!record->is_trivial[special] && !record->is_deleted[special] && first_request(fe, decl))
            queue_job(fe, (struct gl_fe_job){.kind = GL_JOB_SPECIAL,
                                             .decl = decl,
                                             .record = record,
                                             .special = special,
                                             .depth = depth});
        return;
    }
    CXCursor definition = clang_getCursorDefinition(record->special[special]);
    if (record->has_pattern_only && !gl_fe_is_null(definition) && is_followed(fe, definition) &&
        first_request(fe, decl))
        queue_job(fe, (struct gl_fe_job){.kind = GL_JOB_BODY,
                                         .decl = decl,
                                         .definition = definition,
                                         .record = record,
                                         .depth = depth});
}

// All instantiations of a template stand in one place; a table of kernels for every type and size has
// hundreds.
static bool has_too_many_instances(struct gl_fe *fe, CXCursor definition)
{
    CXFile file;
    unsigned offset;
    clang_getExpansionLocation(clang_getCursorLocation(definition), &file, NULL, NULL, &offset);
    if (!file || gl_fe_is_null(clang_getSpecializedCursorTemplate(definition)))
        return false;
    void **slot = gl_map_put(&fe->instances, file, (const void *)((uintptr_t)offset + 1));
    uintptr_t count = (uintptr_t)*slot;
    *slot = (void *)(count + 1);
    fe->hit_limit |= count >= GL_FE_INSTANCES_MAX;
    return count >= GL_FE_INSTANCES_MAX;
}

static void request_body(struct gl_fe *fe, CXCursor function, struct gl_ir_decl *decl, unsigned depth)
{
    enum gl_special special = gl_fe_special_kind(function);
    CXCursor parent = clang_getCursorSemanticParent(function);
    if (special != GL_SPECIAL_NONE && (decl->flags & GL_DECL_DEFAULTED)) {
        request_special(fe, gl_fe_record_for(fe, parent), special, decl, depth);
        return;
    }
    CXCursor definition = clang_getCursorDefinition(function);
    if (gl_fe_is_null(definition) || !is_followed(fe, definition))
        return;
    // Inherited constructors, a lambda's conversion to a function pointer: libclang does not show their
    // bodies.
    bool is_closure = gl_map_get(&fe->closures, gl_fe_key(parent), NULL) != NULL;
    if (gl_fe_is_implicit(fe, definition) ||
        (is_closure && function_kind(function) == CXCursor_ConversionFunction))
        return;
    if (!first_request(fe, decl) || has_too_many_instances(fe, definition))
        return;
    queue_job(fe, (struct gl_fe_job){.kind = GL_JOB_BODY,
                                     .decl = decl,
                                     .definition = definition,
                                     .depth = depth,
                                     .closure = gl_map_get(&fe->closures, gl_fe_key(parent), NULL)});
}

struct gl_ir_decl *gl_fe_callee(struct gl_fe *fe, CXCursor function, unsigned depth)
{
    CXCursor parent = clang_getCursorSemanticParent(function);
    struct gl_fe_closure *closure = gl_map_get(&fe->closures, gl_fe_key(parent), NULL);
    if (closure && gl_fe_kind(function) == CXCursor_CXXMethod &&
        gl_fe_is_null(clang_getSpecializedCursorTemplate(function)) &&
        strcmp(gl_fe_spelling(fe, function), "operator()") == 0)
        return closure->call;
    struct gl_ir_decl *decl = gl_fe_decl(fe, function);
    request_body(fe, function, decl, depth);
    return decl;
}

struct gl_ir_decl *gl_fe_special(struct gl_fe *fe, struct gl_fe_record *record, enum gl_special special,
                                 unsigned depth)
{
    if (record->is_trivial[special] || record->is_deleted[special])
        return NULL;
    struct gl_ir_decl *decl = special_decl(fe, record, special);
    if (record->is_user_provided[special] && !record->has_pattern_only)
        request_body(fe, record->special[special], decl, depth);
    else
        request_special(fe, record, special, decl, depth);
    return decl;
}

// ---- globals, names --------------------------------------------------------------------------------------

static bool is_namespace_scope(CXCursor variable)
{
    enum CXCursorKind kind = gl_fe_kind(clang_getCursorSemanticParent(variable));
    return kind == CXCursor_TranslationUnit || kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec ||
           gl_fe_is_record_kind(kind);
}

struct gl_ir_var *gl_fe_global(struct gl_fe *fe, CXCursor variable)
{
    variable = clang_getCanonicalCursor(variable);
    const void *key = gl_fe_key(variable);
    struct gl_ir_var *global = gl_map_get(&fe->decls, key, NULL);
    if (global)
        return global;
    global = gl_ir_global_get(fe->program, fe->unit, gl_fe_usr(fe, variable), is_internal(variable));
    *gl_map_put(&fe->decls, key, NULL) = global;
    if (!global->name) {
        global->name = gl_fe_qualified_name(fe, variable);
        global->type = gl_fe_type(fe, clang_getCursorType(variable));
        global->loc = gl_fe_cursor_loc(fe, variable);
        global->is_static = !is_namespace_scope(variable);
        gl_fe_record_of(fe, clang_getCursorType(variable));
    }
    return global;
}

static enum CXChildVisitResult note_function(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct gl_fe *fe = data;
    if (gl_fe_kind(cursor) == CXCursor_LinkageSpec)
        return CXChildVisit_Recurse;
    if (gl_fe_kind(cursor) == CXCursor_FunctionDecl) {
        CXCursor *copy = gl_arena_copy(&fe->arena, &cursor, sizeof cursor);
        *gl_map_put(&fe->functions_by_name, gl_fe_spelling(fe, cursor), NULL) = copy;
    }
    return CXChildVisit_Continue;
}

CXCursor gl_fe_function_by_name(struct gl_fe *fe, const char *name)
{
    if (!fe->has_functions_by_name)
        clang_visitChildren(clang_getTranslationUnitCursor(fe->tu), note_function, fe);
    fe->has_functions_by_name = true;
    const CXCursor *found =
        gl_map_get(&fe->functions_by_name, gl_intern(gl_ir_strings(fe->program), name), NULL);
    return found ? *found : clang_getNullCursor();
}
