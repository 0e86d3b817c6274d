// SPDX-License-Identifier: Apache-2.0
// Which variables are still read: states that differ only in dead ones are one, and a call's result that nobody
// asks for does not make two states.
#include "flow/solver.h"

#include <string.h>

enum { MOST_WORK = 1 << 24 }; // words times blocks; larger functions go without

static void bit_set(uint64_t *bits, unsigned id)
{
    bits[id / 64] |= 1ull << (id % 64);
}

static void bit_clear(uint64_t *bits, unsigned id)
{
    bits[id / 64] &= ~(1ull << (id % 64));
}

static bool bit_get(const uint64_t *bits, unsigned id)
{
    return bits[id / 64] >> (id % 64) & 1;
}

static void use_var(uint64_t *bits, const struct gl_ir_var *var)
{
    if (var->kind != GL_VAR_GLOBAL)
        bit_set(bits, var->id);
}

static void use_place(uint64_t *bits, const struct gl_ir_place *place)
{
    use_var(bits, place->var);
    for (unsigned i = 0; i < place->step_count; i++)
        if (place->steps[i].kind == GL_STEP_INDEX_V)
            use_var(bits, place->steps[i].index_var);
}

static void use_operand(uint64_t *bits, const struct gl_ir_operand *operand)
{
    if (operand->kind == GL_OPERAND_PLACE || operand->kind == GL_OPERAND_ADDRESS)
        use_place(bits, &operand->place);
}

// Backwards over one instruction. `always` holds the variables whose address is taken: they never die early.
static void step_back(uint64_t *bits, const uint64_t *always, const struct gl_ir_instr *instr)
{
    if (instr->has_dst && instr->dst.step_count)
        use_place(bits, &instr->dst);
    else if (instr->has_dst && instr->dst.var->kind != GL_VAR_GLOBAL && !bit_get(always, instr->dst.var->id))
        bit_clear(bits, instr->dst.var->id);
    for (size_t i = 0; i < instr->arg_count; i++)
        use_operand(bits, &instr->args[i]);
    for (size_t i = 0; instr->config && i < 4; i++)
        use_operand(bits, &instr->config[i]);
    if (instr->op == GL_IR_CALL || instr->op == GL_IR_LAUNCH)
        use_operand(bits, &instr->target);
}

static void address_taken(const struct gl_ir_func *func, uint64_t *always)
{
    for (size_t b = 0; b < func->blocks.count; b++) {
        const struct gl_ir_block *block = func->blocks.items[b];
        for (size_t i = 0; i < block->instrs.count; i++) {
            const struct gl_ir_instr *instr = &block->instrs.items[i];
            for (size_t a = 0; a < instr->arg_count; a++)
                if (instr->args[a].kind == GL_OPERAND_ADDRESS)
                    use_var(always, instr->args[a].place.var);
        }
    }
}

static bool flow_in(uint64_t *live, const uint64_t *next, size_t words)
{
    bool changed = false;
    for (size_t i = 0; i < words; i++) {
        changed |= (next[i] & ~live[i]) != 0;
        live[i] |= next[i];
    }
    return changed;
}

static void block_in(const struct gl_solver *solver, const struct gl_ir_block *block, const uint64_t *always,
                     uint64_t *out_bits)
{
    memcpy(out_bits, solver->live + block->id * solver->live_words, solver->live_words * sizeof *out_bits);
    for (size_t i = block->instrs.count; i-- > 0;)
        step_back(out_bits, always, &block->instrs.items[i]);
    flow_in(out_bits, always, solver->live_words);
}

static bool block_update(struct gl_solver *solver, const struct gl_ir_block *block, uint64_t *const *ins)
{
    uint64_t *live = solver->live + block->id * solver->live_words;
    bool changed = false;
    if (!block->instrs.count)
        return false;
    const struct gl_ir_instr *last = &block->instrs.items[block->instrs.count - 1];
    for (int i = 0; i < 2; i++)
        if (last->targets[i])
            changed |= flow_in(live, ins[last->targets[i]->id], solver->live_words);
    for (size_t i = 0; i < last->case_count; i++)
        changed |= flow_in(live, ins[last->cases[i].target->id], solver->live_words);
    return changed;
}

