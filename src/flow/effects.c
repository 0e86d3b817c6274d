// SPDX-License-Identifier: Apache-2.0
// The effects themselves: acquire, release, use. Rules, summaries and launches all come down to these.
#include "flow/order.h"

#include <string.h>

struct gl_site_note {
    struct gl_site_note *next;
    const char *format, *first, *second;
    const struct gl_site *site;
};

// The end of a temporary is told where it was made: that is what a reader can change.
static struct gl_ir_loc loc_told(const struct gl_ir_instr *instr)
{
    bool is_end = instr->op == GL_IR_CALL && instr->is_implicit && instr->callee &&
                  instr->callee->flags & GL_DECL_DESTRUCTOR && instr->arg_count &&
                  instr->args[0].kind == GL_OPERAND_ADDRESS;
    const struct gl_ir_var *object = is_end ? instr->args[0].place.var : NULL;
    return object && object->kind == GL_VAR_TEMP && object->loc.file ? object->loc : instr->loc;
}

const struct gl_site *gl_site_make(struct gl_solver *solver, const char *format, const char *first,
                                   const char *second, const struct gl_ir_decl *through,
                                   const struct gl_site *inner)
{
    struct gl_site_note *notes = gl_ptrmap_get(&solver->sites, solver->instr);
    for (struct gl_site_note *note = notes; note; note = note->next)
        if (note->format == format && note->first == first && note->second == second &&
            note->site->through == through && note->site->inner == inner)
            return note->site;
    struct gl_site *site = GL_ARENA_NEW(solver->flow->sites, struct gl_site);
    // "%s" texts come from the callers in this stage, all literal.
    const char *what = gl_arena_printf(solver->flow->sites, format, first ? first : "", second ? second : "");
    *site = (struct gl_site){loc_told(solver->instr), what, through, inner};
    struct gl_site_note *note = GL_ARENA_NEW(gl_values_arena(solver->values), struct gl_site_note);
    *note = (struct gl_site_note){notes, format, first, second, site};
    gl_ptrmap_set(&solver->sites, solver->instr, note);
    return site;
}

bool gl_solver_observe(struct gl_solver *solver, const struct gl_flow_event *event)
{
    if (!solver->is_final)
        return false;
    struct gl_flow_event full = *event;
    full.func = solver->func;
    return solver->flow->observer.on_event(solver->flow->observer.data, &full);
}

void gl_effect_note(struct gl_solver *solver, struct gl_state *state, enum gl_effect_kind kind,
                    const struct gl_value *value, const struct gl_value *stream, const char *state_name,
                    const struct gl_site *site)
{
    (void)solver;
    gl_state_log(state, &(struct gl_log_entry){
                            .kind = kind, .value = value, .stream = stream, .state = state_name, .site = site});
}

// ---- acquire ----------------------------------------------------------------------------------------------

static unsigned state_depth(const struct gl_state *state, const char *name)
{
    unsigned depth = 0;
    for (size_t i = 0; i < state->resources.count; i++) {
        const struct gl_resource *resource = &state->resources.items[i];
        if (resource->state == name && resource->status == GL_STATUS_HELD && resource->order >= depth)
            depth = resource->order + 1;
    }
    return depth;
}

void gl_effect_acquire(struct gl_solver *solver, struct gl_state *state, const struct gl_acquire *acquire,
                       const struct gl_site *site)
{
    unsigned order = acquire->state ? state_depth(state, acquire->state) : 0;
    struct gl_resource *resource = gl_state_resource_add(state, acquire->handle);
    resource->status = GL_STATUS_HELD;
    resource->kind = acquire->kind;
    resource->access = acquire->access;
    resource->is_acquired = true;
    resource->is_owner = acquire->is_owner;
    resource->is_shared = acquire->is_shared;
    resource->state = acquire->state;
    resource->order = order;
    resource->stream = acquire->stream;
    resource->owner = acquire->owner;
    resource->acquired = site;
    resource->is_handed_on = acquire->is_object;
    solver->flow->stats.guards += solver->is_final;
    gl_order_acquire(solver, state, acquire, site);
    gl_state_log(state, &(struct gl_log_entry){.kind = GL_EFFECT_ACQUIRE,
                                               .value = acquire->handle,
                                               .stream = acquire->stream,
                                               .owner = acquire->owner,
                                               .release = acquire->kind,
                                               .access = acquire->access,
                                               .is_owner = acquire->is_owner,
                                               .is_shared = acquire->is_shared,
                                               .state = acquire->state,
                                               .site = site});
}

