// SPDX-License-Identifier: Apache-2.0
// Calls and launches: by rule, by summary, by what the callee's class is, or unknown (which borrows).
#include "flow/order.h"

#include <string.h>

const struct gl_ir_decl *gl_call_target(struct gl_solver *solver, struct gl_state *state,
                                        const struct gl_ir_instr *instr)
{
    if (instr->callee)
        return instr->callee;
    if (instr->target.kind == GL_OPERAND_UNDEF)
        return NULL;
    const struct gl_value *target = gl_solver_operand(solver, state, &instr->target);
    return target->kind == GL_VALUE_FUNCTION ? target->origin : NULL;
}

static const char *last_component(const char *name)
{
    for (const char *at = name; (at = strstr(at, "::")) != NULL;)
        name = at += 2;
    return name;
}

const char *gl_call_name(const struct gl_ir_instr *instr, const struct gl_ir_decl *callee)
{
    if (callee && callee->name)
        return last_component(callee->name);
    return instr->name ? instr->name : "a function pointer";
}

// A temporary that was an argument by value took over what it held: it was moved away, not just made and lost.
static bool was_argument(const struct gl_ir_block *block, const struct gl_ir_instr *end, const struct gl_ir_var *var)
{
    for (const struct gl_ir_instr *instr = end; instr-- > block->instrs.items;)
        for (size_t i = 0; instr->op == GL_IR_CALL && i < instr->arg_count; i++)
            if (instr->args[i].flags & GL_ARG_BYVAL && instr->args[i].place.var == var)
                return true;
    return false;
}

static enum gl_cause end_of_object(const struct gl_ir_block *block, const struct gl_ir_instr *instr)
{
    const struct gl_ir_operand *object = instr->arg_count ? &instr->args[0] : NULL;
    if (!object || object->kind != GL_OPERAND_ADDRESS || object->place.var->kind != GL_VAR_TEMP)
        return GL_CAUSE_SCOPE;
    return was_argument(block, instr, object->place.var) ? GL_CAUSE_MOVE : GL_CAUSE_TEMPORARY;
}

enum gl_cause gl_call_cause(const struct gl_solver *solver, const struct gl_ir_decl *callee)
{
    const struct gl_ir_instr *instr = solver->instr;
    const struct gl_ir_block *block = solver->block;
    if (instr->is_cleanup)
        return GL_CAUSE_CLEANUP;
    if (!callee)
        return GL_CAUSE_CALL;
    if (callee->flags & GL_DECL_DESTRUCTOR && instr->is_implicit)
        return end_of_object(block, instr);
    const char *name = callee->name ? last_component(callee->name) : "";
    return strcmp(name, "operator=") == 0 ? GL_CAUSE_OVERWRITE : GL_CAUSE_CALL;
}

// ---- unknown functions ------------------------------------------------------------------------------------

enum { SLOT_ARGUMENT = 256 };

static bool may_write(const struct gl_ir_decl *callee, const struct gl_ir_operand *arg, size_t index)
{
    if (arg->flags & GL_ARG_CONST)
        return false;
    if (arg->flags & (GL_ARG_MUTABLE | GL_ARG_BYVAL) || !callee)
        return true;
    bool is_method = callee->flags & GL_DECL_METHOD;
    if (is_method && index == 0)
        return true;
    size_t param = index - is_method;
    if (param >= callee->params.count)
        return true;
    const struct gl_ir_type *type = gl_ir_type_strip(callee->params.items[param]);
    return !type->element || !type->element->is_const;
}

static bool holds_guard(struct gl_state *state, const struct gl_value *value)
{
    struct gl_value_set handles;
    gl_value_handles(value, &handles);
    for (unsigned i = 0; i < handles.count; i++) {
        const struct gl_resource *resource = gl_state_resource(state, handles.items[i]);
        if (resource && resource->status != GL_STATUS_RELEASED)
            return true;
    }
    return false;
}

// What an unknown function can reach it may change, except guards and their pointers: it borrows those.
static void forget_contents(struct gl_solver *solver, struct gl_state *state, const struct gl_mem *mem, size_t index)
{
    size_t kept = 0, count = 0;
    for (size_t i = 0; i < state->env.count; i++) {
        const struct gl_binding *binding = &state->env.items[i];
        if (!gl_mem_is_within(binding->mem, mem) || holds_guard(state, binding->value)) {
            state->env.items[kept++] = *binding;
            count += gl_mem_is_within(binding->mem, mem);
        }
    }
    state->env.count = kept;
    if (!count)
        gl_state_store(state, mem, gl_solver_fresh(solver, state, SLOT_ARGUMENT + (int64_t)index));
}

static void lend(struct gl_solver *solver, struct gl_state *state, const struct gl_value *value)
{
    gl_hand_on(state, value);
    if (value->kind != GL_VALUE_ADDRESS)
        return;
    for (size_t i = 0; i < state->env.count; i++)
        if (gl_mem_is_within(state->env.items[i].mem, value->mem))
            gl_hand_on(state, state->env.items[i].value);
    (void)solver;
}

static void call_unknown(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee)
{
    const struct gl_ir_instr *instr = solver->instr;
    for (size_t i = 0; i < instr->arg_count; i++) {
        const struct gl_ir_operand *arg = &instr->args[i];
        const struct gl_value *value = gl_solver_operand(solver, state, arg);
        lend(solver, state, value);
        bool is_pointer = value->kind == GL_VALUE_ADDRESS || (arg->flags & (GL_ARG_MUTABLE | GL_ARG_BYVAL)) ||
                          (callee && callee->flags & GL_DECL_METHOD && i == 0);
        if (is_pointer && may_write(callee, arg, i) && value->kind != GL_VALUE_INT)
            forget_contents(solver, state, gl_mem_deref(solver->values, value), i);
    }
    if (instr->has_dst) {
        const struct gl_mem *dst = gl_solver_place(solver, state, &instr->dst, NULL);
        gl_solver_store(solver, state, dst, gl_solver_fresh(solver, state, 0));
    }
    solver->flow->stats.calls_unknown += solver->is_final;
}