void gl_liveness(struct gl_solver *solver)
{
    const struct gl_ir_func *func = solver->func;
    size_t count = func->blocks.count, words = func->vars.count / 64 + 1;
    if (words * count > MOST_WORK)
        return;
    struct gl_arena *arena = gl_values_arena(solver->values);
    solver->live_words = words;
    solver->live = GL_ARENA_ARRAY(arena, uint64_t, words * (count + 1));
    uint64_t *always = solver->live + words * count; // kept behind the blocks
    address_taken(func, always);
    uint64_t **ins = GL_ARENA_ARRAY(arena, uint64_t *, count);
    uint64_t *bits = GL_ARENA_ARRAY(arena, uint64_t, words * count);
    for (size_t b = 0; b < count; b++)
        ins[b] = bits + b * words;
    bool changed = true;
    for (bool is_first = true; changed; is_first = false) {
        changed = false;
        for (size_t b = count; b-- > 0;) {
            const struct gl_ir_block *block = func->blocks.items[b];
            if (!block_update(solver, block, ins) && !is_first)
                continue;
            block_in(solver, block, always, ins[b]);
            changed = true;
        }
    }
}

static bool reads_operand(const struct gl_ir_operand *operand, const struct gl_ir_var *var)
{
    if (operand->kind != GL_OPERAND_PLACE && operand->kind != GL_OPERAND_ADDRESS)
        return false;
    if (operand->place.var == var)
        return true;
    for (unsigned i = 0; i < operand->place.step_count; i++)
        if (operand->place.steps[i].index_var == var)
            return true;
    return false;
}

static bool reads(const struct gl_ir_instr *instr, const struct gl_ir_var *var)
{
    for (size_t i = 0; i < instr->arg_count; i++)
        if (reads_operand(&instr->args[i], var))
            return true;
    for (size_t i = 0; instr->config && i < 4; i++)
        if (reads_operand(&instr->config[i], var))
            return true;
    const struct gl_ir_operand dst = {.kind = GL_OPERAND_PLACE, .place = instr->dst};
    bool is_whole = instr->has_dst && instr->dst.var == var && !instr->dst.step_count;
    return (instr->has_dst && !is_whole && reads_operand(&dst, var)) || reads_operand(&instr->target, var);
}

// Is the variable read after the current instruction, before it is written again?
bool gl_is_live_after(const struct gl_solver *solver, const struct gl_ir_var *var)
{
    if (!solver->live || var->kind == GL_VAR_GLOBAL)
        return true;
    const struct gl_ir_block *block = solver->block;
    for (size_t i = (size_t)(solver->instr - block->instrs.items) + 1; i < block->instrs.count; i++) {
        const struct gl_ir_instr *instr = &block->instrs.items[i];
        if (reads(instr, var))
            return true;
        bool is_ended = (instr->has_dst && instr->dst.var == var) || (instr->op == GL_IR_END && instr->var == var);
        if (is_ended)
            return false;
    }
    return bit_get(solver->live + block->id * solver->live_words, var->id);
}

// Forgets what dead variables hold at the end of a block. Guards keep their own state.
void gl_drop_dead(const struct gl_solver *solver, const struct gl_ir_block *block, struct gl_state *state)
{
    if (!solver->live)
        return;
    const uint64_t *bits = solver->live + block->id * solver->live_words;
    size_t kept = 0;
    for (size_t i = 0; i < state->env.count; i++) {
        const struct gl_mem *root = gl_mem_root(state->env.items[i].mem);
        bool is_local = root->kind == GL_MEM_VAR && root->var->kind != GL_VAR_GLOBAL;
        if (!is_local || bit_get(bits, root->var->id))
            state->env.items[kept++] = state->env.items[i];
    }
    state->env.count = kept;
}