// ---- release ----------------------------------------------------------------------------------------------

static bool is_no_handle(const struct gl_value *handle)
{
    return handle->kind == GL_VALUE_INT || handle->kind == GL_VALUE_UNDEF || handle->kind == GL_VALUE_UNINIT ||
           handle->kind == GL_VALUE_MOVED || handle->kind == GL_VALUE_STRING;
}

// A copy of a shared owner ends; what it shares with is still there.
static bool is_kept_by_another(struct gl_state *state, const struct gl_release *release)
{
    if (!release->is_shared)
        return false;
    for (size_t i = 0; i < state->env.count; i++)
        if (state->env.items[i].value == release->handle)
            return true;
    const struct gl_value *other = gl_value_shared_with(release->handle);
    const struct gl_resource *base = other ? gl_state_resource(state, other) : NULL;
    return other && (!base || base->status != GL_STATUS_RELEASED);
}

// What a shared owner from outside holds, others may hold, too: only a caller can tell.
static bool is_shared_outside(const struct gl_release *release)
{
    const struct gl_value *handle = release->handle;
    while (handle->kind == GL_VALUE_FIELD)
        handle = handle->args[0];
    return release->is_shared && handle->kind == GL_VALUE_INIT;
}

static void log_release(struct gl_state *state, const struct gl_release *release, bool is_reported,
                        const struct gl_site *site)
{
    gl_state_log(state, &(struct gl_log_entry){.kind = GL_EFFECT_RELEASE,
                                               .value = release->handle,
                                               .stream = release->stream,
                                               .release = release->kind,
                                               .cause = release->cause,
                                               .is_owner = release->is_owner,
                                               .is_shared = release->is_shared,
                                               .is_deep = release->is_deep,
                                               .is_possible = release->is_possible,
                                               .is_by_class = release->is_by_class,
                                               .is_unknown_end = release->is_unknown_end,
                                               .is_pageable = release->is_pageable,
                                               .is_reported = is_reported,
                                               .site = site});
}

// One of several guards is released, and which one is not known.
static void release_one_of(struct gl_state *state, const struct gl_value *phi)
{
    for (unsigned i = 0; i < phi->arg_count; i++) {
        struct gl_resource *resource = gl_state_resource(state, phi->args[i]);
        if (resource && resource->status == GL_STATUS_HELD)
            resource->status = GL_STATUS_MAYBE;
    }
}

void gl_effect_release(struct gl_solver *solver, struct gl_state *state, const struct gl_release *release,
                       const struct gl_site *site)
{
    const struct gl_value *handle = release->handle;
    if (is_no_handle(handle) || gl_state_truth(state, handle) == 0 || is_kept_by_another(state, release))
        return;
    if (is_shared_outside(release)) {
        log_release(state, release, release->is_reported, site);
        return;
    }
    if (handle->kind == GL_VALUE_PHI)
        release_one_of(state, handle);
    bool is_reported = release->is_reported | gl_order_release(solver, state, release, site);
    struct gl_resource *resource = gl_state_resource(state, handle);
    if (resource && !release->is_possible)
        is_reported |= gl_solver_observe(solver, &(struct gl_flow_event){.kind = GL_FLOW_RELEASE,
                                                                         .state = state,
                                                                         .resource = resource,
                                                                         .stream = release->stream,
                                                                         .cause = release->cause,
                                                                         .site = site});
    bool was_released = resource && resource->status == GL_STATUS_RELEASED;
    if (!resource) {
        resource = gl_state_resource_add(state, handle);
        resource->kind = release->kind;
        resource->is_owner = release->is_owner;
        resource->is_shared = release->is_shared;
        resource->status = GL_STATUS_HELD;
    }
    if (!was_released) {
        resource->status = release->is_possible ? GL_STATUS_MAYBE : GL_STATUS_RELEASED;
        resource->cause = release->cause;
        resource->released = site;
        resource->is_deep |= release->is_deep;
    }
    log_release(state, release, is_reported, site);
}

