// SPDX-License-Identifier: Apache-2.0
// Statements other than loops → blocks and jumps.
#include "frontend/condition.h"
#include "frontend/lower.h"

#include <ctype.h>
#include <string.h>

// ---- local names -----------------------------------------------------------------------------------------

void gl_lower_bind(struct gl_lower *lower, CXCursor declaration, struct gl_ir_place place)
{
    void *copy = gl_arena_copy(&lower->fe->scratch, &place, sizeof place);
    *gl_map_put(&lower->bindings, gl_fe_key(declaration), NULL) = copy;
}

const struct gl_ir_place *gl_lower_binding(struct gl_lower *lower, CXCursor declaration)
{
    return gl_map_get(&lower->bindings, gl_fe_key(declaration), NULL);
}

void gl_lower_leave_stmt(struct gl_lower *lower, CXCursor stmt, struct gl_cleanup *outside)
{
    if (lower->alive != outside)
        lower->loc = gl_fe_end_loc(lower->fe, stmt);
    gl_lower_leave(lower, outside);
}

void gl_lower_substatement(struct gl_lower *lower, CXCursor stmt)
{
    struct gl_cleanup *outside = lower->alive;
    gl_lower_stmt(lower, stmt);
    gl_lower_leave_stmt(lower, stmt, outside);
}

// ---- if --------------------------------------------------------------------------------------------------

static bool is_constexpr_if(struct gl_lower *lower, CXCursor stmt)
{
    size_t length;
    const char *text = gl_fe_text(lower->fe, stmt, &length);
    size_t i = 2;
    while (text && i < length && isspace((unsigned char)text[i]))
        i++;
    return text && i + 9 <= length && memcmp(text + i, "constexpr", 9) == 0;
}

static void lower_if(struct gl_lower *lower, CXCursor stmt)
{
    struct gl_cleanup *outside = lower->alive;
    struct gl_condition_parts parts = gl_lower_split_condition(lower, stmt);
    gl_lower_condition_prologue(lower, &parts);
    struct gl_ir_block *yes = gl_lower_block(lower), *no = gl_lower_block(lower);
    struct gl_ir_block *after = gl_lower_block(lower);
    int64_t constant;
    if (is_constexpr_if(lower, stmt) && gl_fe_constant(parts.condition, &constant))
        gl_lower_jump(lower, constant ? yes : no);
    else
        gl_lower_condition(lower, parts.condition, yes, no);
    lower->block = yes;
    if (parts.rest.count > 0)
        gl_lower_substatement(lower, parts.rest.at[0]);
    gl_lower_continue_in(lower, after);
    lower->block = no;
    if (parts.rest.count > 1)
        gl_lower_substatement(lower, parts.rest.at[1]);
    gl_lower_jump(lower, after);
    lower->block = after;
    gl_lower_leave_stmt(lower, stmt, outside);
}

// ---- jumps -----------------------------------------------------------------------------------------------

static void lower_break(struct gl_lower *lower)
{
    if (!lower->jumps)
        return;
    gl_lower_clean(lower, lower->jumps->alive, NULL);
    gl_lower_jump(lower, lower->jumps->break_block);
}

static void lower_continue(struct gl_lower *lower)
{
    const struct gl_jump_target *target = lower->jumps;
    while (target && !target->continue_block)
        target = target->outer;
    if (!target)
        return;
    gl_lower_clean(lower, target->alive, NULL);
    gl_lower_jump(lower, target->continue_block);
}

static void lower_goto(struct gl_lower *lower, CXCursor stmt)
{
    CXCursor label = clang_getCursorReferenced(stmt);
    gl_lower_goto(lower, gl_fe_kind(label) == CXCursor_LabelStmt ? label : clang_getNullCursor());
}

static void lower_label(struct gl_lower *lower, CXCursor stmt)
{
    gl_lower_label(lower, stmt);
    struct gl_kids kids = gl_fe_expr_kids(lower->fe, stmt);
    for (size_t i = 0; i < kids.count; i++)
        gl_lower_stmt(lower, kids.at[i]);
}

// ---- return ----------------------------------------------------------------------------------------------

// `return x;` with a local object of the returned class: the object itself becomes the result.
static struct gl_ir_var *returned_local(struct gl_lower *lower, CXCursor expr)
{
    CXCursor constructor;
    expr = gl_fe_strip(lower->fe, expr);
    if (gl_lower_is_constructor_call(expr, &constructor)) {
        enum gl_special kind = gl_fe_special_kind(constructor);
        if ((kind != GL_SPECIAL_COPY && kind != GL_SPECIAL_MOVE) || clang_Cursor_getNumArguments(expr) < 1)
            return NULL;
        expr = gl_fe_strip(lower->fe, clang_Cursor_getArgument(expr, 0));
    }
    if (gl_fe_kind(expr) != CXCursor_DeclRefExpr)
        return NULL;
    const struct gl_ir_place *place = gl_lower_binding(lower, clang_getCursorReferenced(expr));
    if (!place || place->step_count || place->var->kind != GL_VAR_LOCAL)
        return NULL;
    return place->var;
}

