// SPDX-License-Identifier: Apache-2.0
// Appending instructions to the block being filled.
#include "frontend/lower.h"

struct gl_ir_block *gl_lower_block(struct gl_lower *lower)
{
    return gl_ir_block_add(lower->program, lower->func);
}

struct gl_ir_instr *gl_lower_append(struct gl_lower *lower, struct gl_ir_instr instr)
{
    instr.loc = lower->loc;
    struct gl_ir_block *block = lower->block;
    if (gl_ir_op_is_terminator(instr.op))
        lower->block = gl_lower_block(lower);
    return gl_ir_append(block, &instr);
}

struct gl_ir_operand gl_lower_undef(void)
{
    return (struct gl_ir_operand){.kind = GL_OPERAND_UNDEF};
}

struct gl_ir_operand *gl_lower_operands(struct gl_lower *lower, const struct gl_ir_operand *args,
                                        size_t count)
{
    return count ? gl_arena_copy(gl_ir_arena(lower->program), args, count * sizeof *args) : NULL;
}

void gl_lower_begin(struct gl_lower *lower, struct gl_ir_var *var)
{
    gl_lower_append(lower, (struct gl_ir_instr){.op = GL_IR_BEGIN, .var = var});
}

void gl_lower_end(struct gl_lower *lower, struct gl_ir_var *var)
{
    gl_lower_append(lower, (struct gl_ir_instr){.op = GL_IR_END, .var = var});
}

static struct gl_ir_instr with_args(struct gl_lower *lower, enum gl_ir_op op,
                                    const struct gl_ir_operand *args, size_t count)
{
    return (struct gl_ir_instr){.op = op, .args = gl_lower_operands(lower, args, count), .arg_count = count};
}

void gl_lower_copy(struct gl_lower *lower, struct gl_ir_place dst, struct gl_ir_operand value)
{
    struct gl_ir_instr instr = with_args(lower, GL_IR_COPY, &value, 1);
    instr.has_dst = true;
    instr.dst = dst;
    gl_lower_append(lower, instr);
}

struct gl_ir_var *gl_lower_scalar_temp(struct gl_lower *lower, struct gl_ir_type *type)
{
    return gl_ir_var_add(lower->program, lower->func, GL_VAR_TEMP, "", type, lower->loc);
}

void gl_lower_compute_into(struct gl_lower *lower, struct gl_ir_place dst, const char *name,
                           const struct gl_ir_operand *args, size_t count)
{
    struct gl_ir_instr instr = with_args(lower, GL_IR_COMPUTE, args, count);
    instr.has_dst = true;
    instr.dst = dst;
    instr.name = gl_intern(gl_ir_strings(lower->program), name);
    gl_lower_append(lower, instr);
}

// `4 * sizeof(float)` is a number.
static bool fold(const char *name, const struct gl_ir_operand *args, size_t count, int64_t *out_value)
{
    if (count != 2 || args[0].kind != GL_OPERAND_INTEGER || args[1].kind != GL_OPERAND_INTEGER || name[1])
        return false;
    uint64_t a = (uint64_t)args[0].integer, b = (uint64_t)args[1].integer;
    switch (*name) {
    case '+':
        *out_value = (int64_t)(a + b);
        return true;
    case '-':
        *out_value = (int64_t)(a - b);
        return true;
    case '*':
        *out_value = (int64_t)(a * b);
        return true;
    case '|':
        *out_value = (int64_t)(a | b);
        return true;
    default:
        return false;
    }
}

struct gl_ir_operand gl_lower_compute(struct gl_lower *lower, const char *name, struct gl_ir_type *type,
                                      const struct gl_ir_operand *args, size_t count)
{
    int64_t constant;
    if (fold(name, args, count, &constant))
        return gl_ir_operand_integer(constant);
    struct gl_ir_place dst = gl_ir_place_var(gl_lower_scalar_temp(lower, type));
    gl_lower_compute_into(lower, dst, name, args, count);
    return gl_ir_operand_place(dst);
}

