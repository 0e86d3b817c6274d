// SPDX-License-Identifier: Apache-2.0
// Work that relies on a thread state (the current device, context or stream) which is not set any more, or
// was set only after what the work uses was asked for.
#include "flow/order.h"

#include <string.h>

static bool is_state_guard(const struct gl_resource *resource)
{
    return resource->state || resource->kind == GL_RELEASE_STATE;
}

static bool same_state(const struct gl_resource *a, const struct gl_resource *b)
{
    return a->state == b->state || (a->state && b->state && strcmp(a->state, b->state) == 0);
}

static bool is_covered(const struct gl_state *state, const struct gl_resource *ended)
{
    for (size_t i = 0; i < state->resources.count; i++) {
        const struct gl_resource *other = &state->resources.items[i];
        if (other != ended && is_state_guard(other) && other->status != GL_STATUS_RELEASED &&
            same_state(other, ended))
            return true;
    }
    return false;
}

// Does the work rely on what the guard had set? The default stream is that of the current device: sure if
// nothing else was done under the guard, or if the memory comes from there.
static bool relies_on(const struct gl_state *state, const struct gl_use *use, const struct gl_value *stream,
                      const struct gl_value *guard)
{
    if (gl_inflight_find(state, GL_NOTE_UNDER, stream, guard))
        return true;
    if (!gl_value_is_int(stream, 0))
        return false;
    return !gl_inflight_find(state, GL_NOTE_BUSY, guard, NULL) ||
           gl_inflight_find(state, GL_NOTE_UNDER, gl_memory_base(use->value), guard);
}

static bool report_ended(struct gl_solver *solver, struct gl_state *state, const struct gl_use *use,
                         const struct gl_value *stream, const struct gl_site *site)
{
    for (size_t i = 0; i < state->resources.count; i++) {
        const struct gl_resource *guard = &state->resources.items[i];
        bool has_ended = is_state_guard(guard) && guard->is_acquired && guard->status == GL_STATUS_RELEASED &&
                         guard->cause != GL_CAUSE_TEMPORARY;
        if (!has_ended || is_covered(state, guard) || !relies_on(state, use, stream, guard->handle))
            continue;
        struct gl_clash clash = {.kind = GL_CLASH_STATE_ENDED,
                                 .other = use->subject,
                                 .object = guard->state,
                                 .value = use->value,
                                 .stream = stream,
                                 .steps = {guard->acquired, guard->released, site}};
        return gl_order_clash(solver, state, &clash, site, site);
    }
    return false;
}

static bool report_stale(struct gl_solver *solver, struct gl_state *state, const struct gl_use *use,
                         const struct gl_value *stream, const struct gl_site *site)
{
    const struct gl_note *read = gl_inflight_find(state, GL_NOTE_READ, stream, NULL);
    for (size_t i = 0; read && i < state->resources.count; i++) {
        const struct gl_resource *guard = &state->resources.items[i];
        if (!is_state_guard(guard) || guard->status != GL_STATUS_HELD)
            continue;
        const struct gl_note *began = gl_inflight_find(state, GL_NOTE_GUARD, guard->handle, NULL);
        if (!began || began->order < read->order)
            continue;
        struct gl_clash clash = {.kind = GL_CLASH_STREAM_STALE,
                                 .other = use->subject,
                                 .object = guard->state,
                                 .value = use->value,
                                 .stream = stream,
                                 .steps = {read->site, began->site, site}};
        return gl_order_clash(solver, state, &clash, read->site, site);
    }
    return false;
}

// What is read, created, allocated or launched on while a state guard is held belongs to that state. `name`:
// of guards of this state only, or NULL.
static void obtained(struct gl_state *state, const struct gl_value *value, const struct gl_site *site,
                     const char *name)
{
    if (!value || value->kind == GL_VALUE_INT)
        return;
    for (size_t i = 0; i < state->resources.count; i++) {
        const struct gl_resource *guard = &state->resources.items[i];
        bool is_meant = !name || (guard->state && strcmp(guard->state, name) == 0);
        if (is_meant && is_state_guard(guard) && guard->status == GL_STATUS_HELD && guard->handle != value)
            gl_inflight_note(
                state, &(struct gl_note){
                           .kind = GL_NOTE_UNDER, .value = value, .other = guard->handle, .site = site});
    }
}

void gl_order_obtained(struct gl_state *state, const struct gl_value *value, const struct gl_site *site)
{
    obtained(state, value, site, NULL);
}

bool gl_order_relies(struct gl_solver *solver, struct gl_state *state, const struct gl_use *use,
                     const struct gl_site *site)
{
    const struct gl_value *stream = use->stream;
    if (use->is_possible || !gl_is_known_stream(stream))
        return false;
    bool is_reported = !use->is_reported && report_stale(solver, state, use, stream, site);
    if (!use->is_kernel) { // copies run on streams of any device, but in one context
        obtained(state, stream, site, "context");
        return is_reported;
    }
    is_reported |= !use->is_reported && !is_reported && report_ended(solver, state, use, stream, site);
    gl_order_obtained(state, stream, site);
    return is_reported;
}

void gl_order_busy(struct gl_solver *solver, struct gl_state *state)
{
    const struct gl_ir_instr *instr = solver->instr;
    bool is_end = instr->is_implicit && instr->callee && instr->callee->flags & GL_DECL_DESTRUCTOR;
    if ((instr->op != GL_IR_CALL && instr->op != GL_IR_LAUNCH) || is_end)
        return;
    for (size_t i = 0; i < state->resources.count; i++) {
        const struct gl_resource *guard = &state->resources.items[i];
        if (is_state_guard(guard) && guard->status == GL_STATUS_HELD)
            gl_inflight_note(state, &(struct gl_note){.kind = GL_NOTE_BUSY, .value = guard->handle});
    }
}
