// SPDX-License-Identifier: Apache-2.0
// Expressions as places: variables, members, elements, what pointers point to.
#include "frontend/lower.h"

#include "frontend/operator.h"

#include <string.h>

static enum CXTypeKind canonical_kind(CXCursor expr)
{
    return clang_getCanonicalType(clang_getCursorType(expr)).kind;
}

static struct gl_ir_type *type_of(struct gl_lower *lower, CXCursor expr)
{
    return gl_fe_type(lower->fe, clang_getCursorType(expr));
}

// ---- this, captures --------------------------------------------------------------------------------------

static struct gl_ir_place closure_field(struct gl_lower *lower, const struct gl_fe_capture *capture)
{
    struct gl_ir_place closure = gl_ir_place_deref(lower->program, gl_ir_place_var(lower->this_var));
    struct gl_ir_place field = gl_ir_place_field(lower->program, closure, capture->field);
    return capture->by_reference ? gl_ir_place_deref(lower->program, field) : field;
}

static const struct gl_fe_capture *find_capture(const struct gl_fe_closure *closure, CXCursor variable)
{
    for (size_t i = 0; closure && i < closure->captures.count; i++) {
        const struct gl_fe_capture *capture = &closure->captures.items[i];
        bool is_this = gl_fe_is_null(variable);
        if (is_this
                ? gl_fe_is_null(capture->variable)
                : !gl_fe_is_null(capture->variable) && gl_fe_key(capture->variable) == gl_fe_key(variable))
            return capture;
    }
    return NULL;
}

struct gl_ir_operand gl_lower_this(struct gl_lower *lower)
{
    const struct gl_fe_capture *capture = find_capture(lower->closure, clang_getNullCursor());
    if (capture) {
        struct gl_ir_place field = closure_field(lower, capture);
        return capture->is_object_copy ? gl_lower_address(field) : gl_ir_operand_place(field);
    }
    return lower->this_var ? gl_ir_operand_place(gl_ir_place_var(lower->this_var)) : gl_lower_undef();
}

static struct gl_ir_place this_object(struct gl_lower *lower)
{
    return gl_lower_deref(lower, gl_lower_this(lower), gl_fe_simple_type(lower->fe, GL_TYPE_UNKNOWN));
}

// ---- variables -------------------------------------------------------------------------------------------

static bool is_global_variable(CXCursor variable)
{
    return gl_fe_kind(variable) == CXCursor_VarDecl && clang_Cursor_hasVarDeclGlobalStorage(variable) == 1;
}

static struct gl_ir_place global_place(struct gl_lower *lower, CXCursor variable)
{
    struct gl_ir_place place = gl_ir_place_var(gl_fe_global(lower->fe, variable));
    return gl_fe_is_reference(clang_getCursorType(variable)) ? gl_ir_place_deref(lower->program, place)
                                                             : place;
}

static struct gl_ir_place function_place(struct gl_lower *lower, CXCursor function, CXCursor expr)
{
    struct gl_ir_decl *decl = gl_fe_callee(lower->fe, function, lower->depth + 1);
    struct gl_ir_type *pointer = gl_ir_type_pointer(lower->program, type_of(lower, expr));
    struct gl_ir_operand address = gl_lower_pin(lower, gl_ir_operand_function(decl), pointer);
    return gl_ir_place_deref(lower->program, address.place);
}

// A name whose declaration was not lowered (code with errors, a template's parameter).
static struct gl_ir_place unknown_place(struct gl_lower *lower, CXCursor expr)
{
    struct gl_ir_type *type = type_of(lower, expr);
    if (type->kind == GL_TYPE_VOID)
        type = gl_fe_simple_type(lower->fe, GL_TYPE_UNKNOWN);
    return gl_lower_unknown(lower, "name", type, NULL, 0).place;
}

// An enumerator, or a template's parameter that an instantiation gave a value (its child).
static bool is_constant_name(struct gl_lower *lower, CXCursor expr)
{
    CXCursor referenced = clang_getCursorReferenced(expr);
    if (gl_fe_is_null(referenced))
        return !gl_fe_is_null(gl_fe_expr_kid(lower->fe, expr));
    return gl_fe_kind(referenced) == CXCursor_EnumConstantDecl;
}

