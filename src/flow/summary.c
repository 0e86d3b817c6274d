// SPDX-License-Identifier: Apache-2.0
// From the states in which a function is left to the summary its callers see.
#include "flow/translate.h"

#include <string.h>

const struct gl_summary *gl_summary_of(const struct gl_flow *flow, const struct gl_ir_decl *decl)
{
    return gl_ptrmap_get(&flow->summaries, decl);
}

struct export {
    struct gl_solver *solver;
    struct gl_translation translation;
    struct gl_arena *arena;
    uint64_t hash;
};

static void hash_add(struct export *e, uint64_t part)
{
    e->hash = (e->hash ^ part) * 0x9e3779b97f4a7c15u;
    e->hash ^= e->hash >> 31;
}

static bool is_outside_mem(const struct gl_mem *mem)
{
    const struct gl_mem *root = gl_mem_root(mem);
    return root->kind == GL_MEM_RETURN || root->kind == GL_MEM_DEREF ||
           (root->kind == GL_MEM_VAR && root->var->kind == GL_VAR_GLOBAL);
}

static bool is_known(const struct gl_value *value)
{
    return value->kind != GL_VALUE_UNDEF && value->kind != GL_VALUE_UNINIT;
}

static void export_stores(struct export *e, const struct gl_state *state, struct gl_summary_case *way)
{
    way->stores = GL_ARENA_ARRAY(e->arena, struct gl_summary_store, state->env.count);
    for (size_t i = 0; i < state->env.count; i++) {
        const struct gl_binding *binding = &state->env.items[i];
        bool is_unchanged = binding->value->kind == GL_VALUE_INIT && binding->value->mem == binding->mem;
        if (!is_outside_mem(binding->mem) || is_unchanged)
            continue;
        const struct gl_mem *mem = gl_translate_mem(&e->translation, binding->mem);
        if (!mem)
            continue;
        const struct gl_value *value = gl_translate(&e->translation, binding->value);
        if (mem->kind == GL_MEM_RETURN) {
            if (!is_known(value))
                continue; // the caller makes up its own
            way->is_result_known = true;
        }
        way->stores[way->store_count++] = (struct gl_summary_store){mem, value};
        hash_add(e, mem->id);
        hash_add(e, value->id);
    }
}

// Enclosing memory first, so that a later store to a part is not wiped out by one to the whole.
static unsigned depth_of(const struct gl_mem *mem)
{
    unsigned depth = 0;
    for (; mem->parent; mem = mem->parent)
        depth++;
    return depth;
}

static int by_depth(const void *a, const void *b)
{
    unsigned left = depth_of(((const struct gl_summary_store *)a)->mem);
    unsigned right = depth_of(((const struct gl_summary_store *)b)->mem);
    return left < right ? -1 : left > right;
}

static bool is_about_input(const struct gl_value *value, unsigned depth)
{
    if (depth > 8)
        return false;
    switch (value->kind) {
    case GL_VALUE_INT:
        return true;
    case GL_VALUE_INIT: {
        const struct gl_mem *root = gl_mem_root(value->mem);
        return root->kind != GL_MEM_DEREF || is_about_input(root->value, depth + 1);
    }
    case GL_VALUE_COMPARE:
        return is_about_input(value->args[0], depth + 1) && is_about_input(value->args[1], depth + 1);
    default:
        return false;
    }
}

static void export_facts(struct export *e, const struct gl_state *state, struct gl_summary_case *way)
{
    way->facts = GL_ARENA_ARRAY(e->arena, struct gl_fact, state->facts.count);
    for (size_t i = 0; i < state->facts.count; i++) {
        struct gl_fact fact = state->facts.items[i];
        if (!is_about_input(fact.value, 0))
            continue;
        fact.value = gl_translate(&e->translation, fact.value);
        way->facts[way->fact_count++] = fact;
        hash_add(e, fact.value->id);
        hash_add(e, (uint64_t)fact.constant * 2 + fact.is_equal);
    }
}

// Streams and events that come and go inside carry order from one of the caller's to another.
static bool is_about_order(enum gl_effect_kind kind)
{
    return kind == GL_EFFECT_RECORD || kind == GL_EFFECT_WAIT || kind == GL_EFFECT_SYNC;
}

// What a caller can do something with: anything but values the callee alone knew.
static bool is_told(const struct gl_log_entry *entry, const struct gl_value *value)
{
    if (entry->state || is_about_order(entry->kind) || entry->kind == GL_EFFECT_CAPTURE_BEGIN ||
        entry->kind == GL_EFFECT_CAPTURE_END || entry->kind == GL_EFFECT_SET_STATE)
        return true;
    return value && is_known(value) && value->kind != GL_VALUE_INT && value->kind != GL_VALUE_MOVED;
}

static bool is_fresh_and_gone(const struct gl_state *state, const struct gl_value *value)
{
    if (value->kind != GL_VALUE_FRESH)
        return false;
    for (size_t i = 0; i < state->env.count; i++)
        if (is_outside_mem(state->env.items[i].mem) && gl_value_depends_on(state->env.items[i].value, value))
            return false;
    return true;
}

static void export_log(struct export *e, const struct gl_state *state, struct gl_summary_case *way)
{
    way->log = GL_ARENA_ARRAY(e->arena, struct gl_log_entry, state->log.count);
    for (size_t i = 0; i < state->log.count; i++) {
        struct gl_log_entry entry = state->log.items[i];
        if (entry.value && !entry.state && !is_about_order(entry.kind) && is_fresh_and_gone(state, entry.value))
            continue;
        // One element of many, in a loop: which ones, a caller cannot tell.
        if (entry.kind == GL_EFFECT_RELEASE && entry.value && gl_value_speaks_of_phi(entry.value, NULL))
            entry.is_possible = true;
        entry.value = entry.value ? gl_translate(&e->translation, entry.value) : NULL;
        entry.stream = entry.stream ? gl_translate(&e->translation, entry.stream) : NULL;
        entry.owner = entry.owner ? gl_translate(&e->translation, entry.owner) : NULL;
        entry.result = entry.result ? gl_translate(&e->translation, entry.result) : NULL;
        if (entry.stream && !is_known(entry.stream))
            entry.stream = NULL;
        if (!is_told(&entry, entry.value))
            continue;
        way->log[way->log_count++] = entry;
        hash_add(e, entry.kind);
        hash_add(e, entry.value ? entry.value->id : 0);
        hash_add(e, entry.stream ? entry.stream->id : 0);
    }
}

struct gl_summary *gl_summary_build(struct gl_solver *solver)
{
    struct gl_flow *flow = solver->flow;
    struct gl_summary *summary = GL_ARENA_NEW(&flow->arena, struct gl_summary);
    struct export e = {.solver = solver, .arena = &flow->arena, .hash = 1};
    e.translation = (struct gl_translation){.to = flow->exported, .solver = solver};
    summary->is_opaque = solver->is_over_budget;
    summary->cases = GL_ARENA_ARRAY(&flow->arena, struct gl_summary_case, solver->exits.count);
    for (size_t i = 0; i < solver->exits.count; i++) {
        const struct gl_exit *exit = &solver->exits.items[i];
        struct gl_summary_case *way = &summary->cases[summary->case_count++];
        way->result_class = exit->result_class;
        export_stores(&e, exit->state, way);
        qsort(way->stores, way->store_count, sizeof *way->stores, by_depth);
        export_log(&e, exit->state, way);
        if (solver->exits.count > 1)
            export_facts(&e, exit->state, way);
        hash_add(&e, way->result_class);
    }
    gl_translation_end(&e.translation);
    summary->hash = e.hash;
    return summary;
}
