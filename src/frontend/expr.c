// SPDX-License-Identifier: Apache-2.0
// Expressions as values: which libclang node is lowered how.
#include "frontend/lower.h"

#include "frontend/operator.h"

#include <string.h>

static struct gl_ir_type *type_of(struct gl_lower *lower, CXCursor expr)
{
    return gl_fe_type(lower->fe, clang_getCursorType(expr));
}

static enum CXTypeKind canonical_kind(CXCursor expr)
{
    return clang_getCanonicalType(clang_getCursorType(expr)).kind;
}

bool gl_lower_is_class(struct gl_lower *lower, CXType type)
{
    (void)lower;
    return clang_getCanonicalType(type).kind == CXType_Record;
}

// ---- lvalues as values -----------------------------------------------------------------------------------

// An array decays to its address, everything else is read.
static struct gl_ir_operand read_place(struct gl_ir_place place, CXCursor expr)
{
    bool is_array =
        clang_getArrayElementType(clang_getCanonicalType(clang_getCursorType(expr))).kind != CXType_Invalid;
    return is_array ? gl_lower_address(place) : gl_ir_operand_place(place);
}

// `const int n = 256;` at namespace scope is the number.
static bool constant_variable(CXCursor variable, int64_t *out_value)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(variable));
    return clang_isConstQualifiedType(type) && type.kind >= CXType_Bool && type.kind <= CXType_Int128 &&
           !gl_fe_is_null(clang_Cursor_getVarDeclInitializer(variable)) &&
           gl_fe_constant(variable, out_value);
}

static struct gl_ir_operand referenced_value(struct gl_lower *lower, CXCursor expr)
{
    CXCursor referenced = clang_getCursorReferenced(expr);
    int64_t constant;
    switch (gl_fe_kind(referenced)) {
    case CXCursor_EnumConstantDecl:
        return gl_ir_operand_integer(clang_getEnumConstantDeclValue(referenced));
    case CXCursor_FunctionDecl:
    case CXCursor_CXXMethod:
        return gl_ir_operand_function(gl_fe_callee(lower->fe, referenced, lower->depth + 1));
    case CXCursor_VarDecl:
        if (!gl_lower_binding(lower, referenced) && constant_variable(referenced, &constant))
            return gl_ir_operand_integer(constant);
        break;
    case CXCursor_NonTypeTemplateParameter:
        return gl_lower_undef();
    default:
        break;
    }
    CXCursor kid = gl_fe_expr_kid(lower->fe, expr);
    bool is_substituted = gl_fe_is_null(referenced) && gl_fe_kind(expr) == CXCursor_DeclRefExpr;
    if (is_substituted && !gl_fe_is_null(kid)) // a template's parameter: its argument is the child
        return gl_lower_value(lower, kid);
    return read_place(gl_lower_place(lower, expr), expr);
}

// ---- implicit nodes --------------------------------------------------------------------------------------

static bool is_scalar_zero_init(CXCursor expr)
{
    enum CXTypeKind kind = canonical_kind(expr);
    return kind != CXType_Record && kind != CXType_Dependent && kind != CXType_Unexposed;
}

static struct gl_ir_operand converted(struct gl_lower *lower, CXCursor expr, CXCursor kid)
{
    enum CXTypeKind to = canonical_kind(expr), from = canonical_kind(kid);
    if (to == CXType_Record)
        return gl_ir_operand_place(gl_lower_place(lower, expr));
    struct gl_ir_operand value = gl_lower_value(lower, kid);
    if (to != CXType_Bool || from == CXType_Bool || from == CXType_Dependent || from == CXType_Record)
        return value;
    if (value.kind == GL_OPERAND_INTEGER)
        return gl_ir_operand_integer(value.integer != 0);
    return gl_lower_compare(lower, GL_CMP_NE, value, gl_ir_operand_integer(0));
}

// GNU `a ?: b` shows a, its test, a again and b.
static bool is_gnu_conditional(struct gl_kids kids)
{
    return kids.count == 4 && gl_fe_start_offset(kids.at[0]) == gl_fe_start_offset(kids.at[1]) &&
           gl_fe_start_offset(kids.at[0]) == gl_fe_start_offset(kids.at[2]);
}

