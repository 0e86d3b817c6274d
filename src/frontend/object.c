// SPDX-License-Identifier: Apache-2.0
// Objects' beginnings and ends that the language writes: constructors' initialisers, destructors' member
// calls, implicit special members, new and delete.
#include "frontend/lower.h"

#include "frontend/operator.h"

#include <ctype.h>
#include <string.h>

static struct gl_ir_place this_object(struct gl_lower *lower)
{
    return gl_ir_place_deref(lower->program, gl_ir_place_var(lower->this_var));
}

static struct gl_ir_place member(struct gl_lower *lower, struct gl_ir_place object,
                                 const struct gl_fe_field *field)
{
    return gl_ir_place_field(lower->program, object, field->name);
}

// ---- destructors -----------------------------------------------------------------------------------------

static void push_part(struct gl_lower *lower, struct gl_ir_place place, CXType type)
{
    struct gl_fe_record *record = gl_fe_is_reference(type) ? NULL : gl_fe_record_of(lower->fe, type);
    struct gl_ir_decl *destructor =
        record ? gl_fe_special(lower->fe, record, GL_SPECIAL_DESTRUCTOR, lower->depth + 1) : NULL;
    if (!destructor)
        return;
    struct gl_cleanup cleanup = {.place = place, .destructor = destructor};
    CXType canonical = clang_getCanonicalType(type);
    if (clang_getArrayElementType(canonical).kind != CXType_Invalid) {
        long long size = clang_getArraySize(canonical);
        cleanup.count = size > 0 ? (uint64_t)size : UINT64_MAX;
    }
    gl_lower_push(lower, cleanup);
}

void gl_lower_destructor_epilogue(struct gl_lower *lower, struct gl_fe_record *record)
{
    struct gl_ir_place object = this_object(lower);
    for (size_t i = 0; i < record->bases.count; i++)
        push_part(lower, object, record->bases.items[i]);
    for (size_t i = 0; i < record->fields.count && !record->is_union; i++)
        push_part(lower, member(lower, object, &record->fields.items[i]), record->fields.items[i].type);
}

// ---- implicit members ------------------------------------------------------------------------------------

static void default_parts(struct gl_lower *lower, struct gl_fe_record *record)
{
    struct gl_ir_place object = this_object(lower);
    for (size_t i = 0; i < record->bases.count; i++)
        gl_lower_default_init(lower, object, record->bases.items[i]);
    for (size_t i = 0; i < record->fields.count && !record->is_union; i++) {
        struct gl_fe_field *field = &record->fields.items[i];
        CXCursor init = gl_fe_field_initializer(lower->fe, field->cursor);
        if (gl_fe_is_null(init))
            gl_lower_default_init(lower, member(lower, object, field), field->type);
        else
            gl_lower_init(lower, init, member(lower, object, field), field->type);
    }
}

static struct gl_ir_decl *part_special(struct gl_lower *lower, CXType type, enum gl_special special)
{
    struct gl_fe_record *record = gl_fe_is_reference(type) ? NULL : gl_fe_record_of(lower->fe, type);
    return record ? gl_fe_special(lower->fe, record, special, lower->depth + 1) : NULL;
}

static void call_part(struct gl_lower *lower, struct gl_ir_decl *decl, struct gl_ir_place to,
                      struct gl_ir_place from, bool is_move)
{
    struct gl_ir_operand argument = gl_lower_address(from);
    argument.flags = is_move ? GL_ARG_MUTABLE : GL_ARG_CONST;
    gl_lower_member_call(lower, decl, to, &argument);
}

static void copy_parts(struct gl_lower *lower, struct gl_fe_record *record, enum gl_special special,
                       struct gl_ir_place to, struct gl_ir_place from)
{
    bool is_move = special == GL_SPECIAL_MOVE || special == GL_SPECIAL_MOVE_ASSIGN;
    for (size_t i = 0; i < record->bases.count; i++) {
        struct gl_ir_decl *decl = part_special(lower, record->bases.items[i], special);
        struct gl_fe_record *base = gl_fe_record_of(lower->fe, record->bases.items[i]);
        if (decl)
            call_part(lower, decl, to, from, is_move);
        else if (base)
            copy_parts(lower, base, special, to, from);
    }
    for (size_t i = 0; i < record->fields.count; i++) {
        struct gl_fe_field *field = &record->fields.items[i];
        struct gl_ir_decl *decl = part_special(lower, field->type, special);
        struct gl_ir_place to_field = member(lower, to, field), from_field = member(lower, from, field);
        if (!decl) {
            gl_lower_copy(lower, to_field, gl_ir_operand_place(from_field));
            continue;
        }
        if (clang_getArrayElementType(clang_getCanonicalType(field->type)).kind != CXType_Invalid) {
            struct gl_ir_step any = {.kind = GL_STEP_INDEX_U};
            to_field = gl_ir_place_step(lower->program, to_field, any);
            from_field = gl_ir_place_step(lower->program, from_field, any);
        }
        call_part(lower, decl, to_field, from_field, is_move);
    }
}