static struct gl_ir_place variable_place(struct gl_lower *lower, CXCursor expr)
{
    CXCursor variable = clang_getCursorReferenced(expr);
    const struct gl_ir_place *bound = gl_lower_binding(lower, variable);
    if (bound)
        return *bound;
    const struct gl_fe_capture *capture = find_capture(lower->closure, variable);
    if (capture)
        return closure_field(lower, capture);
    switch (gl_fe_kind(variable)) {
    case CXCursor_FunctionDecl:
    case CXCursor_CXXMethod:
        return function_place(lower, variable, expr);
    case CXCursor_VarDecl:
        return is_global_variable(variable) ? global_place(lower, variable) : unknown_place(lower, expr);
    case CXCursor_UnexposedDecl: // an instantiated variable template
        return *gl_fe_usr(lower->fe, variable) ? global_place(lower, variable) : unknown_place(lower, expr);
    default:
        return unknown_place(lower, expr);
    }
}

// ---- members ---------------------------------------------------------------------------------------------

static bool uses_arrow(struct gl_lower *lower, CXCursor member, CXCursor base)
{
    enum CXTypeKind kind = canonical_kind(base);
    if (kind == CXType_Pointer)
        return true;
    if (kind == CXType_Record)
        return false;
    size_t length, base_length;
    const char *text = gl_fe_text(lower->fe, member, &length);
    const char *base_text = gl_fe_text(lower->fe, base, &base_length);
    if (!text || !base_text || base_length >= length)
        return false;
    const char *after = text + base_length;
    while (after < text + length && (*after == ' ' || *after == '\n' || *after == ')'))
        after++;
    return *after == '-';
}

struct gl_ir_place gl_lower_member_base(struct gl_lower *lower, CXCursor member)
{
    CXCursor base = gl_fe_expr_kid(lower->fe, member);
    if (gl_fe_is_null(base))
        return this_object(lower);
    if (!uses_arrow(lower, member, base))
        return gl_lower_place(lower, base);
    return gl_lower_deref(lower, gl_lower_value(lower, base), type_of(lower, base));
}

// The anonymous struct or union of an object that declares a member: C lets its name be left out.
static struct gl_ir_place anonymous_member(struct gl_lower *lower, struct gl_ir_place object, CXCursor record)
{
    CXCursor outer = clang_getCursorSemanticParent(record);
    if (!gl_fe_is_record_kind(gl_fe_kind(outer)) || !clang_Cursor_isAnonymousRecordDecl(record))
        return object;
    object = anonymous_member(lower, object, outer);
    struct gl_fe_record *parts = gl_fe_record_for(lower->fe, outer);
    for (size_t i = 0; i < parts->fields.count; i++) {
        CXType type = clang_getCanonicalType(parts->fields.items[i].type);
        if (gl_fe_key(clang_getTypeDeclaration(type)) == gl_fe_key(record))
            return gl_ir_place_field(lower->program, object, parts->fields.items[i].name);
    }
    return object;
}

struct gl_ir_place gl_lower_field(struct gl_lower *lower, struct gl_ir_place object, CXCursor field)
{
    object = anonymous_member(lower, object, clang_getCursorSemanticParent(field));
    return gl_ir_place_field(lower->program, object, gl_fe_field_name(lower->fe, field));
}

static struct gl_ir_place member_place(struct gl_lower *lower, CXCursor expr)
{
    CXCursor field = clang_getCursorReferenced(expr);
    if (gl_fe_kind(field) == CXCursor_VarDecl)
        return global_place(lower, field);
    struct gl_ir_place base = gl_lower_member_base(lower, expr);
    if (gl_fe_kind(field) != CXCursor_FieldDecl) {
        const char *name = gl_fe_written_name(lower->fe, expr);
        return name ? gl_ir_place_field(lower->program, base, name) : unknown_place(lower, expr);
    }
    struct gl_ir_place place = gl_lower_field(lower, base, field);
    if (gl_fe_is_reference(clang_getCursorType(field)))
        place = gl_ir_place_deref(lower->program, place);
    return place;
}

// ---- elements --------------------------------------------------------------------------------------------

