// SPDX-License-Identifier: Apache-2.0
// Applies a function's summary at a call: its history is replayed on the caller's guards and pointers.
#include "flow/order.h"
#include "flow/translate.h"

#include <string.h>

struct application {
    struct gl_solver *solver;
    struct gl_state *state; // changed
    struct gl_translation translation;
    const struct gl_ir_decl *callee;
};

static const struct gl_site *retell(const struct application *a, const struct gl_log_entry *entry)
{
    const char *name = gl_call_name(a->solver->instr, a->callee);
    const struct gl_ir_decl *through = a->callee;
    const struct gl_site *inner = entry->site;
    switch (entry->kind) {
    case GL_EFFECT_LAUNCH:
        return gl_site_make(a->solver, "used by %s in %s()", entry->subject ? entry->subject : "a launch", name,
                            through, inner);
    case GL_EFFECT_ACQUIRE:
        return gl_site_make(a->solver, "%s in %s()", entry->is_owner ? "allocated" : "acquired", name, through,
                            inner);
    case GL_EFFECT_RELEASE:
        return gl_site_make(a->solver, "%s in %s()", entry->is_owner ? "freed" : "released", name, through, inner);
    default:
        return gl_site_make(a->solver, "in %s()", name, NULL, through, inner);
    }
}

// How the release looks from the caller: as what the call itself is, unless that is just a call.
static enum gl_cause cause_here(const struct application *a, const struct gl_log_entry *entry)
{
    enum gl_cause cause = gl_call_cause(a->solver, a->callee);
    return cause == GL_CAUSE_CALL && entry->cause == GL_CAUSE_OVERWRITE ? GL_CAUSE_OVERWRITE : cause;
}

static void replay(struct application *a, const struct gl_log_entry *entry)
{
    struct gl_translation *t = &a->translation;
    const struct gl_site *site = retell(a, entry);
    const struct gl_value *value = entry->value ? gl_translate(t, entry->value) : NULL;
    const struct gl_value *stream = entry->stream ? gl_translate(t, entry->stream) : NULL;
    switch (entry->kind) {
    case GL_EFFECT_ACQUIRE: {
        struct gl_acquire acquire = {.handle = value,
                                     .stream = stream,
                                     .owner = entry->owner ? gl_translate(t, entry->owner) : NULL,
                                     .kind = entry->release,
                                     .access = entry->access,
                                     .state = entry->state,
                                     .is_owner = entry->is_owner,
                                     .is_shared = entry->is_shared};
        gl_effect_acquire(a->solver, a->state, &acquire, site);
        break;
    }
    case GL_EFFECT_RELEASE: {
        if (entry->state) {
            gl_effect_release_state(a->solver, a->state, entry->state, cause_here(a, entry), site);
            break;
        }
        struct gl_release release = {.handle = value,
                                     .stream = stream,
                                     .kind = entry->release,
                                     .cause = cause_here(a, entry),
                                     .is_shared = entry->is_shared,
                                     .is_owner = entry->is_owner,
                                     .is_deep = entry->is_deep,
                                     .is_by_class = entry->is_by_class,
                                     .is_unknown_end = entry->is_unknown_end,
                                     .is_pageable = entry->is_pageable,
                                     .is_possible = entry->is_possible,
                                     .is_reported = entry->is_reported};
        gl_effect_release(a->solver, a->state, &release, site);
        break;
    }
    case GL_EFFECT_LAUNCH: {
        struct gl_use use = {.value = value,
                             .stream = stream,
                             .access = entry->access,
                             .subject = entry->subject,
                             .result = entry->result ? gl_translate(t, entry->result) : NULL,
                             .kernel = entry->kernel,
                             .scalars = entry->kernel ? gl_order_scalars(a->solver, a->state, 0) : NULL,
                             .touch = entry->touch,
                             .is_told = true,
                             .is_sure = entry->is_sure,
                             .is_staged = entry->is_staged,
                             .is_tracked = entry->is_tracked,
                             .is_kernel = entry->is_kernel,
                             .is_host_function = entry->is_host_function,
                             .is_possible = entry->is_possible,
                             .is_reported = entry->is_reported};
        gl_effect_work(a->solver, a->state, stream, site);
        gl_order_launch(a->solver, a->state, &use, site);
        gl_effect_use(a->solver, a->state, &use, site);
        break;
    }
    default:
        gl_order_replay(a->solver, a->state, entry, value, stream,
                        entry->owner ? gl_translate(t, entry->owner) : NULL, site);
        break;
    }
}

// Does the way fit what the caller knows of its arguments?
static bool is_possible(struct application *a, const struct gl_summary_case *way)
{
    for (size_t i = 0; i < way->fact_count; i++) {
        const struct gl_value *value = gl_translate(&a->translation, way->facts[i].value);
        if (value->kind == GL_VALUE_UNDEF || value->kind == GL_VALUE_UNINIT || value->kind == GL_VALUE_MOVED)
            continue;
        bool fits = value->kind == GL_VALUE_COMPARE && way->facts[i].is_equal
                        ? gl_state_assume(a->state, value, way->facts[i].constant != 0)
                        : gl_state_assume_equal(a->state, value, way->facts[i].constant, way->facts[i].is_equal);
        if (!fits)
            return false;
    }
    return true;
}

