// SPDX-License-Identifier: Apache-2.0
// Operations as they are enqueued, and what orders them: records, waits, synchronisation of the host.
#include "flow/order.h"

enum { MOST_OPS = 16, MOST_TOUCHES = 12 };

static uint64_t mix(uint64_t hash, uint64_t part)
{
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

static bool is_memory(const struct gl_value *value)
{
    switch (value->kind) {
    case GL_VALUE_INT:
    case GL_VALUE_UNDEF:
    case GL_VALUE_UNINIT:
    case GL_VALUE_MOVED:
    case GL_VALUE_STRING:
    case GL_VALUE_FUNCTION:
    case GL_VALUE_COMPARE:
        return false;
    default:
        return true;
    }
}

// ---- what is known of a use
// -----------------------------------------------------------------------------------

void gl_order_seen(struct gl_solver *solver, struct gl_use *use)
{
    if (use->is_told)
        return;
    bool is_plain_rule = !use->kernel && !use->is_kernel;
    use->touch = use->access;
    use->is_sure = use->access == GL_ACCESS_READ || (is_plain_rule && use->access != GL_ACCESS_UNKNOWN);
    enum gl_access access;
    if (use->kernel && gl_kernel_access(solver->flow, use->kernel, use->param, use->part, &access)) {
        use->touch = access;
        use->is_sure = true;
    }
}

const char *gl_member_of(const struct gl_mem *mem, const struct gl_mem *outer)
{
    const char *member = NULL;
    for (; mem && mem != outer; mem = mem->parent)
        if (mem->kind == GL_MEM_FIELD)
            member = mem->field;
    return member;
}

const struct gl_value *gl_order_scalars(struct gl_solver *solver, struct gl_state *state, size_t first)
{
    const struct gl_value *args[8];
    unsigned count = 0;
    for (size_t i = first; i < solver->instr->arg_count && count < GL_COUNT(args); i++) {
        const struct gl_ir_operand *arg = &solver->instr->args[i];
        const struct gl_ir_type *type = gl_operand_type(arg);
        enum gl_ir_type_kind kind = type ? gl_ir_type_strip(type)->kind : GL_TYPE_UNKNOWN;
        if (kind == GL_TYPE_INT || kind == GL_TYPE_BOOL || kind == GL_TYPE_FLOAT ||
            arg->kind == GL_OPERAND_INTEGER)
            args[count++] = gl_solver_operand(solver, state, arg);
    }
    return count ? gl_value_compute(solver->values, "numbers", args, count) : NULL;
}

// ---- operations
// ---------------------------------------------------------------------------------------------

static bool is_captured(struct gl_solver *solver, const struct gl_state *state, const struct gl_value *stream)
{
    (void)solver;
    for (size_t i = 0; stream && i < state->inflight.notes.count; i++) {
        const struct gl_note *note = &state->inflight.notes.items[i];
        if (note->kind == GL_NOTE_CAPTURE && note->value == stream)
            return true;
    }
    return false;
}

// Work on the legacy default stream waits for all blocking streams, and they wait for it.
static void pass_default_stream(struct gl_solver *solver, struct gl_state *state,
                                const struct gl_value *stream)
{
    if (!stream || !gl_value_is_int(stream, 0))
        return;
    for (size_t i = 0; i < state->inflight.ops.count; i++)
        if (gl_is_ordered(solver, &state->inflight.ops.items[i], stream))
            state->inflight.ops.items[i].after |= 1ull << GL_PARTY_LEGACY;
}

static bool is_same_launch(const struct gl_op *op, unsigned tick, const struct gl_site *site)
{
    return op->tick == tick &&
           (op->work->site == site || (site->inner && op->work->site->inner == site->inner));
}

static struct gl_op *open_op(struct gl_solver *solver, struct gl_state *state, const struct gl_use *use,
                             const struct gl_site *site)
{
    struct gl_inflight *inflight = &state->inflight;
    for (size_t i = inflight->ops.count; i-- > 0;)
        if (is_same_launch(&inflight->ops.items[i], solver->tick, site))
            return &inflight->ops.items[i];
    if (inflight->ops.count >= MOST_OPS) {
        gl_inflight_op_drop(inflight, 0);
        solver->flow->stats.operations_dropped += solver->is_final;
    }
    const struct gl_value *stream = gl_stream_normal(solver, use->stream);
    pass_default_stream(solver, state, stream);
    struct gl_work *work = GL_ARENA_NEW(gl_values_arena(solver->values), struct gl_work);
    *work = (struct gl_work){.instr = solver->instr,
                             .site = site,
                             .subject = use->subject,
                             .stream = gl_is_known_stream(stream) ? stream : NULL,
                             .result = use->result,
                             .kernel = use->kernel,
                             .scalars = use->scalars,
                             .is_host_function = use->is_host_function};
    work->hash = mix((uint64_t)(uintptr_t)solver->instr, (uint64_t)(uintptr_t)site->inner);
    work->hash = mix(work->hash, work->stream ? work->stream->id + 1 : 0);
    struct gl_op op = {.work = work,
                       .after = work->stream ? gl_party_bit(solver, work->stream, false) : 0,
                       .order = inflight->order++,
                       .tick = solver->tick,
                       .is_captured = is_captured(solver, state, work->stream),
                       .is_maybe = use->is_possible};
    if (work->stream && gl_value_is_int(work->stream, 0))
        op.after |= 1ull << GL_PARTY_LEGACY;
    GL_VEC_PUSH(&inflight->ops, op);
    return &inflight->ops.items[inflight->ops.count - 1];
}

static const struct gl_work *work_with(struct gl_solver *solver, const struct gl_work *work,
                                       const struct gl_touch *touch)
{
    struct gl_arena *arena = gl_values_arena(solver->values);
    struct gl_touch *added = gl_arena_copy(arena, touch, sizeof *touch);
    struct gl_work *grown = gl_arena_copy(arena, work, sizeof *work);
    added->next = work->touches;
    grown->touches = added;
    grown->touch_count++;
    grown->hash = mix(work->hash, (uint64_t)touch->value->id * 4 + touch->access);
    return grown;
}

// ---- what is found
// ------------------------------------------------------------------------------------------

bool gl_order_clash(struct gl_solver *solver, struct gl_state *state, struct gl_clash *clash,
                    const struct gl_site *primary, const struct gl_site *site)
{
    (void)site;
    return gl_solver_observe(solver, &(struct gl_flow_event){.kind = GL_FLOW_CLASH,
                                                             .state = state,
                                                             .value = clash->value,
                                                             .stream = clash->stream,
                                                             .clash = clash,
                                                             .site = primary});
}

static const struct gl_note *record_before(const struct gl_state *state, const struct gl_value *event,
                                           unsigned order)
{
    const struct gl_note *newest = NULL;
    for (size_t i = 0; i < state->inflight.notes.count; i++) {
        const struct gl_note *note = &state->inflight.notes.items[i];
        if (note->kind == GL_NOTE_RECORD && note->value == event && note->order < order &&
            (!newest || note->order > newest->order))
            newest = note;
    }
    return newest;
}

// One wait of the second operation's stream, looked at as the wait that was meant to cover the first
// operation.
static bool blame_wait(const struct gl_state *state, const struct gl_op *first, const struct gl_note *wait,
                       struct gl_clash *clash, const struct gl_site **out_primary)
{
    const struct gl_note *record = record_before(state, wait->value, wait->order);
    clash->event = wait->value;
    if (!record) {
        clash->kind = GL_CLASH_EVENT_NEVER;
        *out_primary = wait->site;
        return true;
    }
    bool is_on_stream = gl_relate_streams(record->other, first->work->stream) == GL_REL_SAME;
    if (is_on_stream && record->order < first->order) {
        clash->kind = GL_CLASH_EVENT_EARLY;
        *out_primary = record->site;
        return true;
    }
    const struct gl_note *covered = record_before(state, wait->value, record->order);
    if (covered && covered->order > first->order &&
        gl_relate_streams(covered->other, first->work->stream) == GL_REL_SAME) {
        clash->kind = GL_CLASH_EVENT_OVERWRITTEN;
        *out_primary = record->site;
        return true;
    }
    bool is_of_use = record->text && gl_relate_streams(record->other, wait->other) != GL_REL_SAME;
    if (is_of_use || is_on_stream)
        return false; // waits for something else
    clash->kind = GL_CLASH_EVENT_ELSEWHERE;
    clash->other_stream = record->other;
    *out_primary = record->site;
    return true;
}

static void diagnose(const struct gl_state *state, const struct gl_op *first, const struct gl_value *stream,
                     const struct gl_site *site, struct gl_clash *clash, const struct gl_site **out_primary)
{
    *out_primary = site;
    clash->kind = GL_CLASH_UNORDERED;
    clash->steps[0] = first->work->site;
    clash->steps[1] = site;
    for (size_t i = state->inflight.notes.count; i-- > 0;) {
        const struct gl_note *wait = &state->inflight.notes.items[i];
        bool is_meant = wait->kind == GL_NOTE_WAIT && wait->order > first->order &&
                        gl_relate_streams(wait->other, stream) == GL_REL_SAME;
        const struct gl_site *primary = NULL;
        if (!is_meant || !blame_wait(state, first, wait, clash, &primary))
            continue;
        *out_primary = primary;
        const struct gl_site *steps[] = {first->work->site, primary == wait->site ? NULL : primary,
                                         wait->site, site};
        if (clash->kind == GL_CLASH_EVENT_EARLY) {
            steps[0] = primary;
            steps[1] = first->work->site;
        }
        size_t count = 0;
        for (size_t k = 0; k < GL_COUNT(steps); k++)
            if (steps[k])
                clash->steps[count++] = steps[k];
        return;
    }
}

static bool writes(enum gl_access access)
{
    return access == GL_ACCESS_WRITE || access == GL_ACCESS_READ_WRITE;
}

static const struct gl_value *pool_of(struct gl_solver *solver, const struct gl_state *state,
                                      const struct gl_value *value)
{
    const struct gl_note *block = gl_inflight_find(state, GL_NOTE_BLOCK, gl_memory_base(value), NULL);
    return block ? gl_memory_of_pool(solver->values, block->other) : NULL;
}

// The touch of the earlier operation that conflicts with the use, or NULL.
static const struct gl_touch *conflict(const struct gl_op *op, const struct gl_use *use,
                                       const struct gl_value *pool)
{
    for (const struct gl_touch *touch = op->work->touches; touch; touch = touch->next) {
        bool is_conflict = touch->access != GL_ACCESS_UNKNOWN && use->touch != GL_ACCESS_UNKNOWN &&
                           (writes(touch->access) || writes(use->touch)) && (touch->is_sure || use->is_sure);
        if (is_conflict && gl_memory_overlaps(touch->value, use->value))
            return touch;
        if (pool && touch->value == pool)
            return touch;
    }
    return NULL;
}

// Launches of one kernel that differ in a number may each work on a part of their own.
static bool may_share_out(const struct gl_op *op, const struct gl_use *use)
{
    return op->work->kernel && op->work->kernel == use->kernel && op->work->scalars != use->scalars;
}

static bool report_conflicts(struct gl_solver *solver, struct gl_state *state, const struct gl_use *use,
                             const struct gl_value *stream, const struct gl_site *site)
{
    const struct gl_value *pool = pool_of(solver, state, use->value);
    bool is_reported = false;
    for (size_t i = state->inflight.ops.count; i-- > 0;) {
        const struct gl_op first = state->inflight.ops.items[i];
        if (first.is_maybe || is_same_launch(&first, solver->tick, site) ||
            first.is_captured != is_captured(solver, state, stream) ||
            gl_is_ordered(solver, &first, stream) || may_share_out(&first, use))
            continue;
        const struct gl_touch *touch = conflict(&first, use, pool);
        if (!touch)
            continue;
        struct gl_clash clash = {.work = first.work->subject,
                                 .other = use->subject,
                                 .value = use->value,
                                 .stream = first.work->stream,
                                 .other_stream = stream};
        clash.is_if = gl_relate_streams(first.work->stream, stream) == GL_REL_APART_IF;
        const struct gl_site *primary;
        diagnose(state, &first, stream, site, &clash, &primary);
        if (touch->value == pool) {
            clash.kind = GL_CLASH_REUSED;
            primary = site;
        }
        is_reported |= gl_order_clash(solver, state, &clash, primary, site);
        gl_inflight_op_drop(&state->inflight, i); // once is enough
    }
    return is_reported;
}

static bool report_gone(struct gl_solver *solver, struct gl_state *state, const struct gl_use *use,
                        const struct gl_site *site)
{
    for (size_t i = 0; i < state->inflight.notes.count; i++) {
        const struct gl_note note = state->inflight.notes.items[i];
        if (note.kind != GL_NOTE_GONE || !gl_memory_belongs(use->value, note.value))
            continue;
        struct gl_clash clash = {.kind = GL_CLASH_OBJECT_GONE,
                                 .other = use->subject,
                                 .object = note.text,
                                 .value = use->value,
                                 .steps = {note.site, site}};
        return gl_order_clash(solver, state, &clash, site, site);
    }
    return false;
}

bool gl_order_use(struct gl_solver *solver, struct gl_state *state, const struct gl_use *use,
                  const struct gl_site *site)
{
    if (use->is_tracked || !is_memory(use->value))
        return false;
    const struct gl_value *stream = gl_stream_normal(solver, use->stream);
    bool is_told = !use->is_reported && !use->is_possible;
    struct gl_op *op = open_op(solver, state, use, site);
    bool is_reported = is_told && report_gone(solver, state, use, site);
    if (is_told && !is_reported)
        is_reported = report_conflicts(solver, state, use, stream, site);
    op = open_op(solver, state, use, site); // the list may have moved
    if (op->work->touch_count < MOST_TOUCHES)
        op->work = work_with(solver, op->work,
                             &(struct gl_touch){.value = use->value,
                                                .access = use->touch,
                                                .is_sure = use->is_sure,
                                                .is_staged = use->is_staged});
    return is_reported;
}

// ---- records, waits, synchronisation
// --------------------------------------------------------------------------

static bool report_stream_gone(struct gl_solver *solver, struct gl_state *state,
                               const struct gl_value *object, const char *subject, const struct gl_site *site)
{
    const struct gl_note *gone = object ? gl_inflight_find(state, GL_NOTE_GONE, object, NULL) : NULL;
    if (!gone)
        return false;
    struct gl_clash clash = {.kind = GL_CLASH_STREAM_GONE,
                             .other = subject,
                             .object = gone->text,
                             .value = object,
                             .stream = object,
                             .steps = {gone->site, site}};
    return gl_order_clash(solver, state, &clash, gone->site, site);
}

void gl_use_kernel(struct gl_solver *solver, struct gl_state *state, struct gl_use *use,
                   const struct gl_ir_decl *kernel, size_t index)
{
    use->kernel = kernel;
    use->param = index;
    use->is_kernel = true;
    if (solver->instr->op == GL_IR_LAUNCH)
        use->scalars = gl_order_scalars(solver, state, 0);
}

void gl_order_launch(struct gl_solver *solver, struct gl_state *state, const struct gl_use *use,
                     const struct gl_site *site)
{
    if (use->is_reported || use->is_possible)
        return;
    if (!report_stream_gone(solver, state, use->stream, use->subject, site))
        gl_order_relies(solver, state, use, site);
}

void gl_order_record(struct gl_solver *solver, struct gl_state *state, const struct gl_value *event,
                     const struct gl_value *stream, const struct gl_site *site)
{
    stream = gl_stream_normal(solver, stream);
    pass_default_stream(solver, state, stream);
    if (!report_stream_gone(solver, state, stream, "the record", site))
        report_stream_gone(solver, state, event, "the record", site);
    if (!gl_is_known_stream(event))
        return;
    uint64_t bit = gl_party_bit(solver, event, true);
    bool covers = false;
    for (size_t i = 0; i < state->inflight.ops.count; i++) {
        struct gl_op *op = &state->inflight.ops.items[i];
        bool is_covered = !gl_is_known_stream(stream) || gl_is_ordered(solver, op, stream);
        op->after = is_covered ? op->after | bit : op->after & ~bit;
        covers |= is_covered;
    }
    gl_inflight_note(state, &(struct gl_note){.kind = GL_NOTE_RECORD,
                                              .value = event,
                                              .other = stream,
                                              .text = covers ? "work" : NULL,
                                              .site = site});
}

// An event that comes from somewhere that the function does not show may stand for anything.
static bool is_strange_event(const struct gl_state *state, const struct gl_value *event)
{
    if (!event || !gl_is_known_stream(event))
        return true;
    if (gl_inflight_find(state, GL_NOTE_RECORD, event, NULL))
        return false;
    bool is_parameter = event->kind == GL_VALUE_INIT && event->mem->kind == GL_MEM_VAR &&
                        event->mem->var->kind == GL_VAR_PARAM;
    bool is_made_here = event->kind == GL_VALUE_FRESH && event->integer & GL_SLOT_CREATED;
    return !is_parameter && !is_made_here;
}

void gl_order_wait(struct gl_solver *solver, struct gl_state *state, const struct gl_value *event,
                   const struct gl_value *stream, const struct gl_site *site)
{
    stream = gl_stream_normal(solver, stream);
    if (!stream) {
        gl_order_sync(solver, state, event, site);
        return;
    }
    pass_default_stream(solver, state, stream);
    if (!report_stream_gone(solver, state, stream, "the wait", site))
        report_stream_gone(solver, state, event, "the wait", site);
    if (!gl_is_known_stream(stream))
        return;
    uint64_t bit = gl_party_bit(solver, stream, false);
    uint64_t events = is_strange_event(state, event) ? UINT64_MAX : gl_party_match(solver, event, true);
    for (size_t i = 0; i < state->inflight.ops.count; i++)
        if (events == UINT64_MAX || state->inflight.ops.items[i].after & events)
            state->inflight.ops.items[i].after |= bit;
    if (!event)
        return;
    const struct gl_note *record = gl_inflight_find(state, GL_NOTE_RECORD, event, NULL);
    if (record && gl_inflight_find(state, GL_NOTE_CAPTURE, record->other, NULL))
        gl_inflight_note(state, &(struct gl_note){.kind = GL_NOTE_CAPTURE, .value = stream, .site = site});
    gl_inflight_note(state,
                     &(struct gl_note){.kind = GL_NOTE_WAIT, .value = event, .other = stream, .site = site});
}

static uint64_t done_with(struct gl_solver *solver, const struct gl_state *state,
                          const struct gl_value *target)
{
    if (!target || !gl_is_known_stream(target))
        return UINT64_MAX;
    uint64_t done = gl_party_match(solver, target, false) | gl_party_match(solver, target, true);
    return done | (gl_value_is_int(target, 0) ? 1ull << GL_PARTY_LEGACY : 0) |
           (target->kind == GL_VALUE_COMPUTE && !state->inflight.notes.count ? 1ull << GL_PARTY_OTHER : 0);
}

static bool is_done(struct gl_solver *solver, const struct gl_op *op, const struct gl_value *target,
                    uint64_t done)
{
    if (op->is_captured)
        return false;
    if (done == UINT64_MAX || !op->work->stream || op->after & done)
        return true;
    return target->kind == GL_VALUE_INT && gl_is_ordered(solver, op, target);
}

void gl_order_sync(struct gl_solver *solver, struct gl_state *state, const struct gl_value *target,
                   const struct gl_site *site)
{
    (void)site;
    target = gl_stream_normal(solver, target);
    uint64_t done = done_with(solver, state, target);
    for (size_t i = state->inflight.ops.count; i-- > 0;)
        if (is_done(solver, &state->inflight.ops.items[i], target, done))
            gl_inflight_op_drop(&state->inflight, i);
}

void gl_order_polled(struct gl_solver *solver, struct gl_state *state, const struct gl_value *target,
                     const struct gl_value *result)
{
    target = gl_stream_normal(solver, target);
    uint64_t done = done_with(solver, state, target);
    for (size_t i = 0; i < state->inflight.ops.count; i++)
        if (is_done(solver, &state->inflight.ops.items[i], target, done))
            state->inflight.ops.items[i].polled = result;
}

// "The result is not NOT_READY": a loop that polls has ended.
static bool is_polled_out(const struct gl_state *state, const struct gl_value *result)
{
    for (size_t i = 0; result && i < state->facts.count; i++) {
        const struct gl_fact *fact = &state->facts.items[i];
        bool is_no = fact->value->kind == GL_VALUE_COMPARE && fact->value->integer == GL_CMP_EQ &&
                     fact->is_equal && fact->constant == 0;
        if (is_no && fact->value->args[0] == result && fact->value->args[1]->kind == GL_VALUE_INT &&
            fact->value->args[1]->integer != 0)
            return true;
    }
    return false;
}

// On the way that handles an error nobody is accused: what was enqueued before may have failed as well.
void gl_order_failed(struct gl_state *state)
{
    for (size_t i = state->inflight.ops.count; i-- > 0;)
        if (!state->inflight.ops.items[i].is_captured)
            gl_inflight_op_drop(&state->inflight, i);
}

void gl_order_learnt(struct gl_state *state)
{
    bool is_failed = false;
    for (size_t i = state->inflight.ops.count; i-- > 0;) {
        const struct gl_op *op = &state->inflight.ops.items[i];
        bool has_failed = op->work->result && gl_state_truth(state, op->work->result) == 1;
        is_failed |= has_failed;
        if (has_failed || is_polled_out(state, op->polled))
            gl_inflight_op_drop(&state->inflight, i);
    }
    if (is_failed)
        gl_order_failed(state);
}

void gl_order_unknown(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee)
{
    bool is_harmless =
        callee && (callee->flags & (GL_DECL_SYSTEM | GL_DECL_VARIADIC) ||
                   (callee->name && gl_rules_is_irrelevant(solver->flow->rules, callee->name)));
    if (is_harmless)
        return;
    gl_order_sync(solver, state, NULL, NULL);
    gl_state_log(state, &(struct gl_log_entry){
                            .kind = GL_EFFECT_SYNC,
                            .state = "everything",
                            .site = gl_site_make(solver, "may wait for the device", NULL, NULL, NULL, NULL)});
}