static struct gl_ir_operand class_result(struct gl_lower *lower, CXCursor expr)
{
    struct gl_ir_var *result = gl_lower_scalar_temp(lower, gl_fe_type(lower->fe, lower->result_type));
    gl_lower_begin(lower, result);
    gl_lower_init(lower, expr, gl_ir_place_var(result), lower->result_type);
    return gl_ir_operand_place(gl_ir_place_var(result));
}

// Whether a value stays what it is when the scopes are left: a constant, or a temporary that none of them
// ends.
static bool outlives_scopes(struct gl_lower *lower, const struct gl_ir_operand *value)
{
    if (value->kind != GL_OPERAND_PLACE)
        return value->kind != GL_OPERAND_ADDRESS;
    if (value->place.step_count || value->place.var->kind != GL_VAR_TEMP)
        return false;
    for (const struct gl_cleanup *cleanup = lower->alive; cleanup; cleanup = cleanup->below)
        if (cleanup->var == value->place.var)
            return false;
    return true;
}

static struct gl_ir_operand kept_value(struct gl_lower *lower, struct gl_ir_operand value)
{
    if (!lower->alive || outlives_scopes(lower, &value))
        return value;
    return gl_lower_pin(lower, value, gl_fe_type(lower->fe, lower->result_type));
}

static struct gl_ir_operand result_value(struct gl_lower *lower, CXCursor expr)
{
    if (gl_fe_is_reference(lower->result_type))
        return kept_value(lower, gl_lower_bind_reference(lower, expr, false));
    if (gl_lower_is_class(lower, lower->result_type))
        return class_result(lower, expr);
    return kept_value(lower, gl_lower_value(lower, expr));
}

static bool is_plain_type_match(struct gl_lower *lower, const struct gl_ir_var *var)
{
    const struct gl_ir_type *result = gl_ir_type_strip(gl_fe_type(lower->fe, lower->result_type));
    const struct gl_ir_type *type = gl_ir_type_strip(var->type);
    return result->kind == type->kind && result->record == type->record && type->kind != GL_TYPE_ARRAY &&
           type->kind != GL_TYPE_REFERENCE && type->kind != GL_TYPE_RVALUE;
}

void gl_lower_return_stmt(struct gl_lower *lower, CXCursor stmt)
{
    CXCursor expr = gl_fe_expr_kid(lower->fe, stmt);
    if (gl_fe_is_null(expr)) {
        gl_lower_clean(lower, NULL, NULL);
        gl_lower_return(lower, NULL);
        return;
    }
    struct gl_ir_var *local = returned_local(lower, expr);
    if (local && is_plain_type_match(lower, local)) {
        gl_lower_clean(lower, NULL, local);
        struct gl_ir_operand value = gl_ir_operand_place(gl_ir_place_var(local));
        gl_lower_return(lower, &value);
        return;
    }
    struct gl_full full;
    gl_lower_full_begin(lower, &full);
    bool is_void = clang_getCanonicalType(lower->result_type).kind == CXType_Void;
    struct gl_ir_operand value = gl_lower_undef();
    if (is_void)
        gl_lower_effects(lower, expr);
    else
        value = result_value(lower, expr);
    gl_lower_full_end(lower, &full);
    gl_lower_clean(lower, NULL, NULL);
    gl_lower_return(lower, is_void ? NULL : &value);
}

// ---- try -------------------------------------------------------------------------------------------------

static void lower_handlers(struct gl_lower *lower, struct gl_kids kids, struct gl_ir_block *after)
{
    for (size_t i = 1; i < kids.count; i++) {
        struct gl_ir_block *next = gl_lower_block(lower), *here = gl_lower_block(lower);
        bool is_last = i + 1 == kids.count;
        if (is_last)
            gl_lower_jump(lower, here);
        else
            gl_lower_branch(lower, gl_lower_undef(), here, next);
        lower->block = here;
        struct gl_cleanup *outside = lower->alive;
        struct gl_kids parts = gl_fe_kids(lower->fe, kids.at[i]);
        for (size_t k = 0; k < parts.count; k++) {
            if (gl_fe_kind(parts.at[k]) == CXCursor_VarDecl)
                gl_lower_declaration(lower, parts.at[k]);
            else if (clang_isStatement(gl_fe_kind(parts.at[k])))
                gl_lower_stmt(lower, parts.at[k]);
        }
        gl_lower_leave_stmt(lower, kids.at[i], outside);
        gl_lower_jump(lower, after);
        lower->block = next;
    }
}

