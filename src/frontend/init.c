// SPDX-License-Identifier: Apache-2.0
// Initialisation: constructing an object in its place from an expression, an initialiser list, or nothing.
#include "frontend/lower.h"

#include "frontend/operator.h"

static enum CXTypeKind canonical_kind(CXType type)
{
    return clang_getCanonicalType(type).kind;
}

static bool is_array_type(CXType type)
{
    CXType canonical = clang_getCanonicalType(type);
    return canonical.kind != CXType_Vector && canonical.kind != CXType_ExtVector &&
           clang_getArrayElementType(canonical).kind != CXType_Invalid;
}

static struct gl_ir_operand zero(void)
{
    return (struct gl_ir_operand){.kind = GL_OPERAND_ZERO};
}

static struct gl_ir_place element(struct gl_lower *lower, struct gl_ir_place array, int64_t index)
{
    struct gl_ir_step step = {.kind = GL_STEP_INDEX, .index = index};
    return gl_ir_place_step(lower->program, array, step);
}

// ---- default initialisation ------------------------------------------------------------------------------

void gl_lower_default_init(struct gl_lower *lower, struct gl_ir_place place, CXType type)
{
    struct gl_fe_record *record = gl_fe_is_reference(type) ? NULL : gl_fe_record_of(lower->fe, type);
    struct gl_ir_decl *constructor =
        record ? gl_fe_special(lower->fe, record, GL_SPECIAL_DEFAULT, lower->depth + 1) : NULL;
    if (!constructor)
        return;
    if (is_array_type(type)) {
        struct gl_ir_step any = {.kind = GL_STEP_INDEX_U};
        place = gl_ir_place_step(lower->program, place, any);
    }
    gl_lower_member_call(lower, constructor, place, NULL);
}

static void value_init(struct gl_lower *lower, struct gl_ir_place place, CXType type)
{
    bool is_aggregate = canonical_kind(type) == CXType_Record || is_array_type(type);
    gl_lower_copy(lower, place, is_aggregate ? zero() : gl_ir_operand_integer(0));
    gl_lower_default_init(lower, place, type);
}

// ---- initialiser lists -----------------------------------------------------------------------------------

struct list {
    struct gl_kids kids;
    size_t next;
};

static bool is_aggregate_type(struct gl_lower *lower, CXType type)
{
    if (is_array_type(type))
        return true;
    struct gl_fe_record *record =
        canonical_kind(type) == CXType_Record ? gl_fe_record_of(lower->fe, type) : NULL;
    return record && !record->is_user_provided[GL_SPECIAL_DEFAULT] &&
           !record->is_user_provided[GL_SPECIAL_COPY] && !record->is_user_provided[GL_SPECIAL_MOVE];
}

// Braces left out: the next values of the list belong to the members of this aggregate.
static bool takes_several(struct gl_lower *lower, CXCursor value, CXType type)
{
    CXCursor inner = gl_fe_strip(lower->fe, value);
    enum CXCursorKind kind = gl_fe_kind(inner);
    if (!is_aggregate_type(lower, type) || kind == CXCursor_InitListExpr ||
        kind == CXCursor_CompoundLiteralExpr)
        return false;
    if (is_array_type(type))
        return kind != CXCursor_StringLiteral;
    CXType value_type = clang_getCanonicalType(clang_getCursorType(inner));
    return value_type.kind != CXType_Record && value_type.kind != CXType_Dependent;
}

static void init_members(struct gl_lower *lower, struct list *list, struct gl_ir_place place, CXType type);

static void init_next(struct gl_lower *lower, struct list *list, struct gl_ir_place place, CXType type)
{
    CXCursor value = list->kids.at[list->next];
    if (takes_several(lower, value, type))
        init_members(lower, list, place, type);
    else {
        list->next++;
        gl_lower_init(lower, value, place, type);
    }
}

