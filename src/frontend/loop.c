// SPDX-License-Identifier: Apache-2.0
// Loops → blocks and back edges.
#include "frontend/lower.h"

#include <string.h>

struct loop_parts {
    CXCursor init, variable, condition, step, body;
};

// ---- which part is which ---------------------------------------------------------------------------------

// Semicolons between the loop's start and a part of its head, outside of nested parentheses and braces: `for
// (n;;)` and `for (;;n)` have the same children. -1 if the part is spelled elsewhere (a macro's argument).
static int semicolons_before(struct gl_fe *fe, CXCursor loop, CXCursor part)
{
    unsigned from, to;
    CXSourceLocation start = clang_getRangeStart(clang_getCursorExtent(loop));
    CXSourceLocation end = clang_getRangeStart(clang_getCursorExtent(part));
    struct gl_fe_file *file = gl_fe_spelled_at(fe, start, &from);
    if (!file || file != gl_fe_spelled_at(fe, end, &to) || to < from)
        return -1;
    int depth = 0, count = 0;
    for (unsigned i = from; i < to; i++) {
        char c = file->text[i];
        depth += c == '(' || c == '{' ? 1 : c == ')' || c == '}' ? -1 : 0;
        count += c == ';' && depth <= 1;
    }
    return count;
}

static bool is_condition_like(CXCursor part)
{
    return clang_getCanonicalType(clang_getCursorType(part)).kind == CXType_Bool ||
           gl_fe_kind(part) == CXCursor_BinaryOperator;
}

static void place_for_part(struct gl_lower *lower, struct loop_parts *parts, CXCursor loop, CXCursor part)
{
    int semicolons = semicolons_before(lower->fe, loop, part);
    if (gl_fe_kind(part) == CXCursor_VarDecl)
        parts->variable = part;
    else if (gl_fe_kind(part) == CXCursor_DeclStmt || semicolons == 0)
        parts->init = part;
    else if (semicolons == 1 ||
             (semicolons < 0 && gl_fe_is_null(parts->condition) && is_condition_like(part)))
        parts->condition = part;
    else
        parts->step = part;
}

static struct loop_parts split_loop(struct gl_lower *lower, CXCursor loop)
{
    CXCursor none = clang_getNullCursor();
    struct loop_parts parts = {none, none, none, none, none};
    struct gl_kids kids = gl_fe_kids(lower->fe, loop);
    if (!kids.count)
        return parts;
    if (gl_fe_kind(loop) == CXCursor_DoStmt) {
        parts.body = kids.at[0];
        parts.condition = kids.count > 1 ? kids.at[1] : none;
        return parts;
    }
    parts.body = kids.at[kids.count - 1];
    for (size_t i = 0; i + 1 < kids.count; i++) {
        if (gl_fe_kind(loop) == CXCursor_ForStmt)
            place_for_part(lower, &parts, loop, kids.at[i]);
        else if (gl_fe_kind(kids.at[i]) == CXCursor_VarDecl)
            parts.variable = kids.at[i];
        else
            parts.condition = kids.at[i];
    }
    return parts;
}

// ---- while, do, for --------------------------------------------------------------------------------------

static void lower_body(struct gl_lower *lower, CXCursor body, struct gl_jump_target *target)
{
    target->outer = lower->jumps;
    lower->jumps = target;
    if (!gl_fe_is_null(body))
        gl_lower_substatement(lower, body);
    lower->jumps = target->outer;
}

static void lower_head(struct gl_lower *lower, const struct loop_parts *parts, struct gl_ir_block *body,
                       struct gl_ir_block *exit)
{
    if (!gl_fe_is_null(parts->variable))
        gl_lower_declaration(lower, parts->variable);
    if (gl_fe_is_null(parts->condition))
        gl_lower_jump(lower, body);
    else
        gl_lower_condition(lower, parts->condition, body, exit);
}