// The innermost held guard of a thread state; with none held here, the caller's.
void gl_effect_release_state(struct gl_solver *solver, struct gl_state *state, const char *name,
                             enum gl_cause cause, const struct gl_site *site)
{
    struct gl_resource *innermost = NULL, *ended = NULL;
    for (size_t i = 0; i < state->resources.count; i++) {
        struct gl_resource *resource = &state->resources.items[i];
        if (resource->state != name)
            continue;
        if (resource->status == GL_STATUS_MAYBE)
            return; // not known which one this ends
        if (resource->status == GL_STATUS_HELD && (!innermost || resource->order > innermost->order))
            innermost = resource;
        if (resource->status == GL_STATUS_RELEASED)
            ended = resource;
    }
    struct gl_resource *resource = innermost ? innermost : ended;
    if (resource)
        gl_solver_observe(solver, &(struct gl_flow_event){.kind = GL_FLOW_RELEASE,
                                                          .state = state,
                                                          .resource = resource,
                                                          .cause = cause,
                                                          .site = site});
    if (innermost) {
        innermost->status = GL_STATUS_RELEASED;
        innermost->cause = cause;
        innermost->released = site;
    }
    gl_effect_note(solver, state, GL_EFFECT_RELEASE, gl_value_undef(solver->values), NULL, name, site);
}

// ---- use --------------------------------------------------------------------------------------------------

void gl_effect_use(struct gl_solver *solver, struct gl_state *state, const struct gl_use *use,
                   const struct gl_site *site)
{
    struct gl_value_set handles;
    gl_value_handles(use->value, &handles);
    struct gl_use seen = *use;
    gl_order_seen(solver, &seen);
    bool is_reported = use->is_reported | gl_order_use(solver, state, &seen, site);
    for (unsigned i = 0; i < handles.count; i++) {
        struct gl_resource *resource = gl_state_resource(state, handles.items[i]);
        if (!resource || (handles.loaded[i] && !resource->is_deep && resource->kind != GL_RELEASE_EVENT))
            continue;
        if (!use->is_reported)
            is_reported |= gl_solver_observe(solver, &(struct gl_flow_event){.kind = GL_FLOW_USE,
                                                                             .state = state,
                                                                             .resource = resource,
                                                                             .value = use->value,
                                                                             .stream = use->stream,
                                                                             .access = use->access,
                                                                             .subject = use->subject,
                                                                             .site = site});
        resource->last_use = site;
        resource->tarried = NULL;
    }
    if (!handles.count)
        return;
    gl_state_log(state, &(struct gl_log_entry){.kind = GL_EFFECT_LAUNCH,
                                               .value = use->value,
                                               .stream = use->stream,
                                               .access = use->access,
                                               .subject = use->subject,
                                               .result = use->result,
                                               .touch = seen.touch,
                                               .is_sure = seen.is_sure,
                                               .is_staged = use->is_staged,
                                               .is_tracked = use->is_tracked,
                                               .is_kernel = use->is_kernel,
                                               .is_host_function = use->is_host_function,
                                               .kernel = use->kernel,
                                               .is_possible = use->is_possible,
                                               .is_reported = is_reported,
                                               .site = site});
}

// Is the handle a part of the aggregate `value` (a member of a struct that is passed whole)?
static bool is_part_of(const struct gl_value *handle, const struct gl_value *value)
{
    if (value->kind == GL_VALUE_INIT && handle->kind == GL_VALUE_INIT)
        return handle->mem != value->mem && gl_mem_is_within(handle->mem, value->mem);
    for (; handle->kind == GL_VALUE_FIELD; handle = handle->args[0])
        if (handle->args[0] == value)
            return true;
    return false;
}