void gl_lower_special_body(struct gl_lower *lower, struct gl_fe_record *record, enum gl_special special)
{
    switch (special) {
    case GL_SPECIAL_DEFAULT:
        default_parts(lower, record);
        break;
    case GL_SPECIAL_DESTRUCTOR:
        gl_lower_destructor_epilogue(lower, record);
        break;
    default: {
        struct gl_ir_var *other = lower->func->vars.items[1];
        struct gl_ir_place from = gl_ir_place_deref(lower->program, gl_ir_place_var(other));
        copy_parts(lower, record, special, this_object(lower), from);
    }
    }
    gl_lower_clean(lower, NULL, NULL);
    lower->alive = NULL;
    struct gl_ir_operand self = gl_ir_operand_place(gl_ir_place_var(lower->this_var));
    bool is_assign = special == GL_SPECIAL_COPY_ASSIGN || special == GL_SPECIAL_MOVE_ASSIGN;
    gl_lower_return(lower, is_assign ? &self : NULL);
}

// ---- constructors' initialisers --------------------------------------------------------------------------

struct initializer {
    CXCursor field; // null cursor: a base, or the class itself
    CXCursor expr;
    bool is_done;
};

struct initializers {
    struct initializer *items;
    size_t count;
};

static struct initializers written_initializers(struct gl_lower *lower, CXCursor constructor)
{
    struct gl_kids kids = gl_fe_kids(lower->fe, constructor);
    struct initializers list = {GL_ARENA_ARRAY(&lower->fe->scratch, struct initializer, kids.count + 1), 0};
    CXCursor pending = clang_getNullCursor();
    for (size_t i = 0; i < kids.count; i++) {
        enum CXCursorKind kind = gl_fe_kind(kids.at[i]);
        if (kind == CXCursor_MemberRef)
            pending = kids.at[i];
        else if (kind == CXCursor_TypeRef || kind == CXCursor_TemplateRef)
            pending = clang_getNullCursor();
        else if (clang_isExpression(kind)) {
            CXCursor field = gl_fe_is_null(pending) ? pending : clang_getCursorReferenced(pending);
            list.items[list.count++] = (struct initializer){field, kids.at[i], false};
            pending = clang_getNullCursor();
        }
    }
    return list;
}

static struct initializer *find_base(struct initializers *list, CXType base)
{
    const void *key = gl_fe_key(clang_getTypeDeclaration(clang_getCanonicalType(base)));
    for (size_t i = 0; i < list->count; i++) {
        CXType type = clang_getCanonicalType(clang_getCursorType(list->items[i].expr));
        if (gl_fe_is_null(list->items[i].field) && gl_fe_key(clang_getTypeDeclaration(type)) == key)
            return &list->items[i];
    }
    return NULL;
}

static struct initializer *find_field(struct initializers *list, CXCursor field)
{
    for (size_t i = 0; i < list->count; i++)
        if (!gl_fe_is_null(list->items[i].field) && gl_fe_key(list->items[i].field) == gl_fe_key(field))
            return &list->items[i];
    return NULL;
}

static void run_initializer(struct gl_lower *lower, CXCursor expr, struct gl_ir_place place, CXType type)
{
    struct gl_full full;
    struct gl_ir_loc loc = gl_fe_start_loc(lower->fe, expr);
    if (loc.file)
        lower->loc = loc;
    gl_lower_full_begin(lower, &full);
    gl_lower_init(lower, expr, place, type);
    gl_lower_full_end(lower, &full);
}

static void init_base(struct gl_lower *lower, struct initializers *list, CXType base)
{
    struct initializer *written = find_base(list, base);
    if (!written) {
        gl_lower_default_init(lower, this_object(lower), base);
        return;
    }
    written->is_done = true;
    bool is_empty_list = gl_fe_kind(gl_fe_strip(lower->fe, written->expr)) == CXCursor_UnexposedExpr;
    if (!is_empty_list)
        run_initializer(lower, written->expr, this_object(lower), base);
}

