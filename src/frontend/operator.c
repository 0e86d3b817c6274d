// SPDX-License-Identifier: Apache-2.0
// Operators, casts and conditions → COMPUTE, COMPARE, COPY and branches.
#include "frontend/operator.h"

#include "frontend/lower.h"

#include <string.h>

static enum CXTypeKind canonical_kind(CXCursor expr)
{
    return clang_getCanonicalType(clang_getCursorType(expr)).kind;
}

static struct gl_ir_type *type_of(struct gl_lower *lower, CXCursor expr)
{
    return gl_fe_type(lower->fe, clang_getCursorType(expr));
}

// ---- tables ----------------------------------------------------------------------------------------------

static const char *arithmetic_name(enum CXBinaryOperatorKind kind)
{
    switch (kind) {
    case CXBinaryOperator_Mul:
    case CXBinaryOperator_MulAssign:
        return "*";
    case CXBinaryOperator_Div:
    case CXBinaryOperator_DivAssign:
        return "/";
    case CXBinaryOperator_Rem:
    case CXBinaryOperator_RemAssign:
        return "%";
    case CXBinaryOperator_Add:
    case CXBinaryOperator_AddAssign:
        return "+";
    case CXBinaryOperator_Sub:
    case CXBinaryOperator_SubAssign:
        return "-";
    case CXBinaryOperator_Shl:
    case CXBinaryOperator_ShlAssign:
        return "<<";
    case CXBinaryOperator_Shr:
    case CXBinaryOperator_ShrAssign:
        return ">>";
    case CXBinaryOperator_And:
    case CXBinaryOperator_AndAssign:
        return "&";
    case CXBinaryOperator_Xor:
    case CXBinaryOperator_XorAssign:
        return "^";
    case CXBinaryOperator_Or:
    case CXBinaryOperator_OrAssign:
        return "|";
    case CXBinaryOperator_Cmp:
        return "<=>";
    default:
        return NULL;
    }
}

static bool comparison(enum CXBinaryOperatorKind kind, enum gl_ir_compare *out_compare)
{
    switch (kind) {
    case CXBinaryOperator_EQ:
        *out_compare = GL_CMP_EQ;
        return true;
    case CXBinaryOperator_NE:
        *out_compare = GL_CMP_NE;
        return true;
    case CXBinaryOperator_LT:
        *out_compare = GL_CMP_LT;
        return true;
    case CXBinaryOperator_LE:
        *out_compare = GL_CMP_LE;
        return true;
    case CXBinaryOperator_GT:
        *out_compare = GL_CMP_GT;
        return true;
    case CXBinaryOperator_GE:
        *out_compare = GL_CMP_GE;
        return true;
    default:
        return false;
    }
}

// ---- assignment ------------------------------------------------------------------------------------------

struct gl_ir_place gl_lower_assign(struct gl_lower *lower, CXCursor expr)
{
    struct gl_kids kids = gl_fe_expr_kids(lower->fe, expr);
    CXCursor target = gl_fe_strip(lower->fe, kids.at[0]);
    if (gl_fe_kind(target) == CXCursor_DeclRefExpr &&
        !gl_lower_is_class(lower, clang_getCursorType(target))) {
        struct gl_ir_place place = gl_lower_place(lower, target);
        gl_lower_init(lower, kids.at[1], place, clang_getCursorType(target));
        return place;
    }
    struct gl_ir_operand value = gl_lower_value(lower, kids.at[1]);
    struct gl_ir_place place = gl_lower_place(lower, kids.at[0]);
    gl_lower_copy(lower, place, value);
    return place;
}

struct gl_ir_place gl_lower_compound_assign(struct gl_lower *lower, CXCursor expr)
{
    struct gl_kids kids = gl_fe_expr_kids(lower->fe, expr);
    struct gl_ir_operand value = gl_lower_value(lower, kids.at[1]);
    struct gl_ir_place place = gl_lower_place(lower, kids.at[0]);
    struct gl_ir_operand args[] = {gl_ir_operand_place(place), value};
    const char *name = arithmetic_name(clang_getCursorBinaryOperatorKind(expr));
    gl_lower_compute_into(lower, place, name ? name : "?", args, 2);
    return place;
}