// `.a.b = x` and `[2] = x` are unexposed nodes: their designators, then the value.
static bool is_designated(struct gl_lower *lower, CXCursor item, struct gl_kids *out_parts)
{
    if (gl_fe_kind(item) != CXCursor_UnexposedExpr)
        return false;
    *out_parts = gl_fe_kids(lower->fe, item);
    if (out_parts->count < 2)
        return false;
    return gl_fe_kind(out_parts->at[0]) == CXCursor_MemberRef ||
           canonical_kind(clang_getCursorType(item)) == CXType_Void;
}

struct target {
    struct gl_ir_place place;
    CXType type;
    size_t index; // of the first designated member or element
};

static size_t field_index(struct gl_fe_record *record, CXCursor field)
{
    for (size_t i = 0; record && i < record->fields.count; i++)
        if (gl_fe_key(record->fields.items[i].cursor) == gl_fe_key(field))
            return i;
    return 0;
}

static void follow_designator(struct gl_lower *lower, struct target *target, CXCursor part, bool is_first)
{
    int64_t index = 0;
    if (gl_fe_kind(part) == CXCursor_MemberRef) {
        CXCursor field = clang_getCursorReferenced(part);
        if (is_first)
            target->index = field_index(gl_fe_record_of(lower->fe, target->type), field);
        target->place = gl_lower_field(lower, target->place, field);
        target->type = clang_getCursorType(field);
        return;
    }
    if (!is_array_type(target->type))
        return;
    gl_fe_constant(part, &index);
    if (is_first)
        target->index = (size_t)index;
    target->place = element(lower, target->place, index);
    target->type = clang_getArrayElementType(clang_getCanonicalType(target->type));
}

static size_t init_designated(struct gl_lower *lower, struct gl_kids parts, struct gl_ir_place place,
                              CXType type)
{
    struct target target = {place, type, 0};
    for (size_t i = 0; i + 1 < parts.count; i++)
        follow_designator(lower, &target, parts.at[i], i == 0);
    gl_lower_init(lower, parts.at[parts.count - 1], target.place, target.type);
    return target.index + 1;
}

static size_t member_count(struct gl_fe_record *record)
{
    return record->is_union && record->fields.count ? 1 : record->fields.count;
}

static void init_record_member(struct gl_lower *lower, struct list *list, struct gl_fe_record *record,
                               size_t index, struct gl_ir_place place)
{
    struct gl_fe_field *field = &record->fields.items[index];
    init_next(lower, list, gl_ir_place_field(lower->program, place, field->name), field->type);
}

// Members the list does not mention get their own initialisers.
static void init_rest(struct gl_lower *lower, struct gl_fe_record *record, size_t from,
                      struct gl_ir_place place)
{
    for (size_t i = from; i < record->fields.count && !record->is_union; i++) {
        struct gl_fe_field *field = &record->fields.items[i];
        struct gl_ir_place member = gl_ir_place_field(lower->program, place, field->name);
        CXCursor init = gl_fe_field_initializer(lower->fe, field->cursor);
        if (!gl_fe_is_null(init))
            gl_lower_init(lower, init, member, field->type);
        else
            gl_lower_default_init(lower, member, field->type);
    }
}

static void init_record(struct gl_lower *lower, struct list *list, struct gl_fe_record *record,
                        struct gl_ir_place place, CXType type)
{
    size_t index = 0;
    for (size_t i = 0; i < record->bases.count && list->next < list->kids.count; i++)
        init_next(lower, list, place, record->bases.items[i]);
    while (list->next < list->kids.count && index < member_count(record)) {
        struct gl_kids parts;
        if (is_designated(lower, list->kids.at[list->next], &parts)) {
            list->next++;
            index = init_designated(lower, parts, place, type);
        } else {
            init_record_member(lower, list, record, index++, place);
        }
    }
    init_rest(lower, record, index, place);
}