static struct gl_ir_operand unexposed_value(struct gl_lower *lower, CXCursor expr)
{
    struct gl_kids kids = gl_fe_expr_kids(lower->fe, expr);
    if (kids.count == 1)
        return converted(lower, expr, kids.at[0]);
    if (!kids.count && canonical_kind(expr) == CXType_Record)
        return gl_ir_operand_place(gl_lower_place(lower, expr));
    if (!kids.count)
        return is_scalar_zero_init(expr) ? gl_ir_operand_integer(0) : gl_lower_undef();
    if (is_gnu_conditional(kids))
        return gl_lower_gnu_conditional(lower, expr, kids);
    return gl_lower_recovered_call(lower, expr, kids);
}

// ---- literals --------------------------------------------------------------------------------------------

static struct gl_ir_operand constant_or_undef(CXCursor expr)
{
    int64_t value;
    return gl_fe_constant(expr, &value) ? gl_ir_operand_integer(value) : gl_lower_undef();
}

static struct gl_ir_operand boolean_literal(struct gl_lower *lower, CXCursor expr)
{
    unsigned offset;
    struct gl_fe_file *file = gl_fe_spelled_at(lower->fe, clang_getCursorLocation(expr), &offset);
    if (!file)
        return constant_or_undef(expr);
    return gl_ir_operand_integer(file->text[offset] == 't' || file->text[offset] == '1');
}

static struct gl_ir_operand string_literal(struct gl_lower *lower, CXCursor expr)
{
    const char *spelling = gl_fe_spelling(lower->fe, expr);
    size_t length = strlen(spelling);
    const char *quote = strchr(spelling, '"');
    if (quote && length && spelling[length - 1] == '"' && quote + 1 < spelling + length)
        spelling = gl_intern_n(gl_ir_strings(lower->program), quote + 1,
                               (size_t)(spelling + length - 1 - (quote + 1)));
    return (struct gl_ir_operand){.kind = GL_OPERAND_STRING, .string = spelling};
}

// ---- statement expressions, throw ------------------------------------------------------------------------

// The last statement's value is what the expression yields: put into `dst`, if there is one.
static void statement_expression(struct gl_lower *lower, CXCursor expr, const struct gl_ir_place *dst)
{
    struct gl_kids kids = gl_fe_expr_kids(lower->fe, gl_fe_expr_kid(lower->fe, expr));
    bool has_value = dst && kids.count && clang_isExpression(gl_fe_kind(kids.at[kids.count - 1]));
    struct gl_cleanup *outside = lower->alive;
    struct gl_full full;
    gl_lower_full_begin(lower, &full);
    lower->full = NULL;
    for (size_t i = 0; i + (has_value ? 1 : 0) < kids.count; i++)
        gl_lower_stmt(lower, kids.at[i]);
    lower->full = &full;
    if (has_value)
        gl_lower_init(lower, kids.at[kids.count - 1], *dst, clang_getCursorType(expr));
    gl_lower_leave(lower, outside);
    lower->full = full.outer;
}

void gl_lower_statement_expression(struct gl_lower *lower, CXCursor expr, struct gl_ir_place place)
{
    statement_expression(lower, expr, &place);
}

static struct gl_ir_operand statement_expression_value(struct gl_lower *lower, CXCursor expr)
{
    CXType type = clang_getCursorType(expr);
    if (gl_lower_is_class(lower, type))
        return gl_ir_operand_place(gl_lower_materialize(lower, expr));
    if (canonical_kind(expr) == CXType_Void) {
        statement_expression(lower, expr, NULL);
        return gl_lower_undef();
    }
    struct gl_ir_place result = gl_ir_place_var(gl_lower_scalar_temp(lower, type_of(lower, expr)));
    statement_expression(lower, expr, &result);
    return gl_ir_operand_place(result);
}

