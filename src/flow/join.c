// SPDX-License-Identifier: Apache-2.0
// Joins of states: which are kept apart, and what is left of two that are not.
#include "base/ptrmap.h"
#include "flow/state.h"

#include <string.h>

static uint64_t mix(uint64_t hash, uint64_t part)
{
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

bool gl_mem_may_hold_pointer(const struct gl_mem *mem)
{
    if (mem->kind != GL_MEM_VAR || !mem->var->type)
        return true;
    const struct gl_ir_type *type = gl_ir_type_strip(mem->var->type);
    return type->kind != GL_TYPE_BOOL && type->kind != GL_TYPE_FLOAT &&
           (type->kind != GL_TYPE_INT || type->bits >= 64 || !type->bits);
}

static uint64_t mix_pointers(const struct gl_state *state, const struct gl_resource *resource, uint64_t key)
{
    for (size_t i = 0; i < state->env.count; i++) {
        struct gl_value_set handles;
        if (!gl_mem_may_hold_pointer(state->env.items[i].mem))
            continue;
        gl_value_handles(state->env.items[i].value, &handles);
        if (gl_value_set_has(&handles, resource->handle))
            key = mix(mix(key, state->env.items[i].mem->id), resource->handle->id);
    }
    return key;
}

uint64_t gl_state_key(const struct gl_state *state)
{
    uint64_t key = 0;
    for (size_t i = 0; i < state->resources.count; i++) {
        const struct gl_resource *resource = &state->resources.items[i];
        key = mix(key, resource->handle->id);
        key = mix(key, resource->status);
        if (resource->status == GL_STATUS_RELEASED)
            key = mix_pointers(state, resource, key);
    }
    return key;
}

uint64_t gl_state_fine_key(const struct gl_state *state, const struct gl_ptrmap *asked)
{
    uint64_t key = 1 + gl_inflight_key(state);
    for (size_t i = 0; i < state->resources.count; i++)
        if (state->resources.items[i].status == GL_STATUS_HELD)
            key = mix_pointers(state, &state->resources.items[i], key);
    for (size_t i = 0; asked && asked->count && i < state->facts.count; i++) {
        const struct gl_fact *fact = &state->facts.items[i];
        if (gl_ptrmap_get(asked, fact->value))
            key = mix(mix(key, fact->value->id), (uint64_t)fact->constant * 2 + fact->is_equal);
    }
    return key;
}

// ---- bindings ---------------------------------------------------------------------------------------------

static const struct gl_value *value_join(struct gl_values *values, const struct gl_value *a,
                                         const struct gl_value *b, const struct gl_mem *mem, const void *origin,
                                         uint64_t key, bool *out_changed)
{
    if (a == b || b->kind == GL_VALUE_UNINIT)
        return a;
    if (a->kind == GL_VALUE_UNINIT || b->kind == GL_VALUE_UNDEF) {
        *out_changed = *out_changed || a != b;
        return b;
    }
    if (a->kind == GL_VALUE_UNDEF)
        return a;
    const struct gl_value *phi = gl_value_phi(values, origin, mem, key);
    bool changed = a != phi;
    changed |= gl_value_phi_add(values, phi, a);
    changed |= gl_value_phi_add(values, phi, b);
    *out_changed = *out_changed || changed;
    return phi;
}

// An element of an array that a loop fills: a name by its index says more than "this or that".
static bool is_array_content(const struct gl_mem *mem, const struct gl_value *value)
{
    return mem->kind == GL_MEM_INDEX && value->kind == GL_VALUE_COMPUTE && strcmp(value->name, "[]") == 0;
}

static bool env_join(struct gl_state *into, const struct gl_state *from, struct gl_values *values,
                     const void *origin, uint64_t key)
{
    bool changed = false;
    GL_VEC(struct gl_binding) joined = {0};
    size_t i = 0, j = 0;
    while (i < into->env.count || j < from->env.count) {
        const struct gl_binding *a = i < into->env.count ? &into->env.items[i] : NULL;
        const struct gl_binding *b = j < from->env.count ? &from->env.items[j] : NULL;
        const struct gl_mem *mem = !b || (a && a->mem->id <= b->mem->id) ? a->mem : b->mem;
        bool in_a = a && a->mem == mem, in_b = b && b->mem == mem;
        const struct gl_value *left = in_a ? a->value : gl_state_load(into, values, mem);
        const struct gl_value *right = in_b ? b->value : gl_state_load(from, values, mem);
        if (is_array_content(mem, left)) {
            right = left;
        } else if (is_array_content(mem, right)) {
            left = right;
            changed = true;
        }
        const struct gl_value *value = value_join(values, left, right, mem, origin, key, &changed);
        changed = changed || (!in_a && value != left);
        GL_VEC_PUSH(&joined, (struct gl_binding){mem, value});
        i += in_a;
        j += in_b;
    }
    GL_VEC_FREE(&into->env);
    into->env.items = joined.items;
    into->env.count = joined.count;
    into->env.capacity = joined.capacity;
    return changed;
}

// ---- facts ------------------------------------------------------------------------------------------------

static bool facts_join(struct gl_state *into, const struct gl_state *from)
{
    size_t kept = 0, j = 0;
    for (size_t i = 0; i < into->facts.count; i++) {
        const struct gl_fact *fact = &into->facts.items[i];
        while (j < from->facts.count && from->facts.items[j].value->id < fact->value->id)
            j++;
        if (j == from->facts.count || from->facts.items[j].value != fact->value)
            continue;
        struct gl_fact other = from->facts.items[j];
        struct gl_fact common = *fact;
        if (fact->is_equal != other.is_equal || fact->constant != other.constant) {
            // "is 3" and "is 5" leave "is not 0".
            bool both_not_null = (fact->is_equal ? fact->constant != 0 : fact->constant == 0) &&
                                 (other.is_equal ? other.constant != 0 : other.constant == 0);
            if (!both_not_null)
                continue;
            common = (struct gl_fact){fact->value, false, 0};
        }
        into->facts.items[kept++] = common;
    }
    bool changed = kept != into->facts.count;
    into->facts.count = kept;
    return changed;
}

// ---- guards -----------------------------------------------------------------------------------------------

static bool resource_join(struct gl_resource *into, const struct gl_resource *from)
{
    bool changed = false;
    if (into->status != from->status && into->status != GL_STATUS_MAYBE) {
        into->status = GL_STATUS_MAYBE;
        changed = true;
    }
    if (from->is_handed_on && !into->is_handed_on)
        into->is_handed_on = changed = true;
    if (from->is_one_of_many && !into->is_one_of_many)
        into->is_one_of_many = changed = true;
    if (into->stream != from->stream && into->stream) {
        into->stream = NULL;
        changed = true;
    }
    if (into->access != from->access && into->access != GL_ACCESS_UNKNOWN) {
        into->access = GL_ACCESS_UNKNOWN;
        changed = true;
    }
    if (!from->tarried && into->tarried) { // a hint must hold on every way
        into->tarried = NULL;
        changed = true;
    }
    return changed;
}

static bool resources_join(struct gl_state *into, const struct gl_state *from)
{
    bool changed = false;
    for (size_t i = 0; i < from->resources.count; i++) {
        const struct gl_resource *other = &from->resources.items[i];
        struct gl_resource *mine = gl_state_resource(into, other->handle);
        if (mine) {
            changed |= resource_join(mine, other);
            continue;
        }
        struct gl_resource *added = gl_state_resource_add(into, other->handle);
        *added = *other;
        added->status = GL_STATUS_MAYBE;
        changed = true;
    }
    for (size_t i = 0; i < into->resources.count; i++) {
        struct gl_resource *mine = &into->resources.items[i];
        if (mine->status == GL_STATUS_MAYBE ||
            gl_state_resource((struct gl_state *)from, mine->handle)) // only looked at
            continue;
        mine->status = GL_STATUS_MAYBE;
        changed = true;
    }
    return changed;
}

// ---- log --------------------------------------------------------------------------------------------------

static bool entry_same(const struct gl_log_entry *a, const struct gl_log_entry *b)
{
    return a->kind == b->kind && a->value == b->value && a->stream == b->stream && a->access == b->access &&
           a->release == b->release && a->state == b->state;
}

// The entry like `entry` in `log`, counting those before it: the n-th of its kind matches the n-th.
static size_t find_like(const struct gl_log_entry *entries, size_t count, const struct gl_log_entry *entry,
                        unsigned nth)
{
    for (size_t i = 0; i < count; i++)
        if (entry_same(&entries[i], entry) && nth-- == 0)
            return i;
    return count;
}

static unsigned nth_of_its_kind(const struct gl_log_entry *entries, size_t index)
{
    unsigned nth = 0;
    for (size_t i = 0; i < index; i++)
        nth += entry_same(&entries[i], &entries[index]);
    return nth;
}

static bool log_insert(struct gl_state *into, size_t at, struct gl_log_entry entry)
{
    if (into->log.count >= GL_LONGEST_LOG) {
        bool changed = !into->is_log_cut;
        into->is_log_cut = true;
        return changed;
    }
    entry.is_possible = true;
    GL_VEC_PUSH(&into->log, entry);
    memmove(&into->log.items[at + 1], &into->log.items[at],
            (into->log.count - 1 - at) * sizeof *into->log.items);
    into->log.items[at] = entry;
    return true;
}

// What only one of the two has is marked as possible; what only `from` has comes behind what it followed there.
// The result only ever grows, so joins end.
static bool log_join(struct gl_state *into, const struct gl_state *from)
{
    bool changed = false;
    for (size_t i = 0; i < into->log.count; i++) {
        struct gl_log_entry *entry = &into->log.items[i];
        unsigned nth = nth_of_its_kind(into->log.items, i);
        size_t at = find_like(from->log.items, from->log.count, entry, nth);
        bool is_possible = entry->is_possible || at == from->log.count || from->log.items[at].is_possible;
        changed |= is_possible != entry->is_possible;
        entry->is_possible = is_possible;
        entry->is_reported |= at < from->log.count && from->log.items[at].is_reported;
    }
    size_t behind = 0;
    for (size_t i = 0; i < from->log.count; i++) {
        const struct gl_log_entry *entry = &from->log.items[i];
        size_t at = find_like(into->log.items, into->log.count, entry, nth_of_its_kind(from->log.items, i));
        if (at == into->log.count) {
            at = behind;
            changed |= log_insert(into, at, *entry);
        }
        if (at + 1 > behind)
            behind = at + 1 > into->log.count ? into->log.count : at + 1;
    }
    return changed;
}

bool gl_state_join(struct gl_state *into, const struct gl_state *from, struct gl_values *values,
                   const void *origin)
{
    uint64_t key = gl_state_key(into);
    bool changed = false;
    changed |= resources_join(into, from);
    changed |= env_join(into, from, values, origin, key);
    changed |= facts_join(into, from);
    changed |= gl_inflight_join(into, from);
    changed |= log_join(into, from);
    if (from->is_log_cut && !into->is_log_cut)
        into->is_log_cut = changed = true;
    return changed;
}
