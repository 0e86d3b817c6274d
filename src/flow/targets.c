// SPDX-License-Identifier: Apache-2.0
// From the targets of a rule ("*arg2", "this", "result") to values and memory at a call.
#include "flow/order.h"

bool gl_has_receiver(const struct gl_binding_call *b)
{
    return b->callee && (b->callee->flags & GL_DECL_METHOD);
}

bool gl_is_passed_by_address(const struct gl_binding_call *b, const struct gl_ir_operand *arg, size_t index)
{
    if (arg->flags & GL_ARG_BYVAL)
        return true;
    if (!b->callee || index >= b->callee->params.count || arg->kind == GL_OPERAND_INTEGER)
        return false;
    const struct gl_ir_type *type = gl_ir_type_strip(b->callee->params.items[index]);
    return type->kind == GL_TYPE_REFERENCE || type->kind == GL_TYPE_RVALUE;
}

static struct gl_ref ref_mem(const struct gl_binding_call *b, const struct gl_mem *mem)
{
    return (struct gl_ref){mem, gl_state_load(b->state, b->solver->values, mem)};
}

struct gl_ref gl_ref_arg(const struct gl_binding_call *b, size_t index)
{
    size_t at = index + gl_has_receiver(b);
    if (at >= b->instr->arg_count)
        return (struct gl_ref){NULL, NULL};
    const struct gl_ir_operand *arg = &b->instr->args[at];
    const struct gl_value *value = gl_solver_operand(b->solver, b->state, arg);
    if (gl_is_passed_by_address(b, arg, index))
        return ref_mem(b, gl_mem_deref(b->solver->values, value));
    if (arg->kind == GL_OPERAND_PLACE)
        return (struct gl_ref){gl_solver_place(b->solver, b->state, &arg->place, NULL), value};
    return (struct gl_ref){NULL, value};
}

size_t gl_ref_arg_count(const struct gl_binding_call *b)
{
    size_t receiver = gl_has_receiver(b);
    return b->instr->arg_count > receiver ? b->instr->arg_count - receiver : 0;
}

static struct gl_ref ref_base(const struct gl_binding_call *b, const struct gl_target *target)
{
    struct gl_values *values = b->solver->values;
    switch (target->base) {
    case GL_TARGET_ARG:
        return gl_ref_arg(b, (size_t)target->arg);
    case GL_TARGET_LAST_ARG:
        return gl_ref_arg_count(b) ? gl_ref_arg(b, gl_ref_arg_count(b) - 1) : (struct gl_ref){NULL, NULL};
    case GL_TARGET_THIS:
        if (!gl_has_receiver(b) || !b->instr->arg_count)
            return (struct gl_ref){NULL, NULL};
        return ref_mem(b, gl_mem_deref(values, gl_solver_operand(b->solver, b->state, &b->instr->args[0])));
    case GL_TARGET_RESULT:
        return (struct gl_ref){b->dst, b->result};
    case GL_TARGET_DEFAULT_STREAM:
        return (struct gl_ref){NULL, gl_value_int(values, 0)};
    case GL_TARGET_STREAM_OF_HANDLE: {
        struct gl_target handle = {.base = target->arg < 0 ? GL_TARGET_THIS : GL_TARGET_ARG, .arg = target->arg};
        const struct gl_value *of = ref_base(b, &handle).value;
        const struct gl_value *set = of ? gl_stream_of_handle(b->state, of) : NULL;
        return (struct gl_ref){NULL, set ? set : of ? gl_value_compute(values, "stream-of", &of, 1) : NULL};
    }
    case GL_TARGET_CURRENT_STREAM:
        return (struct gl_ref){NULL, gl_value_compute(values, "current-stream", NULL, 0)};
    default:
        return (struct gl_ref){NULL, NULL};
    }
}

// &x where an array is asked for: of x alone.
static bool is_address_of_one(const struct gl_value *value)
{
    if (value->kind != GL_VALUE_ADDRESS || value->mem->kind != GL_MEM_VAR || !value->mem->var->type)
        return false;
    return gl_ir_type_strip(value->mem->var->type)->kind != GL_TYPE_ARRAY;
}

static struct gl_ref ref_step(const struct gl_binding_call *b, struct gl_ref ref, const struct gl_target_step *step)
{
    struct gl_values *values = b->solver->values;
    if (!ref.value)
        return ref;
    bool is_pointer = !ref.mem || ref.value->kind == GL_VALUE_ADDRESS;
    if (step->kind == GL_TSTEP_ELEMENTS && is_address_of_one(ref.value))
        return ref_mem(b, ref.value->mem);
    switch (step->kind) {
    case GL_TSTEP_DEREF:
        return ref_mem(b, gl_mem_deref(values, ref.value));
    case GL_TSTEP_FIELD:
        if (!ref.mem)
            return (struct gl_ref){NULL, gl_value_field(values, ref.value, step->field)};
        return ref_mem(b, gl_mem_field(values, ref.mem, step->field));
    case GL_TSTEP_ELEMENTS:
        return ref_mem(b, gl_mem_index(values, is_pointer ? gl_mem_deref(values, ref.value) : ref.mem, NULL));
    case GL_TSTEP_ELEMENT:
        return ref_mem(b, gl_mem_index(values, is_pointer ? gl_mem_deref(values, ref.value) : ref.mem,
                                       gl_value_int(values, step->index)));
    }
    return ref;
}

struct gl_ref gl_ref_of(const struct gl_binding_call *b, const struct gl_target *target)
{
    struct gl_ref ref = ref_base(b, target);
    for (unsigned i = 0; i < target->step_count; i++)
        ref = ref_step(b, ref, &target->steps[i]);
    return ref;
}

// A stream that the call leaves out is the default stream; one that the rule does not name is not known.
const struct gl_value *gl_ref_stream(const struct gl_binding_call *b, const struct gl_target *target)
{
    if (target->base == GL_TARGET_NONE)
        return NULL;
    struct gl_ref ref = gl_ref_of(b, target);
    return ref.value ? ref.value : gl_value_int(b->solver->values, 0);
}