static void lower_throw(struct gl_lower *lower, CXCursor expr)
{
    CXCursor thrown = gl_fe_expr_kid(lower->fe, expr);
    if (!gl_fe_is_null(thrown))
        gl_lower_effects(lower, thrown);
    gl_lower_raise(lower);
}

// ---- objects that have no name ---------------------------------------------------------------------------

static struct gl_ir_place materialize(struct gl_lower *lower, CXCursor expr, bool is_extended)
{
    CXType type = clang_getCursorType(expr);
    bool is_array = clang_getArrayElementType(clang_getCanonicalType(type)).kind != CXType_Invalid;
    if (!gl_lower_is_class(lower, type) && !is_array && !is_extended) {
        struct gl_ir_operand value = gl_lower_value(lower, expr);
        return gl_lower_pin(lower, value, gl_fe_type(lower->fe, type)).place;
    }
    struct gl_ir_var *temp = gl_lower_temp(lower, type);
    gl_lower_init(lower, expr, gl_ir_place_var(temp), type);
    gl_lower_temp_done(lower, temp, type, is_extended);
    return gl_ir_place_var(temp);
}

struct gl_ir_place gl_lower_materialize(struct gl_lower *lower, CXCursor expr)
{
    return materialize(lower, expr, false);
}

struct gl_ir_place gl_lower_block_object(struct gl_lower *lower, CXCursor expr)
{
    return materialize(lower, expr, true);
}

// `const T &x = f().member;` keeps the whole of f()'s result.
struct gl_ir_place gl_lower_extended_place(struct gl_lower *lower, CXCursor expr)
{
    CXCursor inner = gl_fe_strip(lower->fe, expr);
    if (gl_lower_is_prvalue(lower, inner))
        return materialize(lower, inner, true);
    if (gl_fe_kind(inner) == CXCursor_MemberRefExpr &&
        gl_fe_kind(clang_getCursorReferenced(inner)) == CXCursor_FieldDecl) {
        CXCursor base = gl_fe_expr_kid(lower->fe, inner), field = clang_getCursorReferenced(inner);
        bool is_object = !gl_fe_is_null(base) && canonical_kind(base) == CXType_Record;
        if (is_object && !gl_fe_is_reference(clang_getCursorType(field))) {
            struct gl_ir_place object = gl_lower_extended_place(lower, base);
            return gl_lower_field(lower, object, field);
        }
    }
    return gl_lower_place(lower, expr);
}

struct gl_ir_operand gl_lower_bind_reference(struct gl_lower *lower, CXCursor expr, bool is_extended)
{
    struct gl_ir_place place =
        is_extended ? gl_lower_extended_place(lower, expr) : gl_lower_place(lower, expr);
    return gl_lower_address(place);
}

// ---- values ----------------------------------------------------------------------------------------------

static struct gl_ir_operand unknown_expression(struct gl_lower *lower, CXCursor expr, const char *why)
{
    struct gl_kids kids = gl_fe_expr_kids(lower->fe, expr);
    struct gl_ir_operand *args = GL_ARENA_ARRAY(&lower->fe->scratch, struct gl_ir_operand, kids.count + 1);
    for (size_t i = 0; i < kids.count; i++)
        args[i] = gl_lower_value(lower, kids.at[i]);
    return gl_lower_unknown(lower, why, type_of(lower, expr), args, kids.count);
}

static struct gl_ir_operand list_value(struct gl_lower *lower, CXCursor expr)
{
    enum CXTypeKind kind = canonical_kind(expr);
    CXCursor kid = gl_fe_expr_kid(lower->fe, expr);
    if (kind == CXType_Record || clang_getArrayElementType(clang_getCursorType(expr)).kind != CXType_Invalid)
        return read_place(gl_lower_materialize(lower, expr), expr);
    return gl_fe_is_null(kid) ? gl_ir_operand_integer(0) : gl_lower_value(lower, kid);
}