void gl_effect_use_tree(struct gl_solver *solver, struct gl_state *state, const struct gl_mem *mem,
                        const struct gl_use *use, const struct gl_site *site)
{
    struct gl_use part = *use;
    part.value = gl_state_load(state, solver->values, mem);
    gl_effect_use(solver, state, &part, site);
    for (size_t i = 0; i < state->resources.count; i++) {
        struct gl_use inner = *use;
        inner.value = state->resources.items[i].handle;
        if (is_part_of(inner.value, part.value))
            gl_effect_use(solver, state, &inner, site);
    }
    for (size_t i = 0; i < state->env.count; i++) {
        if (state->env.items[i].mem == mem || !gl_mem_is_within(state->env.items[i].mem, mem))
            continue;
        part.value = state->env.items[i].value;
        part.part = gl_member_of(state->env.items[i].mem, mem);
        gl_effect_use(solver, state, &part, site);
    }
}

void gl_effect_work(struct gl_solver *solver, struct gl_state *state, const struct gl_value *stream,
                    const struct gl_site *site)
{
    (void)solver;
    for (size_t i = 0; i < state->resources.count; i++) {
        struct gl_resource *resource = &state->resources.items[i];
        if (resource->status != GL_STATUS_HELD || !resource->last_use || resource->tarried ||
            resource->kind != GL_RELEASE_EVENT)
            continue;
        bool is_same_place = resource->last_use->loc.line == site->loc.line &&
                             resource->last_use->loc.column == site->loc.column;
        bool is_other = !stream || (resource->stream && gl_streams_distinct(stream, resource->stream));
        if (is_other && !is_same_place)
            resource->tarried = site;
    }
}

// ---- streams ----------------------------------------------------------------------------------------------

// Where a stream comes from, as far as telling two apart goes.
static bool is_from_outside(const struct gl_value *stream)
{
    return stream->kind == GL_VALUE_INIT || stream->kind == GL_VALUE_INT;
}

static bool is_created_here(const struct gl_value *stream)
{
    return stream->kind == GL_VALUE_FRESH && (stream->integer & GL_SLOT_CREATED) &&
           !(stream->integer & GL_SLOT_OLD_ROUND);
}

static bool has_unknown_index(const struct gl_value *stream)
{
    if (!stream->mem)
        return false;
    for (const struct gl_mem *mem = stream->mem; mem; mem = mem->parent)
        if (mem->kind == GL_MEM_INDEX && (!mem->value || mem->value->kind != GL_VALUE_INT))
            return true;
    return false;
}

// Two parameters or globals, or two members of one object: whoever wrote two names will have meant two streams.
static bool are_named_apart(const struct gl_value *a, const struct gl_value *b)
{
    if (a->kind == GL_VALUE_INT || b->kind == GL_VALUE_INT)
        return true;
    if (a->mem->kind == GL_MEM_VAR && b->mem->kind == GL_MEM_VAR)
        return true;
    bool are_members = a->mem->kind == GL_MEM_FIELD || b->mem->kind == GL_MEM_FIELD;
    return are_members && gl_mem_root(a->mem) == gl_mem_root(b->mem);
}

enum gl_distinct gl_streams_distinct(const struct gl_value *a, const struct gl_value *b)
{
    if (!a || !b || a == b || has_unknown_index(a) || has_unknown_index(b))
        return GL_SAME_OR_UNKNOWN;
    if (is_created_here(a) && (is_created_here(b) || is_from_outside(b)))
        return GL_DISTINCT;
    if (is_created_here(b) && is_from_outside(a))
        return GL_DISTINCT;
    if (is_from_outside(a) && is_from_outside(b) && are_named_apart(a, b)) // … and may mean the same
        return GL_DISTINCT_IF_PARAMS_DIFFER;
    return GL_SAME_OR_UNKNOWN;
}