struct gl_ir_operand gl_lower_compare(struct gl_lower *lower, enum gl_ir_compare compare,
                                      struct gl_ir_operand a, struct gl_ir_operand b)
{
    struct gl_ir_instr instr = with_args(lower, GL_IR_COMPARE, (struct gl_ir_operand[]){a, b}, 2);
    instr.compare = compare;
    instr.has_dst = true;
    struct gl_ir_type *type = gl_fe_simple_type(lower->fe, GL_TYPE_BOOL);
    instr.dst = gl_ir_place_var(gl_lower_scalar_temp(lower, type));
    gl_lower_append(lower, instr);
    return gl_ir_operand_place(instr.dst);
}

struct gl_ir_operand gl_lower_unknown(struct gl_lower *lower, const char *why, struct gl_ir_type *type,
                                      const struct gl_ir_operand *args, size_t count)
{
    struct gl_ir_instr instr = with_args(lower, GL_IR_UNKNOWN, args, count);
    instr.name = gl_intern(gl_ir_strings(lower->program), why);
    if (type && type->kind != GL_TYPE_VOID) {
        instr.has_dst = true;
        instr.dst = gl_ir_place_var(gl_lower_scalar_temp(lower, type));
    }
    gl_lower_append(lower, instr);
    return instr.has_dst ? gl_ir_operand_place(instr.dst) : gl_lower_undef();
}

// ---- control flow ----------------------------------------------------------------------------------------

void gl_lower_jump(struct gl_lower *lower, struct gl_ir_block *target)
{
    gl_lower_append(lower, (struct gl_ir_instr){.op = GL_IR_JUMP, .targets = {target}});
}

void gl_lower_branch(struct gl_lower *lower, struct gl_ir_operand condition, struct gl_ir_block *yes,
                     struct gl_ir_block *no)
{
    if (condition.kind == GL_OPERAND_INTEGER) {
        gl_lower_jump(lower, condition.integer ? yes : no);
        return;
    }
    struct gl_ir_instr instr = with_args(lower, GL_IR_BRANCH, &condition, 1);
    instr.targets[0] = yes;
    instr.targets[1] = no;
    gl_lower_append(lower, instr);
}

void gl_lower_return(struct gl_lower *lower, const struct gl_ir_operand *value)
{
    gl_lower_append(lower, with_args(lower, GL_IR_RETURN, value, value ? 1 : 0));
}

void gl_lower_stop(struct gl_lower *lower)
{
    gl_lower_append(lower, (struct gl_ir_instr){.op = GL_IR_STOP});
}

void gl_lower_continue_in(struct gl_lower *lower, struct gl_ir_block *next)
{
    gl_lower_jump(lower, next);
    lower->block = next;
}

// ---- places and values -----------------------------------------------------------------------------------

struct gl_ir_operand gl_lower_address(struct gl_ir_place place)
{
    if (place.step_count && place.steps[place.step_count - 1].kind == GL_STEP_DEREF) {
        place.step_count--;
        return gl_ir_operand_place(place);
    }
    return gl_ir_operand_address(place);
}

struct gl_ir_operand gl_lower_pin(struct gl_lower *lower, struct gl_ir_operand value, struct gl_ir_type *type)
{
    struct gl_ir_place dst = gl_ir_place_var(gl_lower_scalar_temp(lower, type));
    gl_lower_copy(lower, dst, value);
    return gl_ir_operand_place(dst);
}

struct gl_ir_place gl_lower_deref(struct gl_lower *lower, struct gl_ir_operand pointer,
                                  struct gl_ir_type *pointer_type)
{
    if (pointer.kind == GL_OPERAND_ADDRESS)
        return pointer.place;
    if (pointer.kind != GL_OPERAND_PLACE)
        pointer = gl_lower_pin(lower, pointer, pointer_type);
    return gl_ir_place_deref(lower->program, pointer.place);
}
