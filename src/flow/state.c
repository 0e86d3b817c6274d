// SPDX-License-Identifier: Apache-2.0
// The parts of the abstract state that transfer functions read and write: bindings, guards, log.
#include "flow/state.h"

#include <string.h>

struct gl_state *gl_state_create(void)
{
    struct gl_state *state = gl_xmalloc(sizeof *state);
    *state = (struct gl_state){.is_log_cut = false};
    return state;
}

#define CLONE_VEC(to, from)                                                                                  \
    do {                                                                                                     \
        if ((from).count) {                                                                                  \
            (to).items = gl_xmalloc((from).count * sizeof *(from).items);                                    \
            memcpy((to).items, (from).items, (from).count * sizeof *(from).items);                           \
            (to).count = (to).capacity = (from).count;                                                       \
        }                                                                                                    \
    } while (0)

struct gl_state *gl_state_clone(const struct gl_state *state)
{
    struct gl_state *clone = gl_state_create();
    clone->is_log_cut = state->is_log_cut;
    CLONE_VEC(clone->env, state->env);
    CLONE_VEC(clone->resources, state->resources);
    CLONE_VEC(clone->facts, state->facts);
    CLONE_VEC(clone->log, state->log);
    gl_inflight_clone(&clone->inflight, &state->inflight);
    return clone;
}

void gl_state_destroy(struct gl_state *state)
{
    if (!state)
        return;
    GL_VEC_FREE(&state->env);
    GL_VEC_FREE(&state->resources);
    GL_VEC_FREE(&state->facts);
    GL_VEC_FREE(&state->log);
    gl_inflight_free(&state->inflight);
    free(state);
}

// ---- bindings ---------------------------------------------------------------------------------------------

