// SPDX-License-Identifier: Apache-2.0
// Translation of values and memory between the tables of a function, its summary, and its callers.
#include "flow/translate.h"

#include <string.h>

enum { SLOT_CALLEE = 1 << 14, MOST_ARGS = 16 };

// A parameter is an argument here: its value, or the object when a struct is passed by value.
static const struct gl_value *argument(struct gl_translation *t, const struct gl_mem *mem)
{
    const struct gl_mem *root = gl_mem_root(mem);
    if (root->var->id >= t->call->arg_count)
        return gl_value_undef(t->to);
    const struct gl_ir_operand *arg = &t->call->args[root->var->id];
    if (mem == root)
        return gl_solver_operand(t->solver, t->before, arg);
    if (arg->kind != GL_OPERAND_PLACE)
        return gl_value_undef(t->to);
    const struct gl_mem *object = gl_solver_place(t->solver, t->before, &arg->place, NULL);
    const struct gl_mem *part = object;
    // Rebuilt step by step, since the steps of `mem` belong to the callee's table.
    const struct gl_mem *steps[MOST_ARGS];
    unsigned count = 0;
    for (const struct gl_mem *at = mem; at != root && count < MOST_ARGS; at = at->parent)
        steps[count++] = at;
    while (count-- > 0)
        part = steps[count]->kind == GL_MEM_FIELD
                   ? gl_mem_field(t->to, part, steps[count]->field)
                   : gl_mem_index(t->to, part, steps[count]->value ? gl_translate(t, steps[count]->value) : NULL);
    return gl_state_load(t->before, t->to, part);
}

static bool is_param(const struct gl_mem *root)
{
    return root->kind == GL_MEM_VAR && root->var->kind == GL_VAR_PARAM;
}

const struct gl_mem *gl_translate_mem(struct gl_translation *t, const struct gl_mem *mem)
{
    switch (mem->kind) {
    case GL_MEM_VAR:
        if (mem->var->kind == GL_VAR_GLOBAL || (!t->call && mem->var->kind == GL_VAR_PARAM))
            return gl_mem_var(t->to, mem->var);
        return NULL;
    case GL_MEM_DEREF: {
        const struct gl_value *pointer = gl_translate(t, mem->value);
        bool is_known = pointer->kind != GL_VALUE_UNDEF && pointer->kind != GL_VALUE_UNINIT &&
                        pointer->kind != GL_VALUE_MOVED;
        return is_known ? gl_mem_deref(t->to, pointer) : NULL;
    }
    case GL_MEM_RETURN:
        return t->call ? t->result : gl_mem_return(t->to);
    case GL_MEM_FIELD: {
        const struct gl_mem *parent = gl_translate_mem(t, mem->parent);
        return parent ? gl_mem_field(t->to, parent, mem->field) : NULL;
    }
    case GL_MEM_INDEX: {
        const struct gl_mem *parent = gl_translate_mem(t, mem->parent);
        const struct gl_value *index = mem->value ? gl_translate(t, mem->value) : NULL;
        if (index && (index->kind == GL_VALUE_UNDEF || index->kind == GL_VALUE_UNINIT))
            index = NULL;
        return parent ? gl_mem_index(t->to, parent, index) : NULL;
    }
    }
    return NULL;
}

static const struct gl_value *translate_init(struct gl_translation *t, const struct gl_value *value)
{
    if (t->call && is_param(gl_mem_root(value->mem)))
        return argument(t, value->mem);
    const struct gl_mem *mem = gl_translate_mem(t, value->mem);
    if (!mem)
        return gl_value_undef(t->to);
    return t->call ? gl_state_load(t->before, t->to, mem) : gl_value_init(t->to, mem);
}

// Was the value made in a loop of the function that is being exported? Then it stands for many.
static bool is_made_in_loop(const struct gl_solver *solver, const struct gl_value *value)
{
    const struct gl_ir_func *func = solver->func;
    const struct gl_ir_instr *origin = value->origin;
    for (size_t b = 0; b < func->blocks.count; b++) {
        const struct gl_ir_block *block = func->blocks.items[b];
        bool is_here = origin >= block->instrs.items && origin < block->instrs.items + block->instrs.count;
        if (is_here)
            return solver->may_repeat[block->id];
    }
    return false;
}

