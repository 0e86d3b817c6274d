// SPDX-License-Identifier: Apache-2.0
// switch → SWITCH with an edge a label, and the parts of conditions that it shares with `if`.
#include "frontend/condition.h"

#include <string.h>

// ---- parts of a condition --------------------------------------------------------------------------------

// `if (init; condition)`: whether a semicolon stands between two parts of the parentheses.
static bool semicolon_between(struct gl_fe *fe, CXCursor first, CXCursor second)
{
    if (gl_fe_kind(first) == CXCursor_DeclStmt)
        return true;
    CXFile file;
    clang_getExpansionLocation(clang_getCursorLocation(first), &file, NULL, NULL, NULL);
    struct gl_fe_file *entry = gl_fe_file(fe, file);
    unsigned from = gl_fe_end_offset(first), to = gl_fe_start_offset(second);
    if (!entry || !entry->text || from >= to || to > entry->size)
        return false;
    return memchr(entry->text + from, ';', to - from) != NULL;
}

struct gl_condition_parts gl_lower_split_condition(struct gl_lower *lower, CXCursor stmt)
{
    struct gl_kids kids = gl_fe_kids(lower->fe, stmt);
    struct gl_condition_parts parts = {
        clang_getNullCursor(), clang_getNullCursor(), clang_getNullCursor(), {0}};
    size_t next = 0;
    if (next < kids.count && gl_fe_kind(kids.at[next]) == CXCursor_VarDecl)
        parts.variable = kids.at[next++];
    if (next + 1 < kids.count && semicolon_between(lower->fe, kids.at[next], kids.at[next + 1]))
        parts.init = kids.at[next++];
    if (next < kids.count)
        parts.condition = kids.at[next++];
    parts.rest = (struct gl_kids){kids.at + next, kids.count - next};
    return parts;
}

void gl_lower_condition_prologue(struct gl_lower *lower, const struct gl_condition_parts *parts)
{
    if (!gl_fe_is_null(parts->init))
        gl_lower_stmt(lower, parts->init);
    if (!gl_fe_is_null(parts->variable))
        gl_lower_declaration(lower, parts->variable);
}

// ---- the initialiser that libclang leaves out ------------------------------------------------------------

// `switch (Guard g(x); n)`: the part before the semicolon is not among the children. Its variables are found
// through their uses; one that is not used (a guard) is only known to be there.
struct hidden_init {
    struct gl_lower *lower;
    unsigned start, end; // offsets of the initialiser
    bool found;
};

static enum CXChildVisitResult declare_used(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct hidden_init *init = data;
    CXCursor variable = clang_getCursorReferenced(cursor);
    if (gl_fe_kind(cursor) != CXCursor_DeclRefExpr || gl_fe_kind(variable) != CXCursor_VarDecl)
        return CXChildVisit_Recurse;
    unsigned offset = gl_fe_start_offset(variable);
    bool is_inside = offset >= init->start && offset < init->end;
    if (is_inside && !gl_lower_binding(init->lower, variable)) {
        init->found = true;
        gl_lower_declaration(init->lower, variable);
    }
    return CXChildVisit_Recurse;
}

static void declare_hidden_init(struct gl_lower *lower, CXCursor stmt, const struct gl_condition_parts *parts)
{
    size_t length;
    const char *text = gl_fe_text(lower->fe, stmt, &length);
    CXCursor first = gl_fe_is_null(parts->variable) ? parts->condition : parts->variable;
    unsigned start = gl_fe_start_offset(stmt), end = gl_fe_start_offset(first);
    if (!text || !gl_fe_is_null(parts->init) || end <= start || end - start > length ||
        !memchr(text, ';', end - start))
        return;
    struct hidden_init init = {lower, start, end, false};
    clang_visitChildren(stmt, declare_used, &init);
    if (!init.found)
        gl_lower_unknown(lower, "switch initialiser", NULL, NULL, 0);
}

// ---- switch ----------------------------------------------------------------------------------------------

