// SPDX-License-Identifier: Apache-2.0
// What ends or is touched by the host while operations in flight still use it: memory, objects, variables.
#include "flow/order.h"

#include <string.h>

// An end that the source shows is told where it stands; one that the language makes, at the work it hurts.
static bool is_implicit_end(enum gl_cause cause)
{
    return cause == GL_CAUSE_SCOPE || cause == GL_CAUSE_TEMPORARY || cause == GL_CAUSE_CLEANUP;
}

static const struct gl_touch *touch_of(const struct gl_op *op, const struct gl_value *owner)
{
    for (const struct gl_touch *touch = op->work->touches; touch; touch = touch->next)
        if (gl_memory_belongs(touch->value, owner))
            return touch;
    return NULL;
}

static bool is_safely_staged(const struct gl_op *op, const struct gl_touch *touch, bool is_pageable)
{
    return touch->is_staged && !op->is_captured && (is_pageable || gl_is_pageable(touch->value));
}

// ---- memory
// -------------------------------------------------------------------------------------------------

static bool free_at_once(struct gl_solver *solver, struct gl_state *state, const struct gl_release *release,
                         const struct gl_site *site)
{
    bool is_reported = false;
    for (size_t i = state->inflight.ops.count; i-- > 0;) {
        const struct gl_op op = state->inflight.ops.items[i];
        const struct gl_touch *touch = touch_of(&op, release->handle);
        if (op.is_maybe || op.is_captured || op.work->is_alloc || !touch ||
            is_safely_staged(&op, touch, release->is_pageable))
            continue;
        bool is_host = op.work->is_host_function || release->is_pageable || gl_is_pageable(touch->value);
        struct gl_clash clash = {.kind = is_host ? GL_CLASH_HOST_ENDS : GL_CLASH_FREED,
                                 .work = op.work->subject,
                                 .value = touch->value,
                                 .stream = op.work->stream,
                                 .is_host_function = op.work->is_host_function,
                                 .steps = {op.work->site, site}};
        const struct gl_site *primary = is_implicit_end(release->cause) ? op.work->site : site;
        is_reported |= gl_order_clash(solver, state, &clash, primary, site);
        gl_inflight_op_drop(&state->inflight, i);
    }
    return is_reported;
}

// The block may be handed out again at once: from now on what used it used the pool's memory.
static void return_to_pool(struct gl_solver *solver, struct gl_state *state, const struct gl_value *handle,
                           const struct gl_value *pool)
{
    struct gl_arena *arena = gl_values_arena(solver->values);
    const struct gl_value *block = gl_memory_of_pool(solver->values, pool);
    for (size_t i = 0; i < state->inflight.ops.count; i++) {
        struct gl_op *op = &state->inflight.ops.items[i];
        if (!touch_of(op, handle))
            continue;
        struct gl_touch *touch = GL_ARENA_NEW(arena, struct gl_touch);
        *touch = (struct gl_touch){.next = op->work->touches, .value = block};
        struct gl_work *work = gl_arena_copy(arena, op->work, sizeof *work);
        work->touches = touch;
        work->touch_count++;
        work->hash = work->hash * 31 + block->id;
        op->work = work;
    }
}

static bool is_excused(struct gl_solver *solver, struct gl_state *state, const struct gl_op *op,
                       const struct gl_value *handle)
{
    for (size_t i = 0; i < state->inflight.notes.count; i++) {
        const struct gl_note *note = &state->inflight.notes.items[i];
        if (note->kind == GL_NOTE_USED_ON && gl_memory_belongs(note->value, handle) &&
            gl_is_ordered(solver, op, note->other))
            return true;
    }
    return false;
}