struct prepared_store {
    const struct gl_mem *mem;
    const struct gl_value *value;
};

// The values are read before any of the stores: the callee saw the caller's memory as it was at the call.
static struct prepared_store *prepare_stores(struct application *a, const struct gl_summary_case *way)
{
    struct gl_arena *arena = gl_values_arena(a->solver->values);
    struct prepared_store *stores = gl_arena_alloc(arena, (way->store_count + 1) * sizeof *stores);
    for (size_t i = 0; i < way->store_count; i++) {
        stores[i].mem = gl_translate_mem(&a->translation, way->stores[i].mem);
        stores[i].value = gl_translate(&a->translation, way->stores[i].value);
    }
    return stores;
}

static const struct gl_mem *copied_from(struct application *a, const struct gl_value *value)
{
    if (value->kind != GL_VALUE_INIT)
        return NULL;
    const struct gl_mem *root = gl_mem_root(value->mem);
    if (root->kind == GL_MEM_DEREF || (root->kind == GL_MEM_VAR && root->var->kind == GL_VAR_GLOBAL))
        return gl_translate_mem(&a->translation, value->mem);
    return NULL;
}

static void run_stores(struct application *a, const struct gl_summary_case *way,
                       const struct prepared_store *stores)
{
    for (size_t i = 0; i < way->store_count; i++) {
        if (!stores[i].mem)
            continue;
        // A whole aggregate of the caller's that the callee copied keeps its parts.
        const struct gl_mem *from = copied_from(a, way->stores[i].value);
        if (from && from != stores[i].mem)
            gl_solver_copy(a->solver, a->state, stores[i].mem, a->translation.before, from);
        else
            gl_solver_store(a->solver, a->state, stores[i].mem, stores[i].value);
    }
}

static void refresh_made(struct application *a, const struct gl_summary_case *way)
{
    if (!a->solver->may_repeat[a->solver->block->id])
        return;
    for (size_t i = 0; i < way->log_count; i++) {
        const struct gl_log_entry *entry = &way->log[i];
        if (entry->kind == GL_EFFECT_ACQUIRE && entry->value->kind == GL_VALUE_FRESH)
            gl_order_refresh(a->solver, a->state, gl_translate(&a->translation, entry->value));
    }
}

static bool apply_case(struct application *a, const struct gl_summary_case *way)
{
    const struct gl_ir_instr *instr = a->solver->instr;
    a->translation.before = gl_state_clone(a->state);
    a->translation.state = a->state;
    a->translation.result = instr->has_dst ? gl_solver_place(a->solver, a->state, &instr->dst, NULL) : NULL;
    bool fits = is_possible(a, way);
    if (fits) {
        refresh_made(a, way);
        struct prepared_store *stores = prepare_stores(a, way);
        for (size_t i = 0; i < way->log_count; i++)
            replay(a, &way->log[i]);
        if (a->translation.result && !way->is_result_known)
            gl_solver_store(a->solver, a->state, a->translation.result, gl_solver_fresh(a->solver, a->state, 0));
        run_stores(a, way, stores);
        if (a->translation.result && way->result_class != GL_RESULT_ANY)
            fits = gl_state_assume(a->state, gl_state_load(a->state, a->solver->values, a->translation.result),
                                   way->result_class == GL_RESULT_NONZERO);
        gl_object_made(a->solver, a->state, a->callee);
        gl_object_returned(a->solver, a->state, a->callee, true);
    }
    gl_state_destroy(a->translation.before);
    gl_translation_end(&a->translation);
    return fits;
}

bool gl_call_by_summary(struct gl_solver *solver, struct gl_state *state, const struct gl_summary *summary,
                        const struct gl_ir_decl *callee)
{
    bool is_used = false; // has `state` itself become one of the outcomes?
    struct gl_state *entry = gl_state_clone(state);
    for (size_t i = 0; i < summary->case_count; i++) {
        struct gl_state *outcome = is_used ? gl_state_clone(entry) : state;
        struct application a = {.solver = solver, .state = outcome, .callee = callee};
        a.translation = (struct gl_translation){
            .to = solver->values, .solver = solver, .call = solver->instr, .callee = callee->body};
        bool is_possible_way = apply_case(&a, &summary->cases[i]);
        if (is_possible_way && is_used)
            GL_VEC_PUSH(solver->current, outcome);
        else if (is_possible_way)
            is_used = true;
        else if (is_used)
            gl_state_destroy(outcome);
        else { // not this way: start the next one from what the call found
            struct gl_state spoilt = *state;
            *state = *entry;
            *entry = spoilt;
            gl_state_destroy(entry);
            entry = gl_state_clone(state);
        }
    }
    gl_state_destroy(entry);
    return is_used;
}
