// SPDX-License-Identifier: Apache-2.0
// From the IR's places and operands to memory and values, and back: stores, with what they mean for guards.
#include "flow/order.h"

#include <string.h>

// ---- types ------------------------------------------------------------------------------------------------

static const struct gl_ir_type *field_type(const struct gl_ir_record *record, const char *field)
{
    if (!record)
        return NULL;
    for (size_t i = 0; i < record->fields.count; i++)
        if (record->fields.items[i].name == field)
            return record->fields.items[i].type;
    for (size_t i = 0; i < record->bases.count; i++) {
        const struct gl_ir_type *type = field_type(gl_ir_type_record(record->bases.items[i]), field);
        if (type)
            return type;
    }
    return NULL;
}

static const struct gl_ir_type *step_type(const struct gl_ir_type *type, const struct gl_ir_step *step)
{
    const struct gl_ir_type *bare = type ? gl_ir_type_strip(type) : NULL;
    if (!bare)
        return NULL;
    switch (step->kind) {
    case GL_STEP_FIELD:
        return bare->kind == GL_TYPE_RECORD ? field_type(bare->record, step->field) : NULL;
    case GL_STEP_DEREF:
        return bare->element;
    default: // p*[i]: the pointee is the element already
        return bare->kind == GL_TYPE_ARRAY ? bare->element : type;
    }
}

const struct gl_ir_type *gl_place_type(const struct gl_ir_place *place)
{
    const struct gl_ir_type *type = place->var->type;
    for (unsigned i = 0; i < place->step_count; i++)
        type = step_type(type, &place->steps[i]);
    return type;
}

const struct gl_ir_type *gl_operand_type(const struct gl_ir_operand *operand)
{
    return operand->kind == GL_OPERAND_PLACE ? gl_place_type(&operand->place) : NULL;
}

static bool is_union(const struct gl_ir_type *type)
{
    const struct gl_ir_type *bare = type ? gl_ir_type_strip(type) : NULL;
    return bare && bare->kind == GL_TYPE_RECORD && bare->record && bare->record->is_union;
}

static bool is_aggregate(const struct gl_ir_type *type)
{
    const struct gl_ir_type *bare = type ? gl_ir_type_strip(type) : NULL;
    return bare && (bare->kind == GL_TYPE_RECORD || bare->kind == GL_TYPE_ARRAY);
}

// ---- places -----------------------------------------------------------------------------------------------

enum { SLOT_LOST_POINTER = 4096 };

// What a pointer that is not known points to is memory of its own, not shared with other such pointers.
static const struct gl_mem *deref(struct gl_solver *solver, const struct gl_value *pointer, unsigned step)
{
    if (pointer->kind == GL_VALUE_UNDEF || pointer->kind == GL_VALUE_UNINIT)
        pointer = gl_value_fresh(solver->values, solver->instr, SLOT_LOST_POINTER + (int64_t)step,
                                 solver->instr->loc);
    return gl_mem_deref(solver->values, pointer);
}

static const struct gl_mem *step_mem(struct gl_solver *solver, struct gl_state *state, const struct gl_mem *mem,
                                     const struct gl_ir_type *type, const struct gl_ir_step *step, unsigned at)
{
    struct gl_values *values = solver->values;
    switch (step->kind) {
    case GL_STEP_FIELD: // members of a union are one memory: what one writes, the others read
        return is_union(type) ? mem : gl_mem_field(values, mem, step->field);
    case GL_STEP_DEREF:
        return deref(solver, gl_state_load(state, values, mem), at);
    case GL_STEP_INDEX:
        return gl_mem_index(values, mem, gl_value_int(values, step->index));
    case GL_STEP_INDEX_V: {
        const struct gl_value *index = gl_state_load(state, values, gl_mem_var(values, step->index_var));
        int64_t constant;
        if (gl_state_constant(state, index, &constant))
            index = gl_value_int(values, constant);
        bool is_known = index->kind != GL_VALUE_UNDEF && index->kind != GL_VALUE_UNINIT;
        return gl_mem_index(values, mem, is_known ? index : NULL);
    }
    case GL_STEP_INDEX_U:
        return gl_mem_index(values, mem, NULL);
    }
    return mem;
}

