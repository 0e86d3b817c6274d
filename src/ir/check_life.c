// SPDX-License-Identifier: Apache-2.0
// Checks that variables are used between BEGIN and END on every path: a forward data flow of the sets of
// variables that are certainly alive.
#include "ir/checker.h"
#include "ir/varset.h"

struct life {
    struct gl_ir_checker *checker;
    struct gl_arena arena;
    struct gl_varsets sets;
    const struct gl_varset **alive; // by block: at its start; NULL: not reached
    bool *is_begun;                 // by variable: some BEGIN names it
    bool *is_reported;              // by variable: one message each is enough
    unsigned *order;                // reachable blocks in reverse postorder
    size_t order_count;
    const struct gl_varset *current; // while walking a block
    const struct gl_ir_block *block;
    const struct gl_ir_instr *instr;
};

// ---- which variables are alive where ---------------------------------------------------------------------

static struct gl_ir_block *successor(const struct gl_ir_block *block, size_t index)
{
    const struct gl_ir_instr *last = &block->instrs.items[block->instrs.count - 1];
    if (index < 2 && last->targets[index])
        return last->targets[index];
    size_t from = (size_t)(last->targets[0] != NULL) + (size_t)(last->targets[1] != NULL);
    return index >= from && index - from < last->case_count ? last->cases[index - from].target : NULL;
}

// Depth first without recursion: a path may be as long as the function.
static void order_blocks(struct life *life)
{
    const struct gl_ir_func *func = life->checker->func;
    size_t count = func->blocks.count, top = 0, place = count;
    size_t *next =
        GL_ARENA_ARRAY(&life->arena, size_t, count); // successor to visit next, from 1; 0: not seen
    unsigned *stack = GL_ARENA_ARRAY(&life->arena, unsigned, count);
    unsigned *order = GL_ARENA_ARRAY(&life->arena, unsigned, count);
    next[0] = 1;
    stack[top++] = 0;
    while (top) {
        unsigned id = stack[top - 1];
        const struct gl_ir_block *target = successor(func->blocks.items[id], next[id]++ - 1);
        if (!target) {
            order[--place] = id;
            top--;
        } else if (!next[target->id]) {
            next[target->id] = 1;
            stack[top++] = target->id;
        }
    }
    life->order = order + place;
    life->order_count = count - place;
}

static const struct gl_varset *set_after(struct life *life, const struct gl_varset *set,
                                         const struct gl_ir_instr *instr)
{
    if (instr->op == GL_IR_BEGIN)
        return gl_varset_with(&life->sets, set, instr->var->id);
    if (instr->op == GL_IR_END)
        return gl_varset_without(&life->sets, set, instr->var->id);
    return set;
}

// Hands the state at the end of a block on to its successors; true if that changed one of them.
static bool flow_block(struct life *life, unsigned id)
{
    const struct gl_ir_block *block = life->checker->func->blocks.items[id];
    const struct gl_varset *set = life->alive[id];
    for (size_t i = 0; i < block->instrs.count; i++)
        set = set_after(life, set, &block->instrs.items[i]);
    bool is_changed = false;
    struct gl_ir_block *target;
    for (size_t i = 0; (target = successor(block, i)); i++) {
        const struct gl_varset *old = life->alive[target->id];
        life->alive[target->id] = old ? gl_varset_meet(&life->sets, old, set) : set;
        is_changed = is_changed || life->alive[target->id] != old;
    }
    return is_changed;
}

// Where paths that meet agree, as scopes make them, the second round changes nothing. Each loop around a
// place where they disagree takes one round more; the bound keeps hostile text from taking one for every
// block.
static bool flow(struct life *life)
{
    enum { ROUNDS_MAX = 8 };
    bool is_changed = true;
    life->alive[0] = gl_varset_empty();
    for (int round = 0; is_changed && round < ROUNDS_MAX; round++) {
        is_changed = false;
        for (size_t i = 0; i < life->order_count; i++)
            is_changed = flow_block(life, life->order[i]) || is_changed;
    }
    return !is_changed;
}

