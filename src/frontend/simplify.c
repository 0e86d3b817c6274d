// SPDX-License-Identifier: Apache-2.0
// Makes a lowered function's blocks as few as they need be: empty blocks are jumped over, what nobody reaches
// is dropped, straight lines are joined.
#include "frontend/lower.h"

// ---- jumping over empty blocks ---------------------------------------------------------------------------

static bool is_empty(const struct gl_ir_block *block)
{
    return block->instrs.count == 1 && block->instrs.items[0].op == GL_IR_JUMP;
}

static struct gl_ir_block *final_target(struct gl_ir_block *block)
{
    // Two speeds, so that a cycle of empty blocks (`for (;;);`) ends.
    struct gl_ir_block *slow = block;
    while (is_empty(block)) {
        block = block->instrs.items[0].targets[0];
        if (!is_empty(block))
            break;
        block = block->instrs.items[0].targets[0];
        slow = slow->instrs.items[0].targets[0];
        if (block == slow)
            break;
    }
    return block;
}

static struct gl_ir_instr *terminator(struct gl_ir_block *block)
{
    return &block->instrs.items[block->instrs.count - 1];
}

static void skip_empty_targets(struct gl_ir_block *block)
{
    struct gl_ir_instr *last = terminator(block);
    for (size_t i = 0; i < GL_COUNT(last->targets); i++)
        if (last->targets[i])
            last->targets[i] = final_target(last->targets[i]);
    for (size_t i = 0; i < last->case_count; i++)
        last->cases[i].target = final_target(last->cases[i].target);
    if (last->op == GL_IR_BRANCH && last->targets[0] == last->targets[1])
        *last = (struct gl_ir_instr){.op = GL_IR_JUMP, .loc = last->loc, .targets = {last->targets[0]}};
}

// Control that runs off the end of what was lowered stops there.
static void close_block(const struct gl_ir_func *func, struct gl_ir_block *block)
{
    if (!gl_ir_block_is_closed(block))
        gl_ir_append(block, &(struct gl_ir_instr){.op = GL_IR_STOP, .loc = func->end_loc});
}

// ---- what is reached -------------------------------------------------------------------------------------

struct reach {
    const struct gl_ir_func *func;
    unsigned *predecessors; // by block id; 0: not reached
    GL_VEC(struct gl_ir_block *) work;
};

static void reach_block(struct reach *reach, struct gl_ir_block *block)
{
    if (block && reach->predecessors[block->id]++ == 0)
        GL_VEC_PUSH(&reach->work, block);
}

static void reach_all(struct reach *reach)
{
    reach_block(reach, reach->func->blocks.items[0]);
    while (reach->work.count) {
        struct gl_ir_block *block = reach->work.items[--reach->work.count];
        close_block(reach->func, block);
        skip_empty_targets(block);
        struct gl_ir_instr *last = terminator(block);
        for (size_t i = 0; i < GL_COUNT(last->targets); i++)
            reach_block(reach, last->targets[i]);
        for (size_t i = 0; i < last->case_count; i++)
            reach_block(reach, last->cases[i].target);
    }
}

// ---- joining ---------------------------------------------------------------------------------------------

static void join_line(struct reach *reach, struct gl_ir_block *block)
{
    for (;;) {
        struct gl_ir_instr *last = terminator(block);
        struct gl_ir_block *next = last->op == GL_IR_JUMP ? last->targets[0] : NULL;
        if (!next || next == block || reach->predecessors[next->id] != 1)
            return;
        block->instrs.count--;
        for (size_t i = 0; i < next->instrs.count; i++)
            GL_VEC_PUSH(&block->instrs, next->instrs.items[i]);
        next->instrs.count = 0;
        reach->predecessors[next->id] = 0;
    }
}

static void drop_unreached(struct gl_ir_func *func, const struct reach *reach)
{
    size_t count = 0;
    for (size_t i = 0; i < func->blocks.count; i++) {
        struct gl_ir_block *block = func->blocks.items[i];
        if (reach->predecessors[block->id])
            func->blocks.items[count++] = block;
        else
            GL_VEC_FREE(&block->instrs);
    }
    func->blocks.count = count;
    func->unknown_count = 0;
    for (size_t i = 0; i < count; i++) {
        struct gl_ir_block *block = func->blocks.items[i];
        block->id = (unsigned)i;
        for (size_t k = 0; k < block->instrs.count; k++)
            func->unknown_count += block->instrs.items[k].op == GL_IR_UNKNOWN;
    }
}

void gl_lower_simplify(struct gl_ir_func *func)
{
    struct reach reach = {.func = func,
                          .predecessors = gl_xmalloc(func->blocks.count * sizeof *reach.predecessors)};
    for (size_t i = 0; i < func->blocks.count; i++)
        reach.predecessors[i] = 0;
    reach_all(&reach);
    reach.predecessors[0]++; // the function's entry is reached from outside
    for (size_t i = 0; i < func->blocks.count; i++)
        if (reach.predecessors[i])
            join_line(&reach, func->blocks.items[i]);
    drop_unreached(func, &reach);
    GL_VEC_FREE(&reach.work);
    free(reach.predecessors);
}