static bool free_in_order(struct gl_solver *solver, struct gl_state *state, const struct gl_release *release,
                          const struct gl_value *stream, const struct gl_site *site)
{
    bool is_reported = false;
    for (size_t i = state->inflight.ops.count; i-- > 0;) {
        const struct gl_op op = state->inflight.ops.items[i];
        if (op.is_maybe || op.is_captured || op.work->is_alloc || !touch_of(&op, release->handle) ||
            gl_is_ordered(solver, &op, stream) || is_excused(solver, state, &op, release->handle))
            continue;
        bool is_dropped = release->is_by_class && is_implicit_end(release->cause);
        struct gl_clash clash = {.kind = is_dropped ? GL_CLASH_DROPPED : GL_CLASH_FREED_ELSEWHERE,
                                 .work = op.work->subject,
                                 .value = touch_of(&op, release->handle)->value,
                                 .stream = op.work->stream,
                                 .other_stream = stream,
                                 .steps = {op.work->site, site}};
        clash.is_if = gl_relate_streams(op.work->stream, stream) == GL_REL_APART_IF;
        const struct gl_site *primary = is_implicit_end(release->cause) ? op.work->site : site;
        is_reported |= gl_order_clash(solver, state, &clash, primary, site);
        gl_inflight_op_drop(&state->inflight, i);
    }
    return is_reported;
}

static bool free_on_gone_stream(struct gl_solver *solver, struct gl_state *state,
                                const struct gl_value *stream, const struct gl_site *site)
{
    const struct gl_note *gone = gl_inflight_find(state, GL_NOTE_GONE, stream, NULL);
    if (!gone)
        return false;
    struct gl_clash clash = {.kind = GL_CLASH_STREAM_GONE,
                             .other = "the free",
                             .object = gone->text,
                             .value = stream,
                             .stream = stream,
                             .steps = {gone->site, site}};
    return gl_order_clash(solver, state, &clash, gone->site, site);
}

static bool release_in_order(struct gl_solver *solver, struct gl_state *state,
                             const struct gl_release *release, const struct gl_site *site)
{
    const struct gl_resource *resource = gl_state_resource(state, release->handle);
    const struct gl_value *stream = gl_stream_of_handle(state, release->handle);
    if (!stream)
        stream = release->stream ? release->stream : resource ? resource->stream : NULL;
    stream = gl_stream_normal(solver, stream);
    if (!gl_is_known_stream(stream))
        return false;
    return free_on_gone_stream(solver, state, stream, site) ||
           free_in_order(solver, state, release, stream, site);
}

static void release_with_wait(struct gl_state *state, const struct gl_release *release)
{
    for (size_t i = state->inflight.ops.count; i-- > 0;)
        if (touch_of(&state->inflight.ops.items[i], release->handle))
            gl_inflight_op_drop(&state->inflight, i);
}

bool gl_order_release(struct gl_solver *solver, struct gl_state *state, const struct gl_release *release,
                      const struct gl_site *site)
{
    bool is_silent =
        release->is_shared || release->is_possible || release->is_reported || release->is_unknown_end;
    const struct gl_resource *resource = gl_state_resource(state, release->handle);
    switch (release->kind) {
    case GL_RELEASE_HOST_IMMEDIATE: {
        const struct gl_value *pool = resource && resource->is_owner ? resource->owner : NULL;
        bool is_host_reachable = gl_memory_base(release->handle)->integer & GL_SLOT_PINNED;
        if (pool && !is_host_reachable) {
            return_to_pool(solver, state, release->handle, pool);
            return false;
        }
        return !is_silent && free_at_once(solver, state, release, site);
    }
    case GL_RELEASE_STREAM_ORDERED:
        return !is_silent && release_in_order(solver, state, release, site);
    case GL_RELEASE_SYNCHRONIZING:
        release_with_wait(state, release);
        return false;
    default:
        return false;
    }
}

// Memory that a stream hands out may be used by other streams only after its place in that stream.
void gl_order_acquire(struct gl_solver *solver, struct gl_state *state, const struct gl_acquire *acquire,
                      const struct gl_site *site)
{
    gl_order_obtained(state, acquire->handle, site);
    if (acquire->kind == GL_RELEASE_STATE || acquire->state)
        gl_inflight_note(state,
                         &(struct gl_note){.kind = GL_NOTE_GUARD, .value = acquire->handle, .site = site});
    if (!acquire->is_owner)
        return;
    if (acquire->owner)
        gl_inflight_note(
            state,
            &(struct gl_note){.kind = GL_NOTE_BLOCK, .value = acquire->handle, .other = acquire->owner});
    if (acquire->kind != GL_RELEASE_STREAM_ORDERED || !gl_is_known_stream(acquire->stream))
        return;
    struct gl_use use = {.value = acquire->handle,
                         .stream = acquire->stream,
                         .touch = GL_ACCESS_WRITE,
                         .subject = "the allocation",
                         .is_sure = true};
    gl_order_use(solver, state, &use, site);
    struct gl_op *op = &state->inflight.ops.items[state->inflight.ops.count - 1];
    struct gl_work *work = gl_arena_copy(gl_values_arena(solver->values), op->work, sizeof *work);
    work->is_alloc = true;
    op->work = work;
}