static void lower_while(struct gl_lower *lower, const struct loop_parts *parts)
{
    struct gl_cleanup *outside = lower->alive;
    struct gl_ir_block *head = gl_lower_block(lower), *body = gl_lower_block(lower);
    struct gl_ir_block *step = gl_lower_block(lower), *exit = gl_lower_block(lower);
    struct gl_ir_block *after = gl_lower_block(lower);
    gl_lower_continue_in(lower, head);
    lower_head(lower, parts, body, exit);
    struct gl_cleanup *inside = lower->alive;
    lower->block = body;
    struct gl_jump_target target = {NULL, after, step, outside};
    lower_body(lower, parts->body, &target);
    gl_lower_leave_stmt(lower, parts->body, outside);
    gl_lower_continue_in(lower, step);
    if (!gl_fe_is_null(parts->step))
        gl_lower_stmt(lower, parts->step);
    gl_lower_jump(lower, head);
    lower->block = exit;
    lower->alive = inside;
    gl_lower_leave(lower, outside);
    gl_lower_continue_in(lower, after);
}

static void lower_do(struct gl_lower *lower, const struct loop_parts *parts)
{
    struct gl_ir_block *body = gl_lower_block(lower), *test = gl_lower_block(lower);
    struct gl_ir_block *after = gl_lower_block(lower);
    gl_lower_continue_in(lower, body);
    struct gl_jump_target target = {NULL, after, test, lower->alive};
    lower_body(lower, parts->body, &target);
    gl_lower_continue_in(lower, test);
    if (gl_fe_is_null(parts->condition))
        gl_lower_jump(lower, after);
    else
        gl_lower_condition(lower, parts->condition, body, after);
    lower->block = after;
}

void gl_lower_loop(struct gl_lower *lower, CXCursor stmt)
{
    struct gl_cleanup *outside = lower->alive;
    struct loop_parts parts = split_loop(lower, stmt);
    if (gl_fe_kind(stmt) == CXCursor_DoStmt) {
        lower_do(lower, &parts);
        return;
    }
    if (!gl_fe_is_null(parts.init))
        gl_lower_stmt(lower, parts.init);
    lower_while(lower, &parts);
    gl_lower_leave_stmt(lower, stmt, outside);
}

// ---- range-for -------------------------------------------------------------------------------------------

struct range_parts {
    CXCursor init, variable, range, body;
};

static struct range_parts split_range(struct gl_lower *lower, CXCursor stmt)
{
    CXCursor none = clang_getNullCursor();
    struct range_parts parts = {none, none, none, none};
    struct gl_kids kids = gl_fe_kids(lower->fe, stmt);
    for (size_t i = 0; i < kids.count; i++) {
        enum CXCursorKind kind = gl_fe_kind(kids.at[i]);
        if (i + 1 == kids.count)
            parts.body = kids.at[i];
        else if (clang_isDeclaration(kind))
            parts.variable = kids.at[i];
        else if (clang_isExpression(kind))
            parts.range = kids.at[i];
        else
            parts.init = kids.at[i];
    }
    return parts;
}

static enum CXChildVisitResult find_hidden(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    CXCursor *found = data;
    CXCursor referenced = clang_getCursorReferenced(cursor);
    if (gl_fe_kind(cursor) == CXCursor_DeclRefExpr && gl_fe_kind(referenced) == CXCursor_VarDecl) {
        CXString spelling = clang_getCursorSpelling(referenced);
        bool is_hidden = strncmp(clang_getCString(spelling), "__", 2) == 0;
        clang_disposeString(spelling);
        if (is_hidden) {
            *found = referenced;
            return CXChildVisit_Break;
        }
    }
    return CXChildVisit_Recurse;
}

// The compiler's own variables `__range1` and `__begin1` are shown by their uses only.
static CXCursor hidden_variable(CXCursor user)
{
    CXCursor found = clang_getNullCursor();
    clang_visitChildren(user, find_hidden, &found);
    return found;
}

static void declare_range(struct gl_lower *lower, CXCursor hidden, CXCursor range)
{
    struct gl_ir_operand address = gl_lower_bind_reference(lower, range, true);
    struct gl_ir_type *object = gl_fe_type(lower->fe, clang_getCursorType(range));
    struct gl_ir_var *var = gl_ir_var_add(lower->program, lower->func, GL_VAR_LOCAL, "__range",
                                          gl_fe_reference_to(lower->fe, object), lower->loc);
    gl_lower_begin(lower, var);
    gl_lower_copy(lower, gl_ir_place_var(var), address);
    gl_lower_push_extended(lower, (struct gl_cleanup){.var = var, .place = gl_ir_place_var(var)});
    if (!gl_fe_is_null(hidden))
        gl_lower_bind(lower, hidden, gl_ir_place_deref(lower->program, gl_ir_place_var(var)));
}

