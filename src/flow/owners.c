// SPDX-License-Identifier: Apache-2.0
// Owners whose class only a rule knows: the stream they are made on, and how their destructor gives memory
// back.
#include "flow/order.h"

#include <string.h>

bool gl_can_be_told(const struct gl_rules *rules, const char *class_name)
{
    size_t length = strlen(class_name);
    for (size_t i = 0; i < gl_rules_call_count(rules); i++) {
        const struct gl_call_rule *rule = gl_rules_call_at(rules, i);
        bool is_method = strncmp(rule->name, class_name, length) == 0 && rule->name[length] == ':';
        for (size_t k = 0; is_method && k < rule->effects.count; k++)
            if (rule->effects.items[k].kind == GL_EFFECT_USED_ON)
                return true;
    }
    return false;
}

void gl_order_owner_made(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee)
{
    bool is_made =
        callee && callee->flags & GL_DECL_CONSTRUCTOR && callee->record && solver->instr->arg_count;
    const struct gl_class *class = is_made ? gl_class_of(solver->flow, callee->record) : NULL;
    if (!class || class->role != GL_ROLE_OWNER || class->release != GL_RELEASE_STREAM_ORDERED)
        return;
    const struct gl_value *object = gl_solver_operand(solver, state, &solver->instr->args[0]);
    const struct gl_mem *mem = gl_mem_deref(solver->values, object);
    struct gl_acquire acquire = {
        .handle = gl_state_load(state, solver->values, mem),
        .kind = class->release,
        .stream = gl_argument_of_role(solver, state, callee, GL_ROLE_STREAM),
        .is_owner = true,
    };
    if (acquire.handle->kind == GL_VALUE_FRESH)
        gl_effect_acquire(solver, state, &acquire,
                          gl_site_make(solver, "allocated by %s", callee->class_name, NULL, NULL, NULL));
}

// What a deleter's body does to the pointer that it is given.
static void end_by_deleter(const struct gl_summary *summary, struct gl_release *release)
{
    const struct gl_log_entry *found = NULL;
    for (size_t i = 0; summary && i < summary->case_count; i++)
        for (size_t k = 0; k < summary->cases[i].log_count; k++) {
            const struct gl_log_entry *entry = &summary->cases[i].log[k];
            bool is_own = entry->kind == GL_EFFECT_RELEASE && !entry->state &&
                          entry->value->kind == GL_VALUE_INIT && entry->value->mem->kind == GL_MEM_VAR;
            if (is_own)
                found = entry;
        }
    bool is_known = found && found->release == GL_RELEASE_HOST_IMMEDIATE;
    release->is_unknown_end = !is_known;
}

void gl_owner_end(struct gl_solver *solver, const struct gl_ir_decl *callee, const struct gl_class *class,
                  struct gl_release *release)
{
    const struct gl_rules *rules = solver->flow->rules;
    const struct gl_ir_record *record = callee->record;
    const struct gl_type_rule *rule = record && record->name ? gl_rules_find_type(rules, record->name) : NULL;
    release->is_by_class = class->can_be_told;
    if (!rule)
        return;
    if (rule->role == GL_ROLE_CONTAINER) {
        release->is_pageable = gl_is_pageable_class(rules, record);
        release->is_unknown_end = class->held && class->held->destructor;
    } else if (rule->role == GL_ROLE_OPTIONAL) {
        release->is_unknown_end = true;
    } else if (class->deleter) {
        end_by_deleter(gl_summary_of(solver->flow, class->deleter), release);
    } else if (rule->deleter >= 0) { // a deleter that is not seen, or the default one: what that destroys
        release->is_unknown_end = gl_has_own_parts(record) || (class->held && class->held->destructor);
        release->is_pageable = true;
    }
}
