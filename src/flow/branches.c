// SPDX-License-Identifier: Apache-2.0
// Finds the branches whose variables other branches test as well: what they decide is worth remembering, since it
// decides the others too.
#include "base/strings.h"
#include "flow/solver.h"

#include <string.h>

static const struct gl_ir_instr *maker_of(const struct gl_ir_block *block, const struct gl_ir_instr *use,
                                          const struct gl_ir_var *var)
{
    for (const struct gl_ir_instr *instr = use; instr-- > block->instrs.items;)
        if (instr->has_dst && instr->dst.var == var && !instr->dst.step_count)
            return instr->op == GL_IR_COMPARE ? instr : NULL;
    return NULL;
}

// How often each place is tested, by a hash of the place: two places that share a slot are remembered needlessly.
struct counts {
    unsigned *slots;
    size_t size;
};

static unsigned *slot_of(const struct counts *counts, const struct gl_ir_place *place)
{
    // Of names and numbers, not of addresses: every run must see the same.
    uint64_t hash = (uint64_t)place->var->id * 2 + (place->var->kind == GL_VAR_GLOBAL);
    for (unsigned i = 0; i < place->step_count; i++) {
        const struct gl_ir_step *step = &place->steps[i];
        const uint64_t parts[] = {hash, step->kind, (uint64_t)step->index, step->index_var ? step->index_var->id : 0};
        hash = gl_hash_bytes(parts, sizeof parts, 0);
        if (step->field)
            hash = gl_hash_bytes(step->field, strlen(step->field), hash);
    }
    return &counts->slots[gl_hash_bytes(&hash, sizeof hash, 0) % counts->size];
}

static void count_operand(const struct gl_ir_operand *operand, const struct counts *counts)
{
    if (operand->kind == GL_OPERAND_PLACE)
        ++*slot_of(counts, &operand->place);
}

static bool is_counted(const struct gl_ir_operand *operand, const struct counts *counts)
{
    return operand->kind == GL_OPERAND_PLACE && *slot_of(counts, &operand->place) > 1;
}

static const struct gl_ir_instr *branch_of(const struct gl_ir_block *block)
{
    if (!block->instrs.count)
        return NULL;
    const struct gl_ir_instr *last = &block->instrs.items[block->instrs.count - 1];
    return last->op == GL_IR_BRANCH && last->args[0].kind == GL_OPERAND_PLACE ? last : NULL;
}

// Where the tested values come from: the operands of the comparison, or the condition.
static const struct gl_ir_instr *tested_by(const struct gl_ir_block *block, const struct gl_ir_instr *branch)
{
    const struct gl_ir_instr *maker =
        branch->args[0].place.step_count ? NULL : maker_of(block, branch, branch->args[0].place.var);
    return maker ? maker : branch;
}

void gl_find_asked_branches(struct gl_solver *solver)
{
    const struct gl_ir_func *func = solver->func;
    struct counts counts = {.size = 8 * func->blocks.count + 16};
    counts.slots = GL_ARENA_ARRAY(gl_values_arena(solver->values), unsigned, counts.size);
    for (size_t b = 0; b < func->blocks.count; b++) {
        const struct gl_ir_instr *branch = branch_of(func->blocks.items[b]);
        const struct gl_ir_instr *tested = branch ? tested_by(func->blocks.items[b], branch) : NULL;
        for (size_t i = 0; tested && i < tested->arg_count; i++)
            count_operand(&tested->args[i], &counts);
    }
    for (size_t b = 0; b < func->blocks.count; b++) {
        const struct gl_ir_instr *branch = branch_of(func->blocks.items[b]);
        const struct gl_ir_instr *tested = branch ? tested_by(func->blocks.items[b], branch) : NULL;
        for (size_t i = 0; tested && i < tested->arg_count; i++)
            if (is_counted(&tested->args[i], &counts))
                gl_ptrmap_set(&solver->asked_branches, branch, (void *)branch);
    }
}