// ---- calls ------------------------------------------------------------------------------------------------

static const struct gl_call_rule *rule_for(const struct gl_solver *solver, const struct gl_ir_instr *instr,
                                           const struct gl_ir_decl *callee)
{
    const struct gl_rules *rules = solver->flow->rules;
    size_t receiver = callee && callee->flags & GL_DECL_METHOD;
    size_t count = instr->arg_count >= receiver ? instr->arg_count - receiver : 0;
    if (callee && callee->name)
        return gl_rules_find_call(rules, callee->name, count);
    return instr->name ? gl_rules_find_method(rules, last_component(instr->name), count) : NULL;
}

// A plain copy or move of an object whose class the analysis knows by rule, or an implicit one: the content.
static bool is_plain_transfer(const struct gl_ir_instr *instr, const struct gl_ir_decl *callee)
{
    return callee->flags & GL_DECL_COPY_OR_MOVE && callee->flags & (GL_DECL_DEFAULTED | GL_DECL_CONSTRUCTOR) &&
           instr->arg_count == 2;
}

static void transfer(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee)
{
    const struct gl_ir_instr *instr = solver->instr;
    struct gl_values *values = solver->values;
    const struct gl_mem *to = gl_mem_deref(values, gl_solver_operand(solver, state, &instr->args[0]));
    const struct gl_mem *from = gl_mem_deref(values, gl_solver_operand(solver, state, &instr->args[1]));
    gl_solver_copy(solver, state, to, state, from);
    bool is_move = callee->params.count && gl_ir_type_strip(callee->params.items[0])->kind == GL_TYPE_RVALUE;
    if (is_move && to != from)
        gl_state_store(state, from, gl_value_moved(values));
    if (instr->has_dst)
        gl_solver_store(solver, state, gl_solver_place(solver, state, &instr->dst, NULL),
                        gl_value_address(values, to));
}

bool gl_solver_call(struct gl_solver *solver, struct gl_state *state)
{
    const struct gl_ir_instr *instr = solver->instr;
    const struct gl_ir_decl *callee = gl_call_target(solver, state, instr);
    const struct gl_call_rule *rule = rule_for(solver, instr, callee);
    gl_touch_guards(solver, state, callee);
    if (callee && gl_call_tests_owner(solver, state, callee))
        return true;
    if (rule) {
        solver->flow->stats.calls_with_rule += solver->is_final;
        bool goes_on = gl_call_by_rule(solver, state, rule, callee);
        if (goes_on && callee)
            gl_object_returned(solver, state, callee, true);
        return goes_on;
    }
    if (callee && gl_call_by_class(solver, state, callee))
        return true;
    const struct gl_summary *summary = callee && !instr->is_virtual ? gl_summary_of(solver->flow, callee) : NULL;
    if (summary && !summary->is_opaque) {
        solver->flow->stats.calls_with_summary += solver->is_final;
        return gl_call_by_summary(solver, state, summary, callee);
    }
    if (callee && is_plain_transfer(instr, callee)) {
        transfer(solver, state, callee);
        return true;
    }
    call_unknown(solver, state, callee);
    gl_order_unknown(solver, state, callee);
    gl_order_owner_made(solver, state, callee);
    if (callee)
        gl_object_made(solver, state, callee);
    if (callee)
        gl_object_returned(solver, state, callee, false);
    return !(callee && callee->flags & GL_DECL_NORETURN);
}

// ---- launches ---------------------------------------------------------------------------------------------

static enum gl_access launch_access(const struct gl_ir_operand *arg)
{
    if (arg->flags & GL_ARG_CONST)
        return GL_ACCESS_READ;
    return arg->flags & GL_ARG_MUTABLE ? GL_ACCESS_READ_WRITE : GL_ACCESS_UNKNOWN;
}

void gl_solver_launch(struct gl_solver *solver, struct gl_state *state)
{
    const struct gl_ir_instr *instr = solver->instr;
    const struct gl_ir_decl *kernel = gl_call_target(solver, state, instr);
    const char *name = gl_call_name(instr, kernel);
    const struct gl_value *stream = gl_solver_operand(solver, state, &instr->config[3]);
    const struct gl_site *site =
        gl_site_make(solver, "kernel %s launched here", name, NULL, NULL, NULL);
    gl_effect_work(solver, state, stream, site);
    gl_order_launch(solver, state, &(struct gl_use){.stream = stream, .subject = name, .is_kernel = true}, site);
    for (size_t i = 0; i < instr->arg_count; i++) {
        const struct gl_ir_operand *arg = &instr->args[i];
        struct gl_use use = {.stream = stream, .access = launch_access(arg), .subject = name};
        gl_use_kernel(solver, state, &use, kernel, i);
        use.value = gl_solver_operand(solver, state, arg);
        if (arg->kind == GL_OPERAND_PLACE)
            gl_effect_use_tree(solver, state, gl_solver_place(solver, state, &arg->place, NULL), &use, site);
        else if (arg->flags & GL_ARG_BYVAL)
            gl_effect_use_tree(solver, state, gl_mem_deref(solver->values, use.value), &use, site);
        else
            gl_effect_use(solver, state, &use, site);
    }
    solver->flow->stats.launches += solver->is_final;
}