// ++ and -- before or after; returns the place, which holds the new value.
struct gl_ir_place gl_lower_step_by_one(struct gl_lower *lower, CXCursor expr)
{
    enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(expr);
    bool is_up = kind == CXUnaryOperator_PreInc || kind == CXUnaryOperator_PostInc;
    struct gl_ir_place place = gl_lower_place(lower, gl_fe_expr_kid(lower->fe, expr));
    struct gl_ir_operand args[] = {gl_ir_operand_place(place), gl_ir_operand_integer(1)};
    gl_lower_compute_into(lower, place, is_up ? "+" : "-", args, 2);
    return place;
}

static struct gl_ir_operand step_after(struct gl_lower *lower, CXCursor expr)
{
    CXCursor kid = gl_fe_expr_kid(lower->fe, expr);
    struct gl_ir_operand old = gl_ir_operand_place(gl_lower_place(lower, kid));
    old = gl_lower_pin(lower, old, type_of(lower, kid));
    gl_lower_step_by_one(lower, expr);
    return old;
}

// ---- conditional control flow ----------------------------------------------------------------------------

static void enter_conditional(struct gl_lower *lower)
{
    if (lower->full)
        lower->full->conditional++;
}

static void leave_conditional(struct gl_lower *lower)
{
    if (lower->full)
        lower->full->conditional--;
}

static void test_logical(struct gl_lower *lower, CXCursor expr, bool is_and, struct gl_ir_block *yes,
                         struct gl_ir_block *no)
{
    struct gl_kids kids = gl_fe_expr_kids(lower->fe, expr);
    struct gl_ir_block *second = gl_lower_block(lower);
    gl_lower_test(lower, kids.at[0], is_and ? second : yes, is_and ? no : second);
    lower->block = second;
    enter_conditional(lower);
    gl_lower_test(lower, kids.at[1], yes, no);
    leave_conditional(lower);
}

static bool is_scalar(CXCursor expr)
{
    enum CXTypeKind kind = canonical_kind(expr);
    return kind == CXType_Pointer || kind == CXType_Enum || (kind >= CXType_Bool && kind <= CXType_Int128);
}

void gl_lower_test(struct gl_lower *lower, CXCursor expr, struct gl_ir_block *yes, struct gl_ir_block *no)
{
    enum CXCursorKind kind = gl_fe_kind(expr);
    CXCursor kid =
        kind == CXCursor_ParenExpr || kind == CXCursor_UnexposedExpr || kind == CXCursor_UnaryOperator
            ? gl_fe_expr_kid(lower->fe, expr)
            : clang_getNullCursor();
    if (kind == CXCursor_BinaryOperator) {
        enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(expr);
        if (op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr) {
            test_logical(lower, expr, op == CXBinaryOperator_LAnd, yes, no);
            return;
        }
    } else if (kind == CXCursor_ParenExpr && !gl_fe_is_null(kid)) {
        gl_lower_test(lower, kid, yes, no);
        return;
    } else if (kind == CXCursor_UnaryOperator &&
               clang_getCursorUnaryOperatorKind(expr) == CXUnaryOperator_LNot) {
        gl_lower_test(lower, kid, no, yes);
        return;
    } else if (kind == CXCursor_UnexposedExpr && gl_fe_expr_kids(lower->fe, expr).count == 1 &&
               is_scalar(kid)) {
        gl_lower_test(lower, kid, yes, no);
        return;
    }
    gl_lower_branch(lower, gl_lower_value(lower, expr), yes, no);
}

static void retarget(struct gl_ir_block *block, struct gl_ir_block *from, struct gl_ir_block *to)
{
    for (size_t i = 0; i < block->instrs.count; i++)
        for (size_t k = 0; k < GL_COUNT(block->instrs.items[i].targets); k++)
            if (block->instrs.items[i].targets[k] == from)
                block->instrs.items[i].targets[k] = to;
}

