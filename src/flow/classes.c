// SPDX-License-Identifier: Apache-2.0
// What objects of a class are: by a type rule, or worked out from what their destructor is seen to do.
#include "flow/order.h"

#include <string.h>

static const struct gl_class no_class = {.role = GL_ROLE_NONE};

static const char *const device_state = "device";

static bool is_member_of_this(const struct gl_value *value)
{
    return value && value->kind == GL_VALUE_INIT && gl_mem_root(value->mem)->kind == GL_MEM_DEREF;
}

// `is_own`: the class has a destructor of its own. With an implicit one it is its members that are guards.
static void learn_from_entry(struct gl_class *class, const struct gl_log_entry *entry, bool is_own)
{
    if (is_member_of_this(entry->value) && entry->kind == GL_EFFECT_RELEASE)
        class->frees_on_destroy = true;
    if (!is_own)
        return;
    if (entry->kind == GL_EFFECT_SET_STATE || (entry->kind == GL_EFFECT_RELEASE && entry->state)) {
        class->role = GL_ROLE_STATE_GUARD;
        class->release = GL_RELEASE_STATE;
        class->state = entry->state ? entry->state : device_state;
        class->is_inferred = true;
    }
    if (is_member_of_this(entry->value) && entry->kind == GL_EFFECT_RECORD) {
        class->role = GL_ROLE_GUARD;
        class->release = GL_RELEASE_EVENT;
        class->is_inferred = true;
    }
}

static void learn_from_destructor(const struct gl_flow *flow, const struct gl_ir_record *record,
                                  struct gl_class *class)
{
    const struct gl_summary *summary = record->destructor ? gl_summary_of(flow, record->destructor) : NULL;
    for (size_t i = 0; summary && i < summary->case_count; i++)
        for (size_t k = 0; k < summary->cases[i].log_count; k++)
            learn_from_entry(class, &summary->cases[i].log[k], !(record->destructor->flags & GL_DECL_DEFAULTED));
}

static void learn_from_rule(struct gl_flow *flow, const struct gl_ir_record *record,
                            const struct gl_type_rule *rule, struct gl_class *class)
{
    class->role = rule->role;
    class->release = rule->release;
    class->state = rule->state;
    class->can_be_told = gl_can_be_told(flow->rules, record->name);
    class->frees_on_destroy = rule->role == GL_ROLE_OWNER || rule->role == GL_ROLE_SHARED_OWNER ||
                              rule->role == GL_ROLE_GUARD;
    if (record->template_args.count)
        class->held = gl_ir_type_record(record->template_args.items[0]);
    if (rule->deleter >= 0 && (size_t)rule->deleter < record->template_args.count) {
        const struct gl_ir_record *deleter = gl_ir_type_record(record->template_args.items[rule->deleter]);
        class->deleter = deleter ? gl_ptrmap_get(&flow->call_operators, deleter) : NULL;
    }
}

const struct gl_class *gl_class_of(struct gl_flow *flow, const struct gl_ir_record *record)
{
    if (!record)
        return &no_class;
    struct gl_class *known = gl_ptrmap_get(&flow->classes, record);
    // A destructor that is not solved yet may still teach something.
    if (known)
        return known;
    struct gl_class *class = GL_ARENA_NEW(&flow->arena, struct gl_class);
    const struct gl_type_rule *rule = record->name ? gl_rules_find_type(flow->rules, record->name) : NULL;
    if (rule)
        learn_from_rule(flow, record, rule, class);
    else
        learn_from_destructor(flow, record, class);
    bool is_final = rule || !record->destructor || !record->destructor->body ||
                    gl_summary_of(flow, record->destructor);
    if (is_final)
        gl_ptrmap_set(&flow->classes, record, class);
    return class;
}

const struct gl_class *gl_class_of_type(struct gl_flow *flow, const struct gl_ir_type *type)
{
    return type ? gl_class_of(flow, gl_ir_type_record(type)) : &no_class;
}

const struct gl_class *gl_class_held(struct gl_flow *flow, const struct gl_class *owner)
{
    return owner->held ? gl_class_of(flow, owner->held) : &no_class;
}