static void append_switch(struct gl_lower *lower, struct gl_ir_operand value, struct gl_switch *info,
                          struct gl_ir_block *otherwise)
{
    if (info->is_inexact)
        value = gl_lower_undef();
    struct gl_arena *arena = gl_ir_arena(lower->program);
    struct gl_ir_instr instr = {.op = GL_IR_SWITCH,
                                .args = gl_lower_operands(lower, &value, 1),
                                .arg_count = 1,
                                .targets = {info->default_block ? info->default_block : otherwise},
                                .case_count = info->cases.count};
    if (info->cases.count)
        instr.cases = gl_arena_copy(arena, info->cases.items, info->cases.count * sizeof *info->cases.items);
    gl_lower_append(lower, instr);
}

static struct gl_ir_operand switch_value(struct gl_lower *lower, CXCursor condition)
{
    struct gl_full full;
    gl_lower_full_begin(lower, &full);
    struct gl_ir_operand value = gl_lower_value(lower, condition);
    if (lower->alive != full.base && value.kind == GL_OPERAND_PLACE)
        value = gl_lower_pin(lower, value, gl_fe_type(lower->fe, clang_getCursorType(condition)));
    gl_lower_full_end(lower, &full);
    return value;
}

void gl_lower_switch(struct gl_lower *lower, CXCursor stmt)
{
    struct gl_cleanup *outside = lower->alive;
    struct gl_condition_parts parts = gl_lower_split_condition(lower, stmt);
    declare_hidden_init(lower, stmt, &parts);
    gl_lower_condition_prologue(lower, &parts);
    struct gl_ir_operand value = switch_value(lower, parts.condition);
    struct gl_ir_block *dispatch = lower->block, *after = gl_lower_block(lower);
    struct gl_ir_loc loc = lower->loc;
    struct gl_switch info = {.outer = lower->switches, .alive = lower->alive};
    struct gl_jump_target target = {lower->jumps, after, NULL, lower->alive};
    lower->switches = &info;
    lower->jumps = &target;
    lower->block = gl_lower_block(lower);
    if (parts.rest.count)
        gl_lower_substatement(lower, parts.rest.at[0]);
    gl_lower_jump(lower, after);
    lower->switches = info.outer;
    lower->jumps = target.outer;
    lower->block = dispatch;
    lower->loc = loc;
    append_switch(lower, value, &info, after);
    GL_VEC_FREE(&info.cases);
    lower->block = after;
    gl_lower_leave_stmt(lower, stmt, outside);
}

// The way from the dispatch to a label inside the body: what is declared before the label begins there.
static struct gl_ir_block *case_edge(struct gl_lower *lower, struct gl_ir_block *target)
{
    if (lower->alive == lower->switches->alive)
        return target;
    struct gl_ir_block *here = lower->block, *edge = gl_lower_block(lower);
    lower->block = edge;
    gl_lower_cross(lower, lower->switches->alive, lower->alive);
    gl_lower_jump(lower, target);
    lower->block = here;
    return edge;
}

enum { CASE_RANGE_MAX = 1024 };

static void add_case(struct gl_lower *lower, CXCursor low, CXCursor high, struct gl_ir_block *edge)
{
    int64_t first, last;
    bool is_known = gl_fe_constant(low, &first);
    last = first;
    if (is_known && !gl_fe_is_null(high))
        is_known = gl_fe_constant(high, &last);
    if (!is_known || last < first || last - first > CASE_RANGE_MAX) {
        lower->switches->is_inexact = true;
        first = last = INT64_MIN + (int64_t)lower->switches->cases.count;
    }
    for (int64_t value = first; value <= last; value++)
        GL_VEC_PUSH(&lower->switches->cases, (struct gl_ir_case){value, edge});
}

void gl_lower_case(struct gl_lower *lower, CXCursor stmt)
{
    struct gl_kids kids = gl_fe_expr_kids(lower->fe, stmt);
    bool is_default = gl_fe_kind(stmt) == CXCursor_DefaultStmt;
    size_t values = is_default ? 0 : kids.count >= 3 ? 2 : 1;
    if (lower->switches) {
        struct gl_ir_block *block = gl_lower_block(lower);
        gl_lower_continue_in(lower, block);
        struct gl_ir_block *edge = case_edge(lower, block);
        if (is_default)
            lower->switches->default_block = edge;
        else if (kids.count)
            add_case(lower, kids.at[0], values == 2 ? kids.at[1] : clang_getNullCursor(), edge);
    }
    if (kids.count > values)
        gl_lower_stmt(lower, kids.at[kids.count - 1]);
}