// ---- objects
// ------------------------------------------------------------------------------------------------

static void destroy_graph(struct gl_solver *solver, struct gl_state *state, const struct gl_value *graph)
{
    uint64_t bit = gl_party_bit(solver, graph, true);
    for (size_t i = state->inflight.ops.count; i-- > 0;) {
        struct gl_op *op = &state->inflight.ops.items[i];
        if (!op->is_captured || !(op->holders & bit))
            continue;
        op->holders &= ~bit;
        if (!op->holders)
            gl_inflight_op_drop(&state->inflight, i);
    }
    gl_inflight_note_drop(state, GL_NOTE_KEEP, graph);
}

static bool destroy_in_use(struct gl_solver *solver, struct gl_state *state, const struct gl_release *release,
                           const char *object, const struct gl_site *site)
{
    bool is_reported = false;
    for (size_t i = state->inflight.ops.count; i-- > 0;) {
        const struct gl_op op = state->inflight.ops.items[i];
        bool is_in_order =
            release->kind == GL_RELEASE_STREAM_ORDERED && gl_is_ordered(solver, &op, release->stream);
        if (op.is_maybe || op.is_captured || is_in_order || !touch_of(&op, release->handle))
            continue;
        struct gl_clash clash = {.kind = GL_CLASH_OBJECT_ENDS,
                                 .work = op.work->subject,
                                 .object = object,
                                 .value = release->handle,
                                 .stream = op.work->stream,
                                 .other_stream = release->stream,
                                 .steps = {op.work->site, site}};
        clash.is_if = release->kind == GL_RELEASE_STREAM_ORDERED &&
                      gl_relate_streams(op.work->stream, release->stream) == GL_REL_APART_IF;
        const struct gl_site *primary = is_implicit_end(release->cause) ? op.work->site : site;
        is_reported |= gl_order_clash(solver, state, &clash, primary, site);
        gl_inflight_op_drop(&state->inflight, i);
    }
    return is_reported;
}

bool gl_order_destroy(struct gl_solver *solver, struct gl_state *state, const struct gl_release *release,
                      const char *object, const struct gl_site *site)
{
    const struct gl_value *handle = release->handle;
    if (!gl_is_known_stream(handle) || handle->kind == GL_VALUE_INT)
        return false;
    bool is_at_once = release->kind == GL_RELEASE_HOST_IMMEDIATE;
    bool is_in_order = release->kind == GL_RELEASE_STREAM_ORDERED && gl_is_known_stream(release->stream);
    bool is_reported = false;
    if ((is_at_once || is_in_order) && !release->is_reported && !release->is_possible)
        is_reported = destroy_in_use(solver, state, release, object, site);
    if (object && strncmp(object, "graph", 5) == 0)
        destroy_graph(solver, state, handle);
    bool leaves_memory = object && strcmp(object, "registration") == 0;
    if (!leaves_memory && !release->is_possible)
        gl_inflight_note(
            state, &(struct gl_note){.kind = GL_NOTE_GONE, .value = handle, .text = object, .site = site});
    return is_reported;
}

// ---- variables
// ----------------------------------------------------------------------------------------------

static bool is_in_var(const struct gl_value *value, const struct gl_ir_var *var)
{
    const struct gl_value *base = gl_memory_base(value);
    if (base->kind != GL_VALUE_ADDRESS)
        return false;
    const struct gl_mem *root = gl_mem_root(base->mem);
    return root->kind == GL_MEM_VAR && root->var == var;
}