static struct gl_ir_operand value_by_kind(struct gl_lower *lower, CXCursor expr)
{
    switch (gl_fe_kind(expr)) {
    case CXCursor_ParenExpr:
    case CXCursor_GenericSelectionExpr:
        return gl_lower_value(lower, gl_fe_expr_kid(lower->fe, expr));
    case CXCursor_UnexposedExpr:
        return unexposed_value(lower, expr);
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_UnaryExpr: // sizeof and its like
        return constant_or_undef(expr);
    case CXCursor_CXXBoolLiteralExpr:
        return boolean_literal(lower, expr);
    case CXCursor_CXXNullPtrLiteralExpr:
    case CXCursor_GNUNullExpr:
        return gl_ir_operand_integer(0);
    case CXCursor_StringLiteral:
        return string_literal(lower, expr);
    case CXCursor_FloatingLiteral:
    case CXCursor_ImaginaryLiteral:
    case CXCursor_FixedPointLiteral:
    case CXCursor_SizeOfPackExpr:
    case CXCursor_CXXTypeidExpr:
    case CXCursor_RequiresExpr:
    case CXCursor_ConceptSpecializationExpr:
    case CXCursor_AddrLabelExpr:
        return gl_lower_undef();
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr:
        return referenced_value(lower, expr);
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_CompoundLiteralExpr:
        return read_place(gl_lower_place(lower, expr), expr);
    case CXCursor_CXXThisExpr:
        return gl_lower_this(lower);
    case CXCursor_CallExpr:
        return gl_lower_call(lower, expr, NULL, false);
    case CXCursor_UnaryOperator:
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
    case CXCursor_ConditionalOperator:
        return gl_lower_operator(lower, expr);
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXDynamicCastExpr:
    case CXCursor_CXXReinterpretCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
    case CXCursor_CXXAddrspaceCastExpr:
    case CXCursor_BuiltinBitCastExpr:
        return gl_lower_cast(lower, expr);
    case CXCursor_InitListExpr:
    case CXCursor_CXXParenListInitExpr:
        return list_value(lower, expr);
    case CXCursor_StmtExpr:
        return statement_expression_value(lower, expr);
    case CXCursor_LambdaExpr:
        return gl_ir_operand_place(gl_lower_materialize(lower, expr));
    case CXCursor_CXXNewExpr:
        return gl_lower_new(lower, expr);
    case CXCursor_CXXDeleteExpr:
        gl_lower_delete(lower, expr);
        return gl_lower_undef();
    case CXCursor_CXXThrowExpr:
        lower_throw(lower, expr);
        return gl_lower_undef();
    case CXCursor_PackExpansionExpr:
        return unknown_expression(lower, expr, "pack expansion");
    default:
        return unknown_expression(lower, expr, "expression");
    }
}

struct gl_ir_operand gl_lower_value(struct gl_lower *lower, CXCursor expr)
{
    if (lower->expr_depth >= GL_LOWER_EXPR_DEPTH_MAX)
        return gl_lower_unknown(lower, "nesting", type_of(lower, expr), NULL, 0);
    lower->expr_depth++;
    struct gl_ir_operand value = value_by_kind(lower, expr);
    lower->expr_depth--;
    return value;
}

// ---- effects only ----------------------------------------------------------------------------------------

static void discard_call(struct gl_lower *lower, CXCursor call)
{
    CXCursor constructor;
    if (gl_lower_is_constructor_call(call, &constructor))
        gl_lower_materialize(lower, call);
    else
        gl_lower_call(lower, call, NULL, true);
}

void gl_lower_effects(struct gl_lower *lower, CXCursor expr)
{
    CXCursor inner = gl_fe_strip(lower->fe, expr);
    switch (gl_fe_kind(inner)) {
    case CXCursor_CallExpr:
        discard_call(lower, inner);
        break;
    case CXCursor_DeclRefExpr: // `(void)x;`
        break;
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
        if (canonical_kind(inner) == CXType_Void)
            gl_lower_effects(lower, gl_fe_expr_kid(lower->fe, inner));
        else
            gl_lower_value(lower, inner);
        break;
    case CXCursor_UnaryOperator:
        gl_lower_unary_effects(lower, inner);
        break;
    default:
        gl_lower_value(lower, inner);
    }
}