const struct gl_mem *gl_solver_place(struct gl_solver *solver, struct gl_state *state,
                                     const struct gl_ir_place *place, const struct gl_ir_type **out_type)
{
    const struct gl_mem *mem = gl_mem_var(solver->values, place->var);
    const struct gl_ir_type *type = place->var->type;
    for (unsigned i = 0; i < place->step_count; i++) {
        mem = step_mem(solver, state, mem, type, &place->steps[i], i);
        type = step_type(type, &place->steps[i]);
    }
    if (out_type)
        *out_type = type;
    return mem;
}

// A pointer member of a guard object may be used only while the guard is held.
static const struct gl_value *member_of_guard(struct gl_solver *solver, struct gl_state *state,
                                              const struct gl_ir_place *place, const struct gl_mem *mem,
                                              const struct gl_value *value)
{
    if (mem->kind != GL_MEM_FIELD || !place->step_count)
        return value;
    struct gl_ir_place outer = *place;
    outer.step_count--;
    const struct gl_ir_type *type = gl_place_type(&outer);
    const struct gl_class *class = gl_class_of_type(solver->flow, type);
    if (class->role != GL_ROLE_GUARD)
        return value;
    const struct gl_ir_type *member = gl_place_type(place);
    const struct gl_value *handle = gl_state_bound(state, gl_handle_mem(solver->values, class, mem->parent));
    if (!handle || !member || gl_ir_type_strip(member)->kind != GL_TYPE_POINTER || value->kind == GL_VALUE_INT)
        return value;
    return gl_value_guarded(solver->values, value, handle);
}

const struct gl_value *gl_solver_operand(struct gl_solver *solver, struct gl_state *state,
                                         const struct gl_ir_operand *operand)
{
    struct gl_values *values = solver->values;
    switch (operand->kind) {
    case GL_OPERAND_UNDEF:
        return gl_value_undef(values);
    case GL_OPERAND_PLACE: {
        const struct gl_mem *mem = gl_solver_place(solver, state, &operand->place, NULL);
        const struct gl_value *value = gl_state_load(state, values, mem);
        value = member_of_guard(solver, state, &operand->place, mem, value);
        int64_t constant;
        if (gl_state_constant(state, value, &constant))
            return gl_value_int(values, constant);
        return value;
    }
    case GL_OPERAND_ADDRESS:
        return gl_value_address(values, gl_solver_place(solver, state, &operand->place, NULL));
    case GL_OPERAND_INTEGER:
        return gl_value_int(values, operand->integer);
    case GL_OPERAND_ZERO:
        return gl_value_int(values, 0);
    case GL_OPERAND_STRING:
        return gl_value_string(values, operand->string);
    case GL_OPERAND_FUNCTION:
        return gl_value_function(values, operand->function);
    }
    return gl_value_undef(values);
}

const struct gl_value *gl_solver_fresh(struct gl_solver *solver, struct gl_state *state, int64_t slot)
{
    const struct gl_value *fresh = gl_value_fresh(solver->values, solver->instr, slot, solver->instr->loc);
    if (solver->may_repeat[solver->block->id]) { // what an earlier round made is another one
        gl_state_refresh(state, solver->values, fresh);
        gl_order_refresh(solver, state, fresh);
    }
    return fresh;
}

// ---- stores -----------------------------------------------------------------------------------------------

// Memory that others may look into after the function: what a parameter points to, globals, other heap memory.
static bool is_outside(const struct gl_mem *mem)
{
    const struct gl_mem *root = gl_mem_root(mem);
    return root->kind == GL_MEM_DEREF || root->kind == GL_MEM_RETURN ||
           (root->kind == GL_MEM_VAR && root->var->kind == GL_VAR_GLOBAL);
}

// An element whose index is not a constant: which one it was is not known when it is read back.
static bool is_lost_element(const struct gl_mem *mem)
{
    for (; mem; mem = mem->parent)
        if (mem->kind == GL_MEM_INDEX && (!mem->value || mem->value->kind != GL_VALUE_INT))
            return true;
    return false;
}