// What the callee made is made by the call.
static const struct gl_value *translate_fresh(struct gl_translation *t, const struct gl_value *value)
{
    if (!t->call && is_made_in_loop(t->solver, value))
        return gl_value_undef(t->to);
    if (!t->call)
        return gl_value_fresh(t->to, value->origin, value->integer, value->loc);
    int64_t bits = value->integer & GL_SLOT_KEPT_BITS;
    const struct gl_value *made =
        gl_value_fresh(t->to, t->call, (SLOT_CALLEE + value->id) | bits, t->call->loc);
    if (t->solver->may_repeat[t->solver->block->id]) { // the last round of the loop made one, too
        gl_state_refresh(t->state, t->to, made);
        gl_state_refresh(t->before, t->to, made);
    }
    return made;
}

static const struct gl_value *translate_args(struct gl_translation *t, const struct gl_value *value)
{
    const struct gl_value *args[MOST_ARGS];
    if (value->arg_count > MOST_ARGS)
        return gl_value_undef(t->to);
    for (unsigned i = 0; i < value->arg_count; i++)
        args[i] = gl_translate(t, value->args[i]);
    if (value->kind == GL_VALUE_FIELD)
        return gl_value_field(t->to, args[0], value->name);
    if (value->kind == GL_VALUE_COMPARE)
        return gl_value_compare(t->to, (enum gl_ir_compare)value->integer, args[0], args[1]);
    return gl_value_compute(t->to, value->name, args, value->arg_count);
}

static const struct gl_value *translate_phi(struct gl_translation *t, const struct gl_value *value)
{
    // Which number it is, a caller learns from the way's facts and result class, not from where it was joined.
    if (!t->call && value->mem && !gl_mem_may_hold_pointer(value->mem))
        return gl_value_undef(t->to);
    const void *origin = t->call ? (const void *)t->call : value->origin;
    const struct gl_value *phi = gl_value_phi(t->to, origin, NULL, t->call ? value->id : value->hash);
    gl_ptrmap_set(&t->memo, value, (void *)phi);
    for (unsigned i = 0; i < value->arg_count; i++)
        gl_value_phi_add(t->to, phi, gl_translate(t, value->args[i]));
    return phi;
}

static const struct gl_value *translate_new(struct gl_translation *t, const struct gl_value *value)
{
    switch (value->kind) {
    case GL_VALUE_INT:
        return gl_value_int(t->to, value->integer);
    case GL_VALUE_STRING:
        return gl_value_string(t->to, value->name);
    case GL_VALUE_FUNCTION:
        return gl_value_function(t->to, value->origin);
    case GL_VALUE_MOVED:
        return gl_value_moved(t->to);
    case GL_VALUE_UNINIT:
        return gl_value_uninit(t->to);
    case GL_VALUE_ADDRESS: {
        const struct gl_mem *mem = gl_translate_mem(t, value->mem);
        return mem ? gl_value_address(t->to, mem) : gl_value_undef(t->to);
    }
    case GL_VALUE_INIT:
        return translate_init(t, value);
    case GL_VALUE_FRESH:
        return translate_fresh(t, value);
    case GL_VALUE_COMPUTE:
    case GL_VALUE_COMPARE:
    case GL_VALUE_FIELD:
        return translate_args(t, value);
    case GL_VALUE_PHI:
        return translate_phi(t, value);
    case GL_VALUE_UNDEF:
        break;
    }
    return gl_value_undef(t->to);
}

const struct gl_value *gl_translate(struct gl_translation *t, const struct gl_value *value)
{
    const struct gl_value *known = gl_ptrmap_get(&t->memo, value);
    if (known)
        return known;
    const struct gl_value *made = translate_new(t, value);
    gl_ptrmap_set(&t->memo, value, (void *)made);
    return made;
}

void gl_translation_end(struct gl_translation *t)
{
    gl_ptrmap_free(&t->memo);
}