static bool is_integer_like(CXCursor expr)
{
    enum CXTypeKind kind = canonical_kind(expr);
    return (kind >= CXType_Bool && kind <= CXType_Int128) || kind == CXType_Enum;
}

// The object that is indexed: an array in its place, or what a pointer points to.
static struct gl_ir_place indexed_base(struct gl_lower *lower, CXCursor base)
{
    CXCursor inner = base;
    if (gl_fe_kind(base) == CXCursor_UnexposedExpr) {
        CXCursor kid = gl_fe_expr_kid(lower->fe, base);
        if (!gl_fe_is_null(kid))
            inner = kid;
    }
    CXType inner_type = clang_getCanonicalType(clang_getCursorType(inner));
    if (clang_getArrayElementType(inner_type).kind != CXType_Invalid && inner_type.kind != CXType_Vector)
        return gl_lower_place(lower, inner);
    return gl_lower_deref(lower, gl_lower_value(lower, base), type_of(lower, base));
}

struct gl_ir_step gl_lower_index_step(struct gl_lower *lower, struct gl_ir_operand index,
                                      struct gl_ir_type *type)
{
    if (index.kind == GL_OPERAND_INTEGER)
        return (struct gl_ir_step){.kind = GL_STEP_INDEX, .index = index.integer};
    if (index.kind != GL_OPERAND_PLACE)
        return (struct gl_ir_step){.kind = GL_STEP_INDEX_U};
    if (index.place.step_count || index.place.var->kind == GL_VAR_GLOBAL)
        index = gl_lower_pin(lower, index, type);
    return (struct gl_ir_step){.kind = GL_STEP_INDEX_V, .index_var = index.place.var};
}

static struct gl_ir_place element_place(struct gl_lower *lower, CXCursor expr)
{
    struct gl_kids kids = gl_fe_expr_kids(lower->fe, expr);
    if (kids.count != 2)
        return unknown_place(lower, expr);
    bool is_swapped = is_integer_like(kids.at[0]) && !is_integer_like(kids.at[1]);
    CXCursor base = kids.at[is_swapped ? 1 : 0], index = kids.at[is_swapped ? 0 : 1];
    struct gl_ir_place place = indexed_base(lower, base);
    struct gl_ir_operand value = gl_lower_value(lower, index);
    return gl_ir_place_step(lower->program, place, gl_lower_index_step(lower, value, type_of(lower, index)));
}

// ---- operators that mean places --------------------------------------------------------------------------

static struct gl_ir_place unary_place(struct gl_lower *lower, CXCursor expr)
{
    CXCursor kid = gl_fe_expr_kid(lower->fe, expr);
    switch (clang_getCursorUnaryOperatorKind(expr)) {
    case CXUnaryOperator_Deref:
        return gl_lower_deref(lower, gl_lower_value(lower, kid), type_of(lower, kid));
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec:
        return gl_lower_step_by_one(lower, expr);
    case CXUnaryOperator_Real:
    case CXUnaryOperator_Imag:
    case CXUnaryOperator_Extension:
        return gl_lower_place(lower, kid);
    default:
        return gl_lower_materialize(lower, expr);
    }
}

static struct gl_ir_place binary_place(struct gl_lower *lower, CXCursor expr)
{
    struct gl_kids kids = gl_fe_expr_kids(lower->fe, expr);
    switch (clang_getCursorBinaryOperatorKind(expr)) {
    case CXBinaryOperator_Assign:
        return gl_lower_assign(lower, expr);
    case CXBinaryOperator_Comma:
        gl_lower_effects(lower, kids.at[0]);
        return gl_lower_place(lower, kids.at[1]);
    case CXBinaryOperator_PtrMemD:
    case CXBinaryOperator_PtrMemI: {
        struct gl_ir_operand args[] = {gl_lower_value(lower, kids.at[0]), gl_lower_value(lower, kids.at[1])};
        struct gl_ir_type *pointer = gl_ir_type_pointer(lower->program, type_of(lower, expr));
        struct gl_ir_operand member = gl_lower_unknown(lower, "member pointer", pointer, args, 2);
        return gl_lower_deref(lower, member, pointer);
    }
    default:
        return gl_lower_materialize(lower, expr);
    }
}