static void init_field(struct gl_lower *lower, struct initializers *list, struct gl_fe_field *field)
{
    struct gl_ir_place place = member(lower, this_object(lower), field);
    struct initializer *written = find_field(list, field->cursor);
    CXCursor init = written ? written->expr : gl_fe_field_initializer(lower->fe, field->cursor);
    if (written)
        written->is_done = true;
    if (gl_fe_is_null(init))
        gl_lower_default_init(lower, place, field->type);
    else
        run_initializer(lower, init, place, field->type);
}

// Of a template's pattern, whose fields libclang does not list: in the order written.
static void run_left_over(struct gl_lower *lower, struct initializers *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct initializer *written = &list->items[i];
        if (written->is_done)
            continue;
        struct gl_ir_place place = this_object(lower);
        CXType type = clang_getCursorType(written->expr);
        if (!gl_fe_is_null(written->field)) {
            type = clang_getCursorType(written->field);
            place = gl_ir_place_field(lower->program, place, gl_fe_field_name(lower->fe, written->field));
        }
        run_initializer(lower, written->expr, place, type);
    }
}

static bool is_delegating(struct gl_lower *lower, const struct initializers *list)
{
    if (list->count != 1 || !gl_fe_is_null(list->items[0].field))
        return false;
    CXType type = clang_getCanonicalType(clang_getCursorType(list->items[0].expr));
    return gl_fe_key(clang_getTypeDeclaration(type)) == gl_fe_key(lower->this_record->decl);
}

void gl_lower_initializers(struct gl_lower *lower, CXCursor constructor)
{
    struct gl_fe_record *record = lower->this_record;
    struct initializers list = written_initializers(lower, constructor);
    if (!is_delegating(lower, &list)) {
        for (size_t i = 0; i < record->bases.count; i++)
            init_base(lower, &list, record->bases.items[i]);
        for (size_t i = 0; i < record->fields.count; i++)
            if (!record->is_union || find_field(&list, record->fields.items[i].cursor))
                init_field(lower, &list, &record->fields.items[i]);
    }
    run_left_over(lower, &list);
}

// ---- new and delete --------------------------------------------------------------------------------------

static struct gl_ir_operand call_by_name(struct gl_lower *lower, const char *name, struct gl_ir_type *type,
                                         const struct gl_ir_operand *args, size_t count)
{
    struct gl_ir_instr call = {.op = GL_IR_CALL,
                               .name = gl_intern(gl_ir_strings(lower->program), name),
                               .args = gl_lower_operands(lower, args, count),
                               .arg_count = count};
    if (type) {
        call.has_dst = true;
        call.dst = gl_ir_place_var(gl_lower_scalar_temp(lower, type));
    }
    gl_lower_append(lower, call);
    return type ? gl_ir_operand_place(call.dst) : gl_lower_undef();
}

// The character before an expression in its file, blanks skipped.
static char char_before(struct gl_lower *lower, CXCursor expr)
{
    unsigned offset;
    CXSourceLocation start = clang_getRangeStart(clang_getCursorExtent(expr));
    struct gl_fe_file *file = gl_fe_spelled_at(lower->fe, start, &offset);
    while (file && offset > 0 && isspace((unsigned char)file->text[offset - 1]))
        offset--;
    return file && offset > 0 ? file->text[offset - 1] : 0;
}

static bool is_placement(struct gl_lower *lower, CXCursor expr)
{
    size_t length, i = 3;
    const char *text = gl_fe_text(lower->fe, expr, &length);
    if (text && length > 2 && memcmp(text, "::", 2) == 0)
        i += 2;
    while (text && i < length && isspace((unsigned char)text[i]))
        i++;
    return text && i < length && text[i] == '(';
}

struct new_parts {
    CXCursor placement, init;
    bool is_array;
};

static struct new_parts split_new(struct gl_lower *lower, CXCursor expr)
{
    struct new_parts parts = {clang_getNullCursor(), clang_getNullCursor(), false};
    struct gl_kids kids = gl_fe_expr_kids(lower->fe, expr);
    size_t next = 0;
    if (is_placement(lower, expr) && kids.count)
        parts.placement = kids.at[next++];
    for (; next < kids.count; next++) {
        if (char_before(lower, kids.at[next]) == '[')
            parts.is_array = true;
        else
            parts.init = kids.at[next];
    }
    return parts;
}