// Puts a block that ends the condition's temporaries on the way to `target`; `blocks` from `first` on are the
// condition's.
static void clean_edge(struct gl_lower *lower, const struct gl_full *full, size_t first,
                       struct gl_ir_block *target)
{
    struct gl_ir_block *edge = gl_lower_block(lower);
    retarget(full->block, target, edge);
    for (size_t i = first; i + 1 < lower->func->blocks.count; i++)
        retarget(lower->func->blocks.items[i], target, edge);
    lower->block = edge;
    gl_lower_clean(lower, full->base, NULL);
    gl_lower_jump(lower, target);
}

void gl_lower_condition(struct gl_lower *lower, CXCursor expr, struct gl_ir_block *yes,
                        struct gl_ir_block *no)
{
    struct gl_full full;
    gl_lower_full_begin(lower, &full);
    size_t first = lower->func->blocks.count;
    if (gl_fe_is_null(expr))
        gl_lower_branch(lower, gl_lower_undef(), yes, no);
    else
        gl_lower_test(lower, expr, yes, no);
    if (lower->alive != full.base) {
        clean_edge(lower, &full, first, yes);
        clean_edge(lower, &full, first, no);
    }
    lower->alive = full.base;
    lower->full = full.outer;
}

static struct gl_ir_operand logical_value(struct gl_lower *lower, CXCursor expr)
{
    struct gl_ir_var *result = gl_lower_scalar_temp(lower, gl_fe_simple_type(lower->fe, GL_TYPE_BOOL));
    struct gl_ir_block *yes = gl_lower_block(lower), *no = gl_lower_block(lower);
    struct gl_ir_block *after = gl_lower_block(lower);
    gl_lower_test(lower, expr, yes, no);
    lower->block = yes;
    gl_lower_copy(lower, gl_ir_place_var(result), gl_ir_operand_integer(1));
    gl_lower_jump(lower, after);
    lower->block = no;
    gl_lower_copy(lower, gl_ir_place_var(result), gl_ir_operand_integer(0));
    gl_lower_continue_in(lower, after);
    return gl_ir_operand_place(gl_ir_place_var(result));
}

void gl_lower_conditional(struct gl_lower *lower, CXCursor expr, gl_lower_arm *arm, void *context)
{
    struct gl_kids kids = gl_fe_expr_kids(lower->fe, expr);
    if (kids.count != 3)
        return;
    struct gl_ir_block *yes = gl_lower_block(lower), *no = gl_lower_block(lower);
    struct gl_ir_block *after = gl_lower_block(lower);
    gl_lower_test(lower, kids.at[0], yes, no);
    enter_conditional(lower);
    lower->block = yes;
    arm(lower, kids.at[1], context);
    gl_lower_jump(lower, after);
    lower->block = no;
    arm(lower, kids.at[2], context);
    gl_lower_continue_in(lower, after);
    leave_conditional(lower);
}

static void value_arm(struct gl_lower *lower, CXCursor expr, void *context)
{
    struct gl_ir_var *result = context;
    if (canonical_kind(expr) == CXType_Void)
        gl_lower_effects(lower, expr);
    else
        gl_lower_copy(lower, gl_ir_place_var(result), gl_lower_value(lower, expr));
}

static void address_arm(struct gl_lower *lower, CXCursor expr, void *context)
{
    struct gl_ir_var *result = context;
    gl_lower_copy(lower, gl_ir_place_var(result), gl_lower_address(gl_lower_place(lower, expr)));
}

static void effects_arm(struct gl_lower *lower, CXCursor expr, void *context)
{
    (void)context;
    gl_lower_effects(lower, expr);
}

struct gl_ir_place gl_lower_conditional_place(struct gl_lower *lower, CXCursor expr)
{
    struct gl_ir_type *pointer = gl_ir_type_pointer(lower->program, type_of(lower, expr));
    struct gl_ir_var *result = gl_lower_scalar_temp(lower, pointer);
    gl_lower_conditional(lower, expr, address_arm, result);
    return gl_ir_place_deref(lower->program, gl_ir_place_var(result));
}