// An exception may come from anywhere in the body. The model: control may go to the handlers from its start
// and from its end.
void gl_lower_try(struct gl_lower *lower, CXCursor stmt)
{
    struct gl_kids kids = gl_fe_expr_kids(lower->fe, stmt);
    if (!kids.count)
        return;
    struct gl_ir_block *body = gl_lower_block(lower), *handlers = gl_lower_block(lower);
    struct gl_ir_block *after = gl_lower_block(lower);
    gl_lower_branch(lower, gl_lower_undef(), body, handlers);
    struct gl_handler handler = {lower->handlers, handlers, lower->alive};
    lower->handlers = &handler;
    lower->block = body;
    gl_lower_stmt(lower, kids.at[0]);
    lower->handlers = handler.outer;
    gl_lower_branch(lower, gl_lower_undef(), after, handlers);
    lower->block = handlers;
    lower_handlers(lower, kids, after);
    lower->block = after;
}

// ---- the rest --------------------------------------------------------------------------------------------

static void lower_compound(struct gl_lower *lower, CXCursor stmt)
{
    struct gl_cleanup *outside = lower->alive;
    struct gl_kids kids = gl_fe_expr_kids(lower->fe, stmt);
    for (size_t i = 0; i < kids.count; i++)
        gl_lower_stmt(lower, kids.at[i]);
    gl_lower_leave_stmt(lower, stmt, outside);
}

static void lower_expression_stmt(struct gl_lower *lower, CXCursor stmt)
{
    struct gl_full full;
    gl_lower_full_begin(lower, &full);
    gl_lower_effects(lower, stmt);
    gl_lower_full_end(lower, &full);
}

static void lower_kids(struct gl_lower *lower, CXCursor stmt)
{
    struct gl_kids kids = gl_fe_kids(lower->fe, stmt);
    for (size_t i = 0; i < kids.count; i++) {
        if (clang_isDeclaration(gl_fe_kind(kids.at[i])))
            gl_lower_declaration(lower, kids.at[i]);
        else if (clang_isStatement(gl_fe_kind(kids.at[i])) || clang_isExpression(gl_fe_kind(kids.at[i])))
            gl_lower_stmt(lower, kids.at[i]);
    }
}

static void lower_asm(struct gl_lower *lower, CXCursor stmt)
{
    struct gl_kids kids = gl_fe_expr_kids(lower->fe, stmt);
    struct gl_ir_operand *args = GL_ARENA_ARRAY(&lower->fe->scratch, struct gl_ir_operand, kids.count + 1);
    for (size_t i = 0; i < kids.count; i++)
        args[i] = gl_lower_value(lower, kids.at[i]);
    gl_lower_unknown(lower, "asm", NULL, args, kids.count);
}

void gl_lower_stmt(struct gl_lower *lower, CXCursor stmt)
{
    enum CXCursorKind kind = gl_fe_kind(stmt);
    lower->loc = gl_fe_start_loc(lower->fe, stmt);
    if (clang_isExpression(kind)) {
        lower_expression_stmt(lower, stmt);
        return;
    }
    switch (kind) {
    case CXCursor_CompoundStmt:
        lower_compound(lower, stmt);
        break;
    case CXCursor_DeclStmt:
    case CXCursor_UnexposedStmt: // attributed statements
        lower_kids(lower, stmt);
        break;
    case CXCursor_IfStmt:
        lower_if(lower, stmt);
        break;
    case CXCursor_SwitchStmt:
        gl_lower_switch(lower, stmt);
        break;
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
        gl_lower_case(lower, stmt);
        break;
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_ForStmt:
        gl_lower_loop(lower, stmt);
        break;
    case CXCursor_CXXForRangeStmt:
        gl_lower_range_for(lower, stmt);
        break;
    case CXCursor_BreakStmt:
        lower_break(lower);
        break;
    case CXCursor_ContinueStmt:
        lower_continue(lower);
        break;
    case CXCursor_ReturnStmt:
        gl_lower_return_stmt(lower, stmt);
        break;
    case CXCursor_GotoStmt:
    case CXCursor_IndirectGotoStmt:
        lower_goto(lower, stmt);
        break;
    case CXCursor_LabelStmt:
        lower_label(lower, stmt);
        break;
    case CXCursor_CXXTryStmt:
        gl_lower_try(lower, stmt);
        break;
    case CXCursor_NullStmt:
        break;
    case CXCursor_GCCAsmStmt:
    case CXCursor_MSAsmStmt:
        lower_asm(lower, stmt);
        break;
    default:
        gl_lower_unknown(lower, "statement", NULL, NULL, 0);
        lower_kids(lower, stmt);
    }
}