static struct gl_ir_place unexposed_place(struct gl_lower *lower, CXCursor expr)
{
    struct gl_kids kids = gl_fe_expr_kids(lower->fe, expr);
    CXCursor inner = gl_fe_strip(lower->fe, expr);
    if (!clang_equalCursors(inner, expr))
        return gl_lower_place(lower, inner);
    enum CXTypeKind to = canonical_kind(expr);
    if (kids.count == 1 && to == CXType_Record && canonical_kind(kids.at[0]) == CXType_Record)
        return gl_lower_place(lower, kids.at[0]);
    return gl_lower_materialize(lower, expr);
}

// `static_cast<T &&>(x)` means x; a cast that makes a value is put into a temporary.
static struct gl_ir_place cast_place(struct gl_lower *lower, CXCursor expr)
{
    CXCursor kid = gl_fe_expr_kid(lower->fe, expr);
    if (gl_fe_is_null(kid) || gl_lower_is_prvalue(lower, expr))
        return gl_lower_materialize(lower, expr);
    return gl_lower_place(lower, kid);
}

static struct gl_ir_place call_place(struct gl_lower *lower, CXCursor expr)
{
    if (gl_lower_is_prvalue(lower, expr))
        return gl_lower_materialize(lower, expr);
    struct gl_ir_operand value = gl_lower_call(lower, expr, NULL, false);
    if (value.kind == GL_OPERAND_PLACE)
        return value.place;
    struct gl_ir_type *type = gl_fe_reference_to(lower->fe, type_of(lower, expr));
    return gl_lower_deref(lower, gl_lower_pin(lower, value, type), type);
}

static struct gl_ir_place literal_place(struct gl_lower *lower, CXCursor expr)
{
    struct gl_ir_type *pointer = gl_ir_type_pointer(lower->program, type_of(lower, expr));
    struct gl_ir_operand address = gl_lower_pin(lower, gl_lower_value(lower, expr), pointer);
    return gl_ir_place_deref(lower->program, address.place);
}

static struct gl_ir_place place_by_kind(struct gl_lower *lower, CXCursor expr)
{
    switch (gl_fe_kind(expr)) {
    case CXCursor_ParenExpr:
    case CXCursor_GenericSelectionExpr:
        return gl_lower_place(lower, gl_fe_expr_kid(lower->fe, expr));
    case CXCursor_UnexposedExpr:
        return unexposed_place(lower, expr);
    case CXCursor_DeclRefExpr:
        return is_constant_name(lower, expr) ? gl_lower_materialize(lower, expr)
                                             : variable_place(lower, expr);
    case CXCursor_MemberRefExpr:
        return member_place(lower, expr);
    case CXCursor_ArraySubscriptExpr:
        return element_place(lower, expr);
    case CXCursor_UnaryOperator:
        return unary_place(lower, expr);
    case CXCursor_BinaryOperator:
        return binary_place(lower, expr);
    case CXCursor_CompoundAssignOperator:
        return gl_lower_compound_assign(lower, expr);
    case CXCursor_ConditionalOperator:
        return gl_lower_is_prvalue(lower, expr) ? gl_lower_materialize(lower, expr)
                                                : gl_lower_conditional_place(lower, expr);
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXDynamicCastExpr:
    case CXCursor_CXXReinterpretCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
        return cast_place(lower, expr);
    case CXCursor_CallExpr:
        return call_place(lower, expr);
    case CXCursor_StringLiteral:
        return literal_place(lower, expr);
    case CXCursor_CompoundLiteralExpr: // in C it lives as long as the block
        return lower->fe->is_cxx ? gl_lower_materialize(lower, expr) : gl_lower_block_object(lower, expr);
    default:
        return gl_lower_materialize(lower, expr);
    }
}

struct gl_ir_place gl_lower_place(struct gl_lower *lower, CXCursor expr)
{
    if (lower->expr_depth >= GL_LOWER_EXPR_DEPTH_MAX)
        return unknown_place(lower, expr);
    lower->expr_depth++;
    struct gl_ir_place place = place_by_kind(lower, expr);
    lower->expr_depth--;
    return place;
}