static struct gl_ir_operand conditional_value(struct gl_lower *lower, CXCursor expr)
{
    if (canonical_kind(expr) == CXType_Void) {
        gl_lower_conditional(lower, expr, effects_arm, NULL);
        return gl_lower_undef();
    }
    if (gl_lower_is_class(lower, clang_getCursorType(expr)))
        return gl_ir_operand_place(gl_lower_place(lower, expr));
    struct gl_ir_var *result = gl_lower_scalar_temp(lower, type_of(lower, expr));
    gl_lower_conditional(lower, expr, value_arm, result);
    return gl_ir_operand_place(gl_ir_place_var(result));
}

struct gl_ir_operand gl_lower_gnu_conditional(struct gl_lower *lower, CXCursor expr, struct gl_kids kids)
{
    struct gl_ir_type *type = type_of(lower, expr);
    struct gl_ir_operand first = gl_lower_value(lower, kids.at[0]);
    struct gl_ir_var *result = gl_lower_scalar_temp(lower, type);
    gl_lower_copy(lower, gl_ir_place_var(result), first);
    struct gl_ir_block *no = gl_lower_block(lower), *after = gl_lower_block(lower);
    gl_lower_branch(lower, gl_ir_operand_place(gl_ir_place_var(result)), after, no);
    lower->block = no;
    enter_conditional(lower);
    gl_lower_copy(lower, gl_ir_place_var(result), gl_lower_value(lower, kids.at[3]));
    leave_conditional(lower);
    gl_lower_continue_in(lower, after);
    return gl_ir_operand_place(gl_ir_place_var(result));
}

// ---- operators as values ---------------------------------------------------------------------------------

static struct gl_ir_operand negated(struct gl_lower *lower, CXCursor expr, CXCursor kid)
{
    struct gl_ir_operand value = gl_lower_value(lower, kid);
    if (value.kind != GL_OPERAND_INTEGER)
        return gl_lower_compute(lower, "-", type_of(lower, expr), &value, 1);
    return gl_ir_operand_integer((int64_t)(0 - (uint64_t)value.integer));
}

static struct gl_ir_operand unary_value(struct gl_lower *lower, CXCursor expr)
{
    CXCursor kid = gl_fe_expr_kid(lower->fe, expr);
    if (gl_fe_is_null(kid))
        return gl_lower_unknown(lower, "operator", type_of(lower, expr), NULL, 0);
    switch (clang_getCursorUnaryOperatorKind(expr)) {
    case CXUnaryOperator_PostInc:
    case CXUnaryOperator_PostDec:
        return step_after(lower, expr);
    case CXUnaryOperator_AddrOf:
        return canonical_kind(expr) == CXType_MemberPointer
                   ? gl_lower_unknown(lower, "member pointer", type_of(lower, expr), NULL, 0)
                   : gl_lower_address(gl_lower_place(lower, kid));
    case CXUnaryOperator_Plus:
    case CXUnaryOperator_Extension:
    case CXUnaryOperator_Real:
        return gl_lower_value(lower, kid);
    case CXUnaryOperator_Minus:
        return negated(lower, expr, kid);
    case CXUnaryOperator_Not: {
        struct gl_ir_operand value = gl_lower_value(lower, kid);
        return gl_lower_compute(lower, "~", type_of(lower, expr), &value, 1);
    }
    case CXUnaryOperator_LNot: {
        struct gl_ir_operand value = gl_lower_value(lower, kid);
        return gl_lower_compare(lower, GL_CMP_EQ, value, gl_ir_operand_integer(0));
    }
    case CXUnaryOperator_Deref:
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec: {
        struct gl_ir_place place = gl_lower_place(lower, expr);
        bool is_array = clang_getArrayElementType(clang_getCanonicalType(clang_getCursorType(expr))).kind !=
                        CXType_Invalid;
        return is_array || canonical_kind(expr) == CXType_FunctionProto ? gl_lower_address(place)
                                                                        : gl_ir_operand_place(place);
    }
    default: {
        struct gl_ir_operand value = gl_lower_value(lower, kid);
        return gl_lower_unknown(lower, "operator", type_of(lower, expr), &value, 1);
    }
    }
}