static void init_array(struct gl_lower *lower, struct list *list, struct gl_ir_place place, CXType type)
{
    CXType item_type = clang_getArrayElementType(clang_getCanonicalType(type));
    long long size = clang_getArraySize(clang_getCanonicalType(type));
    long long count = size >= 0 ? size : (long long)list->kids.count;
    int64_t index = 0;
    while (list->next < list->kids.count && index < count) {
        struct gl_kids parts;
        if (is_designated(lower, list->kids.at[list->next], &parts)) {
            list->next++;
            index = (int64_t)init_designated(lower, parts, place, type);
        } else {
            init_next(lower, list, element(lower, place, index++), item_type);
        }
    }
}

static void init_members(struct gl_lower *lower, struct list *list, struct gl_ir_place place, CXType type)
{
    struct gl_fe_record *record = gl_fe_record_of(lower->fe, type);
    size_t before = list->next;
    if (is_array_type(type))
        init_array(lower, list, place, type);
    else if (record)
        init_record(lower, list, record, place, type);
    if (list->next == before)
        list->next++;
}

// Whether each member or element has a value of its own in the list.
static bool covers_all(struct gl_lower *lower, struct gl_kids kids, CXType type)
{
    struct gl_kids parts;
    struct gl_fe_record *record = is_array_type(type) ? NULL : gl_fe_record_of(lower->fe, type);
    CXType element_type = clang_getArrayElementType(clang_getCanonicalType(type));
    long long wanted = is_array_type(type) ? clang_getArraySize(clang_getCanonicalType(type))
                       : record            ? (long long)(member_count(record) + record->bases.count)
                                           : 0;
    for (size_t i = 0; i < kids.count; i++) {
        bool is_field = record && !record->bases.count && i < record->fields.count;
        CXType member_type = is_field ? record->fields.items[i].type : element_type;
        if (is_designated(lower, kids.at[i], &parts) || takes_several(lower, kids.at[i], member_type))
            return false;
    }
    return (long long)kids.count >= wanted;
}

enum { LIST_SPELLED_OUT = 4096 };

static void init_from_list(struct gl_lower *lower, CXCursor list_expr, struct gl_ir_place place, CXType type)
{
    struct list list = {gl_fe_expr_kids(lower->fe, list_expr), 0};
    if (!is_array_type(type) && canonical_kind(type) != CXType_Record) {
        if (!list.kids.count)
            value_init(lower, place, type);
        else
            gl_lower_init(lower, list.kids.at[0], place, type);
        return;
    }
    bool is_same_object = list.kids.count == 1 && canonical_kind(type) == CXType_Record &&
                          clang_equalTypes(clang_getCanonicalType(clang_getCursorType(list.kids.at[0])),
                                           clang_getCanonicalType(type));
    if (is_same_object) {
        gl_lower_init(lower, list.kids.at[0], place, type);
        return;
    }
    if (!covers_all(lower, list.kids, type))
        gl_lower_copy(lower, place, zero());
    if (list.kids.count > LIST_SPELLED_OUT)
        return;
    init_members(lower, &list, place, type);
}

// ---- objects of class type -------------------------------------------------------------------------------

struct arm_target {
    struct gl_ir_place place;
    CXType type;
};

static void init_arm(struct gl_lower *lower, CXCursor expr, void *context)
{
    struct arm_target *target = context;
    gl_lower_init(lower, expr, target->place, target->type);
}

static bool is_same_class(CXCursor expr, CXType type)
{
    CXType a = clang_getCanonicalType(clang_getCursorType(expr)), b = clang_getCanonicalType(type);
    return gl_fe_key(clang_getTypeDeclaration(a)) == gl_fe_key(clang_getTypeDeclaration(b));
}

// A conversion that an initialiser list does not show: by the class's constructor, which one is not known.
static void construct_unseen(struct gl_lower *lower, CXCursor expr, struct gl_ir_place place, CXType type)
{
    struct gl_fe_record *record = gl_fe_record_of(lower->fe, type);
    struct gl_ir_operand args[2] = {gl_lower_address(place), gl_lower_value(lower, expr)};
    args[0].flags = GL_ARG_MUTABLE;
    const char *name = record ? record->ir->name : "?";
    struct gl_ir_instr call = {.op = GL_IR_CALL,
                               .name = gl_intern(gl_ir_strings(lower->program), name),
                               .is_implicit = true,
                               .args = gl_lower_operands(lower, args, 2),
                               .arg_count = 2};
    gl_lower_append(lower, call);
}