static size_t env_at(const struct gl_state *state, const struct gl_mem *mem)
{
    size_t low = 0, high = state->env.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (state->env.items[middle].mem->id < mem->id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct gl_value *gl_state_bound(const struct gl_state *state, const struct gl_mem *mem)
{
    size_t at = env_at(state, mem);
    return at < state->env.count && state->env.items[at].mem == mem ? state->env.items[at].value : NULL;
}

static const struct gl_value *entry_value(struct gl_values *values, const struct gl_mem *mem)
{
    bool is_local = mem->kind == GL_MEM_RETURN ||
                    (mem->kind == GL_MEM_VAR && mem->var->kind != GL_VAR_PARAM && mem->var->kind != GL_VAR_GLOBAL);
    return is_local ? gl_value_uninit(values) : gl_value_init(values, mem);
}

const struct gl_value *gl_state_load(const struct gl_state *state, struct gl_values *values,
                                     const struct gl_mem *mem)
{
    const struct gl_value *bound = gl_state_bound(state, mem);
    if (bound)
        return bound;
    if (!mem->parent)
        return entry_value(values, mem);
    const struct gl_value *aggregate = gl_state_load(state, values, mem->parent);
    if (mem->kind == GL_MEM_FIELD)
        return gl_value_field(values, aggregate, mem->field);
    switch (aggregate->kind) {
    case GL_VALUE_INIT:
        return gl_value_init(values, gl_mem_index(values, aggregate->mem, mem->value));
    case GL_VALUE_UNINIT:
        // An element that was never written under this name may have been written under another.
        return mem->value && mem->value->kind == GL_VALUE_INT ? aggregate : gl_value_undef(values);
    case GL_VALUE_INT:
    case GL_VALUE_MOVED:
    case GL_VALUE_UNDEF:
        return aggregate;
    default: {
        const struct gl_value *args[] = {aggregate, mem->value ? mem->value : gl_value_undef(values)};
        return gl_value_compute(values, "[]", args, 2);
    }
    }
}

static void env_remove_within(struct gl_state *state, const struct gl_mem *mem)
{
    size_t kept = 0;
    for (size_t i = 0; i < state->env.count; i++)
        if (!gl_mem_is_within(state->env.items[i].mem, mem))
            state->env.items[kept++] = state->env.items[i];
    state->env.count = kept;
}

// A write through an index that is not a constant may hit any element: what is known of the others goes.
static void env_weaken_elements(struct gl_state *state, const struct gl_mem *mem)
{
    if (mem->kind != GL_MEM_INDEX)
        return;
    bool is_constant = mem->value && mem->value->kind == GL_VALUE_INT;
    size_t kept = 0;
    for (size_t i = 0; i < state->env.count; i++) {
        const struct gl_mem *other = state->env.items[i].mem;
        while (other && other->parent != mem->parent)
            other = other->parent;
        bool is_element = other && other != mem && other->kind == GL_MEM_INDEX;
        bool other_constant = is_element && other->value && other->value->kind == GL_VALUE_INT;
        if (!is_element || (is_constant && other_constant))
            state->env.items[kept++] = state->env.items[i];
    }
    state->env.count = kept;
}

static void env_insert(struct gl_state *state, const struct gl_mem *mem, const struct gl_value *value)
{
    size_t at = env_at(state, mem);
    if (at < state->env.count && state->env.items[at].mem == mem) {
        state->env.items[at].value = value;
        return;
    }
    GL_VEC_PUSH(&state->env, (struct gl_binding){mem, value});
    memmove(&state->env.items[at + 1], &state->env.items[at],
            (state->env.count - 1 - at) * sizeof *state->env.items);
    state->env.items[at] = (struct gl_binding){mem, value};
}

void gl_state_store(struct gl_state *state, const struct gl_mem *mem, const struct gl_value *value)
{
    env_weaken_elements(state, mem);
    env_remove_within(state, mem);
    env_insert(state, mem, value);
}

void gl_state_copy_tree(struct gl_state *state, struct gl_values *values, const struct gl_mem *to,
                        const struct gl_state *from_state, const struct gl_mem *from)
{
    const struct gl_value *whole = gl_state_load(from_state, values, from);
    size_t count = from_state->env.count;
    struct gl_binding *bindings = gl_xmalloc(count * sizeof *bindings);
    if (count)
        memcpy(bindings, from_state->env.items, count * sizeof *bindings);
    gl_state_store(state, to, whole);
    for (size_t i = 0; i < count; i++)
        if (bindings[i].mem != from && gl_mem_is_within(bindings[i].mem, from))
            env_insert(state, gl_mem_rebase(values, bindings[i].mem, from, to), bindings[i].value);
    free(bindings);
}

void gl_state_forget_mem(struct gl_state *state, const struct gl_mem *mem)
{
    env_remove_within(state, mem);
}

// ---- guards -----------------------------------------------------------------------------------------------

static size_t resource_at(const struct gl_state *state, const struct gl_value *handle)
{
    size_t at = 0; // few guards live at once
    while (at < state->resources.count && state->resources.items[at].handle->id < handle->id)
        at++;
    return at;
}

struct gl_resource *gl_state_resource(struct gl_state *state, const struct gl_value *handle)
{
    size_t at = resource_at(state, handle);
    if (at < state->resources.count && state->resources.items[at].handle == handle)
        return &state->resources.items[at];
    return NULL;
}

struct gl_resource *gl_state_resource_add(struct gl_state *state, const struct gl_value *handle)
{
    struct gl_resource *known = gl_state_resource(state, handle);
    if (known) {
        *known = (struct gl_resource){.handle = handle};
        return known;
    }
    size_t at = resource_at(state, handle);
    GL_VEC_PUSH(&state->resources, (struct gl_resource){.handle = handle});
    memmove(&state->resources.items[at + 1], &state->resources.items[at],
            (state->resources.count - 1 - at) * sizeof *state->resources.items);
    state->resources.items[at] = (struct gl_resource){.handle = handle};
    return &state->resources.items[at];
}

void gl_state_resource_drop(struct gl_state *state, const struct gl_value *handle)
{
    size_t at = resource_at(state, handle);
    if (at == state->resources.count || state->resources.items[at].handle != handle)
        return;
    memmove(&state->resources.items[at], &state->resources.items[at + 1],
            (state->resources.count - at - 1) * sizeof *state->resources.items);
    state->resources.count--;
}

static bool is_asked_for(const struct gl_state *state, const struct gl_value *handle)
{
    for (size_t i = 0; i < state->env.count; i++)
        if (gl_value_depends_on(state->env.items[i].value, handle) ||
            (state->env.items[i].mem->kind == GL_MEM_DEREF &&
             gl_value_depends_on(state->env.items[i].mem->value, handle)))
            return true;
    return false;
}

// A guard that came and went within the function and whose pointers are all dead cannot matter any more. Guards
// known from outside stay: the summary speaks of them.
void gl_state_collect(struct gl_state *state)
{
    size_t kept = 0;
    for (size_t i = 0; i < state->resources.count; i++) {
        const struct gl_resource *resource = &state->resources.items[i];
        bool is_done = resource->status == GL_STATUS_RELEASED && resource->handle->kind == GL_VALUE_FRESH &&
                       !resource->state && resource->kind != GL_RELEASE_STATE && !is_asked_for(state, resource->handle);
        if (!is_done)
            state->resources.items[kept++] = *resource;
    }
    state->resources.count = kept;
}

// ---- one more round of a loop -----------------------------------------------------------------------------

static const struct gl_value *old_round(struct gl_values *values, const struct gl_value *fresh)
{
    if (fresh->integer & GL_SLOT_OLD_ROUND)
        return fresh;
    return gl_value_fresh(values, fresh->origin, fresh->integer | GL_SLOT_OLD_ROUND, fresh->loc);
}

static void resource_rename(struct gl_state *state, const struct gl_value *from, const struct gl_value *to)
{
    struct gl_resource moved = *gl_state_resource(state, from);
    gl_state_resource_drop(state, from);
    if (moved.is_one_of_many)
        return;
    moved.handle = to;
    struct gl_resource *known = gl_state_resource(state, to);
    if (known && known->status != moved.status)
        moved.status = GL_STATUS_MAYBE; // several rounds' guards under one name
    *gl_state_resource_add(state, to) = moved;
}

void gl_state_refresh(struct gl_state *state, struct gl_values *values, const struct gl_value *fresh)
{
    const struct gl_value *old = old_round(values, fresh);
    gl_state_rename_facts(state, values, fresh, old);
    bool is_renamed = false;
    for (size_t i = 0; i < state->env.count; i++) {
        struct gl_binding *binding = &state->env.items[i];
        const struct gl_value *value = gl_value_replace(values, binding->value, fresh, old);
        is_renamed |= value != binding->value;
        binding->value = value;
    }
    if (is_renamed && !gl_state_resource(state, fresh)) // what was known of older ones is not of this one
        gl_state_resource_drop(state, old);
    for (size_t i = state->resources.count; i-- > 0;) {
        const struct gl_value *handle = state->resources.items[i].handle;
        const struct gl_value *renamed = gl_value_replace(values, handle, fresh, old);
        if (renamed != handle)
            resource_rename(state, handle, renamed);
    }
}

// ---- log --------------------------------------------------------------------------------------------------

static bool log_same(const struct gl_log_entry *a, const struct gl_log_entry *b)
{
    return a->kind == b->kind && a->value == b->value && a->stream == b->stream && a->access == b->access &&
           a->state == b->state && a->release == b->release;
}

// An entry repeats when it happened already and no guard was taken or given back since: once more tells a
// caller nothing new, and loops end.
void gl_state_log(struct gl_state *state, const struct gl_log_entry *entry)
{
    unsigned repeats = 0;
    bool has_order = false; // since: the same work again is not what was ordered then
    for (size_t i = state->log.count; i-- > 0;) {
        const struct gl_log_entry *past = &state->log.items[i];
        if (log_same(past, entry) && ((entry->kind == GL_EFFECT_LAUNCH && !has_order) || ++repeats > 1))
            return;
        has_order |= past->kind == GL_EFFECT_SYNC || past->kind == GL_EFFECT_RECORD || past->kind == GL_EFFECT_WAIT;
        if (entry->kind == GL_EFFECT_LAUNCH && past->kind == GL_EFFECT_RELEASE && past->value == entry->value)
            break;
    }
    if (state->log.count >= GL_LONGEST_LOG) {
        state->is_log_cut = true;
        return;
    }
    GL_VEC_PUSH(&state->log, *entry);
}