static struct gl_ir_operand binary_value(struct gl_lower *lower, CXCursor expr)
{
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(expr);
    struct gl_kids kids = gl_fe_expr_kids(lower->fe, expr);
    enum gl_ir_compare compare;
    if (kids.count != 2)
        return gl_lower_unknown(lower, "operator", type_of(lower, expr), NULL, 0);
    if (kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr)
        return logical_value(lower, expr);
    if (kind == CXBinaryOperator_Comma) {
        gl_lower_effects(lower, kids.at[0]);
        return gl_lower_value(lower, kids.at[1]);
    }
    if (kind == CXBinaryOperator_Assign || kind == CXBinaryOperator_PtrMemD ||
        kind == CXBinaryOperator_PtrMemI)
        return gl_ir_operand_place(gl_lower_place(lower, expr));
    struct gl_ir_operand args[2];
    args[0] = gl_lower_value(lower, kids.at[0]);
    args[1] = gl_lower_value(lower, kids.at[1]);
    if (comparison(kind, &compare))
        return gl_lower_compare(lower, compare, args[0], args[1]);
    const char *name = arithmetic_name(kind);
    if (!name)
        return gl_lower_unknown(lower, "operator", type_of(lower, expr), args, 2);
    return gl_lower_compute(lower, name, type_of(lower, expr), args, 2);
}

struct gl_ir_operand gl_lower_operator(struct gl_lower *lower, CXCursor expr)
{
    switch (gl_fe_kind(expr)) {
    case CXCursor_UnaryOperator:
        return unary_value(lower, expr);
    case CXCursor_BinaryOperator:
        return binary_value(lower, expr);
    case CXCursor_CompoundAssignOperator:
        return gl_ir_operand_place(gl_lower_compound_assign(lower, expr));
    default:
        return conditional_value(lower, expr);
    }
}

void gl_lower_unary_effects(struct gl_lower *lower, CXCursor expr)
{
    switch (clang_getCursorUnaryOperatorKind(expr)) {
    case CXUnaryOperator_PostInc:
    case CXUnaryOperator_PostDec:
        gl_lower_step_by_one(lower, expr);
        break;
    default:
        gl_lower_value(lower, expr);
    }
}

// ---- casts -----------------------------------------------------------------------------------------------

// Integer and pointer casts keep the value; what changes it (to float, to bool) is computed.
struct gl_ir_operand gl_lower_cast(struct gl_lower *lower, CXCursor expr)
{
    CXCursor kid = gl_fe_expr_kid(lower->fe, expr);
    enum CXTypeKind to = canonical_kind(expr);
    if (to == CXType_Void) {
        if (!gl_fe_is_null(kid))
            gl_lower_effects(lower, kid);
        return gl_lower_undef();
    }
    if (to == CXType_Record)
        return gl_ir_operand_place(gl_lower_place(lower, expr));
    if (gl_fe_is_null(kid))
        return gl_ir_operand_integer(0);
    struct gl_ir_operand value = gl_lower_value(lower, kid);
    if (to == CXType_Bool && canonical_kind(kid) != CXType_Bool && value.kind == GL_OPERAND_PLACE)
        return gl_lower_compare(lower, GL_CMP_NE, value, gl_ir_operand_integer(0));
    return value;
}

// Whether a cast's written type ends in '&'.
static bool casts_to_reference(struct gl_lower *lower, CXCursor cast)
{
    size_t length;
    const char *text = gl_fe_text(lower->fe, cast, &length);
    if (!text)
        return false;
    size_t end = length;
    if (gl_fe_kind(cast) == CXCursor_CStyleCastExpr) {
        const char *close = memchr(text, ')', length);
        end = close ? (size_t)(close - text) : 0;
    } else {
        while (end > 0 && text[end - 1] != '(')
            end--;
        unsigned kid_start = gl_fe_start_offset(gl_fe_expr_kid(lower->fe, cast));
        unsigned start = gl_fe_start_offset(cast);
        if (kid_start > start && kid_start - start < length)
            end = kid_start - start;
    }
    while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '>' || text[end - 1] == '('))
        end--;
    return end > 0 && text[end - 1] == '&';
}