// ---- whether they are used there only --------------------------------------------------------------------

static void report(struct life *life, const struct gl_ir_var *var, const char *what)
{
    if (life->is_reported[var->id])
        return;
    life->is_reported[var->id] = true;
    gl_ir_check_fail(life->checker, life->block, life->instr, "the variable '%s' (number %u) %s", var->name,
                     var->id, what);
}

static void check_use(struct life *life, const struct gl_ir_var *var)
{
    if (var->kind == GL_VAR_GLOBAL || var->kind == GL_VAR_PARAM || var->is_static)
        return;
    if (!life->is_begun[var->id]) {
        if (var->kind != GL_VAR_TEMP)
            report(life, var, "is used, but its life never begins");
    } else if (!gl_varset_has(&life->sets, life->current, var->id)) {
        report(life, var, "is used where it is not alive on every path");
    }
}

static void check_place_use(struct life *life, const struct gl_ir_place *place)
{
    check_use(life, place->var);
    for (unsigned i = 0; i < place->step_count; i++) {
        if (place->steps[i].kind == GL_STEP_INDEX_V)
            check_use(life, place->steps[i].index_var);
    }
}

static void check_operand_use(struct life *life, const struct gl_ir_operand *operand)
{
    if (operand->kind == GL_OPERAND_PLACE || operand->kind == GL_OPERAND_ADDRESS)
        check_place_use(life, &operand->place);
}

static void check_uses(struct life *life, const struct gl_ir_instr *instr)
{
    if (instr->has_dst)
        check_place_use(life, &instr->dst);
    check_operand_use(life, &instr->target);
    for (size_t i = 0; i < instr->arg_count; i++)
        check_operand_use(life, &instr->args[i]);
    for (size_t i = 0; instr->config && i < 4; i++)
        check_operand_use(life, &instr->config[i]);
}

static void check_block_life(struct life *life, unsigned id)
{
    life->block = life->checker->func->blocks.items[id];
    life->current = life->alive[id];
    for (size_t i = 0; i < life->block->instrs.count; i++) {
        life->instr = &life->block->instrs.items[i];
        bool is_alive = life->instr->var && gl_varset_has(&life->sets, life->current, life->instr->var->id);
        if (life->instr->op == GL_IR_BEGIN && is_alive)
            report(life, life->instr->var, "begins while it is alive");
        if (life->instr->op == GL_IR_END && !is_alive)
            report(life, life->instr->var, "ends where it is not alive on every path");
        check_uses(life, life->instr);
        life->current = set_after(life, life->current, life->instr);
    }
}

static void find_begun(struct life *life)
{
    const struct gl_ir_func *func = life->checker->func;
    for (size_t i = 0; i < func->blocks.count; i++) {
        const struct gl_ir_block *block = func->blocks.items[i];
        for (size_t j = 0; j < block->instrs.count; j++) {
            if (block->instrs.items[j].op == GL_IR_BEGIN)
                life->is_begun[block->instrs.items[j].var->id] = true;
        }
    }
}

void gl_ir_check_life(struct gl_ir_checker *checker)
{
    const struct gl_ir_func *func = checker->func;
    struct life life = {.checker = checker};
    gl_varsets_init(&life.sets, &life.arena, func->vars.count);
    life.alive = GL_ARENA_ARRAY(&life.arena, const struct gl_varset *, func->blocks.count);
    life.is_begun = GL_ARENA_ARRAY(&life.arena, bool, func->vars.count);
    life.is_reported = GL_ARENA_ARRAY(&life.arena, bool, func->vars.count);
    find_begun(&life);
    order_blocks(&life);
    if (!flow(&life))
        gl_ir_check_fail(checker, NULL, NULL,
                         "paths disagree on which variables are alive, in loop after loop");
    for (size_t i = 0; i < life.order_count; i++)
        check_block_life(&life, life.order[i]);
    gl_varsets_free(&life.sets);
    gl_arena_free(&life.arena);
}