// From an object that exists: copied, by its bytes or its copy constructor.
static void copy_object(struct gl_lower *lower, CXCursor expr, struct gl_ir_place place, CXType type)
{
    struct gl_fe_record *record = gl_fe_record_of(lower->fe, type);
    struct gl_ir_place from = gl_lower_place(lower, expr);
    struct gl_ir_decl *copy =
        record ? gl_fe_special(lower->fe, record, GL_SPECIAL_COPY, lower->depth + 1) : NULL;
    if (!copy) {
        gl_lower_copy(lower, place, gl_ir_operand_place(from));
        return;
    }
    struct gl_ir_operand argument = gl_lower_address(from);
    argument.flags = GL_ARG_CONST;
    gl_lower_member_call(lower, copy, place, &argument);
}

// An object made in a way that is not known: by a rewritten `<=>`, by code that did not compile.
static void make_unknown(struct gl_lower *lower, CXCursor expr, struct gl_ir_place place)
{
    struct gl_kids kids = gl_fe_expr_kids(lower->fe, expr);
    struct gl_ir_operand *args =
        GL_ARENA_ARRAY(gl_ir_arena(lower->program), struct gl_ir_operand, kids.count + 1);
    for (size_t i = 0; i < kids.count; i++)
        args[i] = gl_lower_value(lower, kids.at[i]);
    struct gl_ir_instr unknown = {.op = GL_IR_UNKNOWN,
                                  .name = gl_intern(gl_ir_strings(lower->program), "object"),
                                  .has_dst = true,
                                  .dst = place,
                                  .args = args,
                                  .arg_count = kids.count};
    gl_lower_append(lower, unknown);
}

static void init_from_cast(struct gl_lower *lower, CXCursor expr, struct gl_ir_place place, CXType type)
{
    CXCursor kid = gl_fe_expr_kid(lower->fe, expr);
    if (gl_fe_is_null(kid))
        value_init(lower, place, type);
    else if (gl_lower_is_prvalue(lower, kid) || gl_lower_is_prvalue(lower, expr))
        gl_lower_init(lower, kid, place, type);
    else
        copy_object(lower, expr, place, type);
}

static void init_from_call(struct gl_lower *lower, CXCursor expr, struct gl_ir_place place, CXType type)
{
    CXCursor constructor;
    if (gl_lower_is_constructor_call(expr, &constructor))
        gl_lower_construct(lower, expr, constructor, place);
    else if (gl_lower_is_prvalue(lower, expr) && is_same_class(expr, type))
        gl_lower_call(lower, expr, &place, false);
    else if (is_same_class(expr, type))
        copy_object(lower, expr, place, type);
    else
        construct_unseen(lower, expr, place, type);
}

static void init_object(struct gl_lower *lower, CXCursor expr, struct gl_ir_place place, CXType type)
{
    CXCursor inner = gl_fe_strip(lower->fe, expr);
    struct arm_target target = {place, type};
    switch (gl_fe_kind(inner)) {
    case CXCursor_CallExpr:
        init_from_call(lower, inner, place, type);
        break;
    case CXCursor_InitListExpr:
    case CXCursor_CXXParenListInitExpr:
        init_from_list(lower, inner, place, type);
        break;
    case CXCursor_LambdaExpr:
        gl_lower_lambda(lower, inner, place);
        break;
    case CXCursor_CompoundLiteralExpr:
        init_object(lower, gl_fe_expr_kid(lower->fe, inner), place, type);
        break;
    case CXCursor_ConditionalOperator:
        gl_lower_conditional(lower, inner, init_arm, &target);
        break;
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
        init_from_cast(lower, inner, place, type);
        break;
    case CXCursor_UnexposedExpr: {
        CXCursor kid = gl_fe_expr_kid(lower->fe, inner);
        if (gl_fe_is_null(kid))
            value_init(lower, place, type);
        else if (is_same_class(kid, type) || gl_lower_is_class(lower, clang_getCursorType(kid)))
            init_object(lower, kid, place, type);
        else
            construct_unseen(lower, kid, place, type);
        break;
    }
    case CXCursor_CXXThrowExpr:
        gl_lower_effects(lower, inner);
        break;
    case CXCursor_StmtExpr:
        gl_lower_statement_expression(lower, inner, place);
        break;
    default:
        if (!is_same_class(inner, type) && !gl_lower_is_class(lower, clang_getCursorType(inner)))
            construct_unseen(lower, inner, place, type);
        else if (gl_lower_is_prvalue(lower, inner))
            make_unknown(lower, inner, place);
        else
            copy_object(lower, inner, place, type);
    }
}