// ---- prvalue or not --------------------------------------------------------------------------------------

static bool call_makes_object(struct gl_lower *lower, CXCursor call)
{
    CXCursor referenced = gl_lower_called(lower, call);
    CXType result = clang_getResultType(clang_getCursorType(referenced));
    if (gl_fe_kind(referenced) == CXCursor_Constructor)
        return true;
    if (result.kind != CXType_Invalid)
        return !gl_fe_is_reference(result);
    CXCursor callee = gl_fe_expr_kid(lower->fe, call);
    CXType type = clang_getCanonicalType(clang_getCursorType(callee));
    if (type.kind == CXType_Pointer)
        type = clang_getPointeeType(type);
    result = clang_getResultType(type);
    return result.kind == CXType_Invalid || !gl_fe_is_reference(result);
}

static bool cast_makes_object(struct gl_lower *lower, CXCursor cast)
{
    CXCursor kid = gl_fe_expr_kid(lower->fe, cast);
    if (gl_fe_is_null(kid))
        return true;
    return gl_lower_is_prvalue(lower, kid) || !casts_to_reference(lower, cast);
}

static bool conditional_makes_object(struct gl_lower *lower, CXCursor expr)
{
    struct gl_kids kids = gl_fe_expr_kids(lower->fe, expr);
    if (kids.count != 3)
        return true;
    return gl_lower_is_prvalue(lower, kids.at[1]) || gl_lower_is_prvalue(lower, kids.at[2]);
}

static bool binary_makes_object(struct gl_lower *lower, CXCursor expr)
{
    struct gl_kids kids = gl_fe_expr_kids(lower->fe, expr);
    switch (clang_getCursorBinaryOperatorKind(expr)) {
    case CXBinaryOperator_Assign:
    case CXBinaryOperator_PtrMemD:
    case CXBinaryOperator_PtrMemI:
        return false;
    case CXBinaryOperator_Comma:
        return kids.count == 2 && gl_lower_is_prvalue(lower, kids.at[1]);
    default:
        return true;
    }
}

bool gl_lower_is_prvalue(struct gl_lower *lower, CXCursor expr)
{
    CXCursor inner = gl_fe_strip(lower->fe, expr);
    switch (gl_fe_kind(inner)) {
    case CXCursor_DeclRefExpr: {
        CXCursor referenced = clang_getCursorReferenced(inner);
        return gl_fe_kind(referenced) == CXCursor_EnumConstantDecl || gl_fe_is_null(referenced);
    }
    case CXCursor_MemberRefExpr:
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_StringLiteral:
    case CXCursor_CompoundAssignOperator:
        return false;
    case CXCursor_CompoundLiteralExpr:
        return lower->fe->is_cxx;
    case CXCursor_CallExpr:
        return call_makes_object(lower, inner);
    case CXCursor_BinaryOperator:
        return binary_makes_object(lower, inner);
    case CXCursor_ConditionalOperator:
        return conditional_makes_object(lower, inner);
    case CXCursor_UnaryOperator: {
        enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(inner);
        return kind != CXUnaryOperator_Deref && kind != CXUnaryOperator_PreInc &&
               kind != CXUnaryOperator_PreDec;
    }
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXDynamicCastExpr:
    case CXCursor_CXXReinterpretCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
        return cast_makes_object(lower, inner);
    case CXCursor_UnexposedExpr: {
        struct gl_kids kids = gl_fe_expr_kids(lower->fe, inner);
        bool keeps_object = kids.count == 1 && canonical_kind(inner) == CXType_Record &&
                            canonical_kind(kids.at[0]) == CXType_Record;
        return !keeps_object || gl_lower_is_prvalue(lower, kids.at[0]);
    }
    default:
        return true;
    }
}