static void init_elements(struct gl_lower *lower, struct gl_kids values, struct gl_ir_place first,
                          CXType type)
{
    for (size_t i = 0; i < values.count; i++) {
        struct gl_ir_step step = {.kind = GL_STEP_INDEX, .index = (int64_t)i};
        gl_lower_init(lower, values.at[i], gl_ir_place_step(lower->program, first, step), type);
    }
}

struct gl_ir_operand gl_lower_new(struct gl_lower *lower, CXCursor expr)
{
    struct new_parts parts = split_new(lower, expr);
    CXType type = clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(expr)));
    struct gl_ir_type *pointer = gl_fe_type(lower->fe, clang_getCursorType(expr));
    struct gl_ir_operand object;
    bool has_placement = !gl_fe_is_null(parts.placement);
    struct gl_ir_operand where = has_placement ? gl_lower_value(lower, parts.placement) : gl_lower_undef();
    if (has_placement && clang_getCanonicalType(clang_getCursorType(parts.placement)).kind == CXType_Pointer)
        object = gl_lower_pin(lower, where, pointer);
    else
        object = call_by_name(lower, parts.is_array ? "operator new[]" : "operator new", pointer, NULL, 0);
    struct gl_ir_place place = gl_lower_deref(lower, object, pointer);
    if (parts.is_array && gl_fe_kind(gl_fe_strip(lower->fe, parts.init)) == CXCursor_InitListExpr) {
        init_elements(lower, gl_fe_expr_kids(lower->fe, gl_fe_strip(lower->fe, parts.init)), place, type);
    } else if (parts.is_array) {
        struct gl_ir_step any = {.kind = GL_STEP_INDEX_U};
        gl_lower_default_init(lower, gl_ir_place_step(lower->program, place, any), type);
    } else if (!gl_fe_is_null(parts.init)) {
        gl_lower_init(lower, parts.init, place, type);
    } else {
        gl_lower_default_init(lower, place, type);
    }
    return object;
}

static bool is_array_delete(struct gl_lower *lower, CXCursor expr)
{
    return char_before(lower, gl_fe_expr_kid(lower->fe, expr)) == ']';
}

static void destroy_pointee(struct gl_lower *lower, struct gl_ir_decl *destructor,
                            struct gl_ir_operand pointer, bool is_array)
{
    if (is_array) {
        struct gl_ir_step any = {.kind = GL_STEP_INDEX_U};
        struct gl_ir_place object =
            gl_lower_deref(lower, pointer, gl_fe_simple_type(lower->fe, GL_TYPE_UNKNOWN));
        pointer = gl_ir_operand_address(gl_ir_place_step(lower->program, object, any));
    }
    pointer.flags = GL_ARG_MUTABLE;
    struct gl_ir_instr call = {.op = GL_IR_CALL,
                               .callee = destructor,
                               .is_implicit = true,
                               .is_virtual = (destructor->flags & GL_DECL_VIRTUAL) != 0,
                               .args = gl_lower_operands(lower, &pointer, 1),
                               .arg_count = 1};
    gl_lower_append(lower, call);
}

void gl_lower_delete(struct gl_lower *lower, CXCursor expr)
{
    CXCursor kid = gl_fe_expr_kid(lower->fe, expr);
    if (gl_fe_is_null(kid))
        return;
    bool is_array = is_array_delete(lower, expr);
    struct gl_ir_operand pointer = gl_lower_value(lower, kid);
    CXType type = clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(kid)));
    struct gl_fe_record *record = gl_fe_record_of(lower->fe, type);
    struct gl_ir_decl *destructor =
        record ? gl_fe_special(lower->fe, record, GL_SPECIAL_DESTRUCTOR, lower->depth + 1) : NULL;
    struct gl_ir_block *after = gl_lower_block(lower);
    if (destructor) {
        struct gl_ir_block *exists = gl_lower_block(lower);
        gl_lower_branch(lower, pointer, exists, after);
        lower->block = exists;
        destroy_pointee(lower, destructor, pointer, is_array);
    }
    call_by_name(lower, is_array ? "operator delete[]" : "operator delete", NULL, &pointer, 1);
    gl_lower_continue_in(lower, after);
}