void gl_order_end_of_var(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_var *var)
{
    for (size_t i = state->inflight.ops.count; i-- > 0;) {
        const struct gl_op op = state->inflight.ops.items[i];
        const struct gl_touch *touch = op.work->touches;
        while (touch && !is_in_var(touch->value, var))
            touch = touch->next;
        if (!touch || op.is_maybe || is_safely_staged(&op, touch, true))
            continue;
        const struct gl_site *end = gl_site_make(solver, "its memory ends here", NULL, NULL, NULL, NULL);
        struct gl_clash clash = {.kind = GL_CLASH_HOST_ENDS,
                                 .work = op.work->subject,
                                 .value = touch->value,
                                 .is_host_function = op.work->is_host_function,
                                 .is_stack = true,
                                 .steps = {op.work->site, end}};
        gl_order_clash(solver, state, &clash, op.work->site, end);
        gl_inflight_op_drop(&state->inflight, i);
    }
}

// ---- the host
// -----------------------------------------------------------------------------------------------

static bool is_hurt(const struct gl_op *op, const struct gl_touch *touch, bool is_write)
{
    if (is_write)
        return touch->access != GL_ACCESS_UNKNOWN || op->work->is_host_function;
    return touch->access == GL_ACCESS_WRITE || touch->access == GL_ACCESS_READ_WRITE;
}

static const struct gl_touch *touched_by_host(const struct gl_op *op, const struct gl_value *value,
                                              bool is_write)
{
    for (const struct gl_touch *touch = op->work->touches; touch; touch = touch->next)
        if (is_hurt(op, touch, is_write) && gl_memory_overlaps(touch->value, value) &&
            !is_safely_staged(op, touch, false))
            return touch;
    return NULL;
}

bool gl_order_host(struct gl_solver *solver, struct gl_state *state, const struct gl_value *value,
                   bool is_write, const struct gl_site *site)
{
    bool is_reported = false;
    for (size_t i = state->inflight.ops.count; i-- > 0;) {
        const struct gl_op op = state->inflight.ops.items[i];
        const struct gl_touch *touch =
            op.is_maybe || op.is_captured || op.work->is_alloc ? NULL : touched_by_host(&op, value, is_write);
        if (!touch)
            continue;
        if (!site)
            site = gl_site_make(solver, is_write ? "the host writes here" : "the host reads here", NULL, NULL,
                                NULL, NULL);
        bool is_source = is_write && (op.work->is_host_function || touch->access == GL_ACCESS_READ) &&
                         (touch->is_staged || op.work->is_host_function);
        struct gl_clash clash = {.kind = is_source ? GL_CLASH_HOST_WRITTEN : GL_CLASH_HOST_TOUCHES,
                                 .work = op.work->subject,
                                 .other = is_write ? "writes" : "reads",
                                 .value = touch->value,
                                 .stream = op.work->stream,
                                 .is_host_function = op.work->is_host_function,
                                 .steps = {op.work->site, site}};
        is_reported |= gl_order_clash(solver, state, &clash, site, site);
        gl_inflight_op_drop(&state->inflight, i);
    }
    return is_reported;
}

static bool reaches_memory(const struct gl_ir_place *place)
{
    for (unsigned i = 0; i < place->step_count; i++)
        if (place->steps[i].kind == GL_STEP_DEREF)
            return true;
    return place->var->kind == GL_VAR_LOCAL; // a variable itself may be what a host function gets
}

static void host_access(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_place *place,
                        bool is_write)
{
    if (!reaches_memory(place))
        return;
    const struct gl_mem *mem = gl_solver_place(solver, state, place, NULL);
    gl_order_host(solver, state, gl_value_address(solver->values, mem), is_write, NULL);
}

void gl_order_step(struct gl_solver *solver, struct gl_state *state)
{
    const struct gl_ir_instr *instr = solver->instr;
    solver->tick++;
    gl_order_busy(solver, state);
    if (!state->inflight.ops.count)
        return;
    if (instr->op == GL_IR_END) {
        gl_order_end_of_var(solver, state, instr->var);
        return;
    }
    for (size_t i = 0; i < instr->arg_count && state->inflight.ops.count; i++)
        if (instr->args[i].kind == GL_OPERAND_PLACE)
            host_access(solver, state, &instr->args[i].place, false);
    bool is_plain = instr->op == GL_IR_COPY || instr->op == GL_IR_COMPUTE || instr->op == GL_IR_COMPARE;
    if (is_plain && instr->has_dst && state->inflight.ops.count)
        host_access(solver, state, &instr->dst, true);
}
