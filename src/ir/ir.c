// SPDX-License-Identifier: Apache-2.0
// The builder: functions, variables, blocks, instructions, places and operands.
#include "ir/ir.h"

#include "ir/program.h"

#include <string.h>

const char *const gl_ir_op_names[GL_IR_OP_COUNT] = {
#define GL_IR_OP(name, text, terminator) text,
#include "ir/ops.def"
#undef GL_IR_OP
};

bool gl_ir_op_is_terminator(enum gl_ir_op op)
{
    static const bool is_terminator[GL_IR_OP_COUNT] = {
#define GL_IR_OP(name, text, terminator) terminator,
#include "ir/ops.def"
#undef GL_IR_OP
    };
    return is_terminator[op];
}

// ---- functions -------------------------------------------------------------------------------------------

struct gl_ir_func *gl_ir_func_new(struct gl_arena *arena, struct gl_ir_unit *unit, struct gl_ir_decl *decl)
{
    struct gl_ir_func *func = GL_ARENA_NEW(arena, struct gl_ir_func);
    func->decl = decl;
    func->unit = unit;
    return func;
}

struct gl_ir_func *gl_ir_func_add(struct gl_ir_program *program, struct gl_ir_unit *unit,
                                  struct gl_ir_decl *decl)
{
    if (decl->body)
        return NULL;
    decl->body = gl_ir_func_new(&program->arena, unit, decl);
    GL_VEC_PUSH(&unit->funcs, decl->body);
    return decl->body;
}

void gl_ir_func_clear(struct gl_ir_func *func)
{
    for (size_t i = 0; i < func->blocks.count; i++)
        GL_VEC_FREE(&func->blocks.items[i]->instrs);
    GL_VEC_FREE(&func->blocks);
    GL_VEC_FREE(&func->vars);
}

struct gl_ir_var *gl_ir_var_new(struct gl_arena *arena, struct gl_ir_func *func, enum gl_ir_var_kind kind,
                                const char *interned_name, struct gl_ir_type *type, struct gl_ir_loc loc)
{
    struct gl_ir_var *var = GL_ARENA_NEW(arena, struct gl_ir_var);
    *var = (struct gl_ir_var){
        .kind = kind, .id = (unsigned)func->vars.count, .name = interned_name, .type = type, .loc = loc};
    GL_VEC_PUSH(&func->vars, var);
    if (kind == GL_VAR_PARAM)
        func->param_count = var->id + 1;
    return var;
}

struct gl_ir_var *gl_ir_var_add(struct gl_ir_program *program, struct gl_ir_func *func,
                                enum gl_ir_var_kind kind, const char *name, struct gl_ir_type *type,
                                struct gl_ir_loc loc)
{
    const char *interned = gl_intern(program->strings, name ? name : "");
    return gl_ir_var_new(&program->arena, func, kind, interned, type, loc);
}

struct gl_ir_block *gl_ir_block_new(struct gl_arena *arena, struct gl_ir_func *func)
{
    struct gl_ir_block_node *node = GL_ARENA_NEW(arena, struct gl_ir_block_node);
    node->func = func;
    return &node->block;
}

void gl_ir_block_place(struct gl_ir_block *block)
{
    struct gl_ir_func *func = ((struct gl_ir_block_node *)block)->func;
    block->id = (unsigned)func->blocks.count;
    GL_VEC_PUSH(&func->blocks, block);
}

struct gl_ir_block *gl_ir_block_add(struct gl_ir_program *program, struct gl_ir_func *func)
{
    struct gl_ir_block *block = gl_ir_block_new(&program->arena, func);
    gl_ir_block_place(block);
    return block;
}

struct gl_ir_instr *gl_ir_append(struct gl_ir_block *block, const struct gl_ir_instr *instr)
{
    if (instr->op == GL_IR_UNKNOWN)
        ((struct gl_ir_block_node *)block)->func->unknown_count++;
    GL_VEC_PUSH(&block->instrs, *instr);
    return &block->instrs.items[block->instrs.count - 1];
}

bool gl_ir_block_is_closed(const struct gl_ir_block *block)
{
    size_t count = block->instrs.count;
    return count && gl_ir_op_is_terminator(block->instrs.items[count - 1].op);
}

// ---- places and operands ---------------------------------------------------------------------------------

struct gl_ir_place gl_ir_place_var(struct gl_ir_var *var)
{
    return (struct gl_ir_place){.var = var};
}

struct gl_ir_place gl_ir_place_step(struct gl_ir_program *program, struct gl_ir_place place,
                                    struct gl_ir_step step)
{
    struct gl_ir_step *steps =
        GL_ARENA_ARRAY(&program->arena, struct gl_ir_step, (size_t)place.step_count + 1);
    if (place.step_count)
        memcpy(steps, place.steps, place.step_count * sizeof *steps);
    if (step.kind == GL_STEP_FIELD)
        step.field = gl_intern(program->strings, step.field);
    steps[place.step_count] = step;
    return (struct gl_ir_place){place.var, steps, place.step_count + 1};
}

struct gl_ir_place gl_ir_place_field(struct gl_ir_program *program, struct gl_ir_place place,
                                     const char *field)
{
    return gl_ir_place_step(program, place, (struct gl_ir_step){.kind = GL_STEP_FIELD, .field = field});
}

struct gl_ir_place gl_ir_place_deref(struct gl_ir_program *program, struct gl_ir_place place)
{
    return gl_ir_place_step(program, place, (struct gl_ir_step){.kind = GL_STEP_DEREF});
}

struct gl_ir_operand gl_ir_operand_place(struct gl_ir_place place)
{
    return (struct gl_ir_operand){.kind = GL_OPERAND_PLACE, .place = place};
}

struct gl_ir_operand gl_ir_operand_address(struct gl_ir_place place)
{
    return (struct gl_ir_operand){.kind = GL_OPERAND_ADDRESS, .place = place};
}

struct gl_ir_operand gl_ir_operand_integer(int64_t value)
{
    return (struct gl_ir_operand){.kind = GL_OPERAND_INTEGER, .integer = value};
}

struct gl_ir_operand gl_ir_operand_function(struct gl_ir_decl *decl)
{
    return (struct gl_ir_operand){.kind = GL_OPERAND_FUNCTION, .function = decl};
}