static struct gl_ir_var *declare_begin(struct gl_lower *lower, CXCursor hidden)
{
    CXType type = clang_getCursorType(hidden);
    struct gl_ir_var *var = gl_ir_var_add(lower->program, lower->func, GL_VAR_LOCAL, "__begin",
                                          gl_fe_type(lower->fe, type), lower->loc);
    gl_lower_begin(lower, var);
    gl_lower_init(lower, clang_Cursor_getVarDeclInitializer(hidden), gl_ir_place_var(var), type);
    gl_lower_push_extended(lower, gl_lower_object_cleanup(lower, var, type));
    gl_lower_bind(lower, hidden, gl_ir_place_var(var));
    return var;
}

// The iterator's `++` is not shown: a pointer moves on by one, an object is changed by a call known by name
// only.
static void advance(struct gl_lower *lower, struct gl_ir_var *iterator)
{
    struct gl_ir_place place = gl_ir_place_var(iterator);
    if (gl_ir_type_strip(iterator->type)->kind == GL_TYPE_POINTER) {
        struct gl_ir_operand args[] = {gl_ir_operand_place(place), gl_ir_operand_integer(1)};
        gl_lower_compute_into(lower, place, "+", args, 2);
        return;
    }
    struct gl_ir_operand object = gl_ir_operand_address(place);
    object.flags = GL_ARG_MUTABLE;
    struct gl_ir_instr call = {.op = GL_IR_CALL,
                               .name = gl_intern(gl_ir_strings(lower->program), "operator++"),
                               .is_implicit = true,
                               .args = gl_lower_operands(lower, &object, 1),
                               .arg_count = 1};
    gl_lower_append(lower, call);
}

static struct gl_ir_var *lower_range_prologue(struct gl_lower *lower, const struct range_parts *parts)
{
    struct gl_full full;
    struct gl_ir_var *iterator = NULL;
    gl_lower_full_begin(lower, &full);
    CXCursor begin = hidden_variable(parts->variable);
    CXCursor range =
        gl_fe_is_null(begin) ? begin : hidden_variable(clang_Cursor_getVarDeclInitializer(begin));
    declare_range(lower, range, parts->range);
    if (!gl_fe_is_null(begin))
        iterator = declare_begin(lower, begin);
    gl_lower_full_end(lower, &full);
    return iterator;
}

void gl_lower_range_for(struct gl_lower *lower, CXCursor stmt)
{
    struct gl_cleanup *outside = lower->alive;
    struct range_parts parts = split_range(lower, stmt);
    if (gl_fe_is_null(parts.range) || gl_fe_is_null(parts.variable)) {
        gl_lower_unknown(lower, "range-for", NULL, NULL, 0);
        return;
    }
    if (!gl_fe_is_null(parts.init))
        gl_lower_stmt(lower, parts.init);
    struct gl_ir_var *iterator = lower_range_prologue(lower, &parts);
    struct gl_ir_block *head = gl_lower_block(lower), *body = gl_lower_block(lower);
    struct gl_ir_block *step = gl_lower_block(lower), *after = gl_lower_block(lower);
    gl_lower_continue_in(lower, head);
    gl_lower_branch(lower, gl_lower_undef(), body, after);
    lower->block = body;
    struct gl_cleanup *inside = lower->alive;
    struct gl_jump_target target = {NULL, after, step, inside};
    gl_lower_declaration(lower, parts.variable);
    lower_body(lower, parts.body, &target);
    gl_lower_leave_stmt(lower, stmt, inside);
    gl_lower_continue_in(lower, step);
    if (iterator)
        advance(lower, iterator);
    gl_lower_jump(lower, head);
    lower->block = after;
    gl_lower_leave_stmt(lower, stmt, outside);
}