void gl_hand_on(struct gl_state *state, const struct gl_value *value)
{
    struct gl_resource *resource = gl_state_resource(state, value);
    if (resource)
        resource->is_handed_on = true;
    if (value->kind == GL_VALUE_PHI) // any of them may be the one
        for (unsigned i = 0; i < value->arg_count; i++)
            if (value->args[i]->kind != GL_VALUE_PHI)
                gl_hand_on(state, value->args[i]);
}

static bool is_bound_elsewhere(const struct gl_state *state, const struct gl_value *handle,
                               const struct gl_mem *mem)
{
    for (size_t i = 0; i < state->env.count; i++)
        if (state->env.items[i].value == handle && !gl_mem_is_within(state->env.items[i].mem, mem))
            return true;
    return false;
}

// The last copy of a held guard's handle is written over: nobody can release it any more.
static void lose_handles(struct gl_solver *solver, struct gl_state *state, const struct gl_mem *mem)
{
    for (size_t i = 0; i < state->resources.count; i++) {
        struct gl_resource *resource = &state->resources.items[i];
        if (resource->status != GL_STATUS_HELD || !resource->is_acquired || resource->is_handed_on ||
            resource->state || resource->is_owner)
            continue;
        if (gl_state_bound(state, mem) != resource->handle || is_bound_elsewhere(state, resource->handle, mem))
            continue;
        const struct gl_site *site = gl_site_make(solver, "overwritten here, still held", NULL, NULL, NULL, NULL);
        gl_solver_observe(solver, &(struct gl_flow_event){
                                      .kind = GL_FLOW_LOST, .state = state, .resource = resource, .site = site});
        resource->status = GL_STATUS_RELEASED;
        resource->cause = GL_CAUSE_OVERWRITE;
        resource->released = site;
    }
}

// After a write to an element whose index is not a constant, an array holds something: what, is told apart by index.
static void fill_array(struct gl_solver *solver, struct gl_state *state, const struct gl_mem *mem)
{
    enum { SLOT_CONTENT = 8192 };
    bool is_unknown_element = mem->kind == GL_MEM_INDEX && (!mem->value || mem->value->kind != GL_VALUE_INT);
    if (!is_unknown_element || gl_state_load(state, solver->values, mem->parent)->kind != GL_VALUE_UNINIT)
        return;
    gl_state_store(state, mem->parent,
                   gl_value_fresh(solver->values, mem->parent, SLOT_CONTENT, solver->instr->loc));
}

void gl_solver_store(struct gl_solver *solver, struct gl_state *state, const struct gl_mem *mem,
                     const struct gl_value *value)
{
    if (gl_state_bound(state, mem) != value)
        lose_handles(solver, state, mem);
    if (is_outside(mem) || is_lost_element(mem))
        gl_hand_on(state, value);
    fill_array(solver, state, mem);
    gl_state_store(state, mem, value);
}

void gl_solver_copy(struct gl_solver *solver, struct gl_state *state, const struct gl_mem *to,
                    const struct gl_state *from_state, const struct gl_mem *from)
{
    if (to == from && state == from_state)
        return;
    lose_handles(solver, state, to);
    gl_state_copy_tree(state, solver->values, to, from_state, from);
    if (!is_outside(to) && !is_lost_element(to))
        return;
    for (size_t i = 0; i < state->env.count; i++)
        if (gl_mem_is_within(state->env.items[i].mem, to))
            gl_hand_on(state, state->env.items[i].value);
}


void gl_solver_assign(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_instr *instr)
{
    const struct gl_ir_type *type = NULL;
    const struct gl_ir_operand *from = &instr->args[0];
    const struct gl_mem *to = gl_solver_place(solver, state, &instr->dst, &type);
    bool is_whole = is_aggregate(type) || is_aggregate(gl_operand_type(from));
    if (from->kind == GL_OPERAND_PLACE && is_whole)
        gl_solver_copy(solver, state, to, state, gl_solver_place(solver, state, &from->place, NULL));
    else
        gl_solver_store(solver, state, to, gl_solver_operand(solver, state, from));
}