// ---- all kinds -------------------------------------------------------------------------------------------

static void init_array_object(struct gl_lower *lower, CXCursor expr, struct gl_ir_place place, CXType type)
{
    CXCursor inner = gl_fe_strip(lower->fe, expr), constructor;
    switch (gl_fe_kind(inner)) {
    case CXCursor_InitListExpr:
        init_from_list(lower, inner, place, type);
        break;
    case CXCursor_CompoundLiteralExpr:
        init_array_object(lower, gl_fe_expr_kid(lower->fe, inner), place, type);
        break;
    case CXCursor_CallExpr:
        if (gl_lower_is_constructor_call(inner, &constructor)) {
            gl_lower_default_init(lower, place, type);
            break;
        }
        gl_lower_copy(lower, place, gl_lower_value(lower, inner));
        break;
    case CXCursor_StringLiteral:
        gl_lower_copy(lower, place, gl_lower_value(lower, inner));
        break;
    default: {
        CXCursor kid = gl_fe_expr_kid(lower->fe, inner);
        if (gl_fe_kind(inner) == CXCursor_UnexposedExpr && gl_fe_is_null(kid))
            value_init(lower, place, type);
        else
            gl_lower_copy(lower, place,
                          gl_ir_operand_place(gl_lower_place(
                              lower, gl_fe_kind(inner) == CXCursor_UnexposedExpr ? kid : inner)));
    }
    }
}

static void init_scalar(struct gl_lower *lower, CXCursor expr, struct gl_ir_place place, CXType type)
{
    CXCursor inner = gl_fe_strip(lower->fe, expr), config;
    bool is_same_kind = canonical_kind(clang_getCursorType(inner)) == canonical_kind(type);
    if (gl_fe_kind(inner) == CXCursor_InitListExpr) {
        init_from_list(lower, inner, place, type);
    } else if (gl_fe_kind(inner) == CXCursor_CallExpr && is_same_kind &&
               !gl_lower_is_launch(lower, inner, &config)) {
        struct gl_ir_operand value = gl_lower_call(lower, inner, &place, false);
        bool is_done = value.kind == GL_OPERAND_PLACE && value.place.var == place.var &&
                       value.place.steps == place.steps && value.place.step_count == place.step_count;
        if (!is_done)
            gl_lower_copy(lower, place, value);
    } else {
        gl_lower_copy(lower, place, gl_lower_value(lower, expr));
    }
}

void gl_lower_init(struct gl_lower *lower, CXCursor expr, struct gl_ir_place place, CXType type)
{
    if (lower->expr_depth >= GL_LOWER_EXPR_DEPTH_MAX) {
        gl_lower_unknown(lower, "nesting", NULL, NULL, 0);
        return;
    }
    lower->expr_depth++;
    if (gl_fe_is_reference(type))
        gl_lower_copy(lower, place, gl_lower_bind_reference(lower, expr, false));
    else if (canonical_kind(type) == CXType_Record)
        init_object(lower, expr, place, type);
    else if (is_array_type(type))
        init_array_object(lower, expr, place, type);
    else
        init_scalar(lower, expr, place, type);
    lower->expr_depth--;
}
