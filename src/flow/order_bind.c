// SPDX-License-Identifier: Apache-2.0
// The effects of rules and the entries of summaries that speak of order: each becomes a step of the relation.
#include "flow/order.h"

#include <string.h>

static const char everything[] = "everything"; // a synchronisation with all that there is

const struct gl_value *gl_stream_of_handle(const struct gl_state *state, const struct gl_value *handle)
{
    const struct gl_note *note = gl_inflight_find(state, GL_NOTE_STREAM_OF, handle, NULL);
    return note ? note->other : NULL;
}

int64_t gl_memory_bits(enum gl_memory memory)
{
    switch (memory) {
    case GL_MEMORY_HOST:
        return GL_SLOT_PAGEABLE;
    case GL_MEMORY_PINNED:
    case GL_MEMORY_MANAGED:
        return GL_SLOT_PINNED;
    default:
        return 0;
    }
}

// A call that returns a number tells with zero that the work was enqueued.
const struct gl_value *gl_launch_result(const struct gl_binding_call *b)
{
    bool is_number =
        b->callee && b->callee->result && gl_ir_type_strip(b->callee->result)->kind == GL_TYPE_INT;
    return is_number ? b->result : NULL;
}

bool gl_is_staged(const struct gl_effect *effect, const struct gl_target *target)
{
    for (size_t i = 0; i < effect->staged.count; i++)
        if (strcmp(effect->staged.items[i].text, target->text) == 0)
            return true;
    return false;
}

static const struct gl_value *known(const struct gl_binding_call *b, const struct gl_target *target)
{
    const struct gl_value *value = gl_ref_of(b, target).value;
    return value && gl_is_known_stream(value) ? value : NULL;
}

static bool is_object(const struct gl_effect *effect, const char *object)
{
    return effect->object && strcmp(effect->object, object) == 0;
}

int64_t gl_created_bits(const struct gl_binding_call *b, const struct gl_effect *effect)
{
    if (!is_object(effect, "stream"))
        return 0;
    const struct gl_value *flags = gl_ref_of(b, &effect->flags).value;
    int64_t value;
    bool is_flagged =
        flags && gl_state_constant(b->state, flags, &value) && value & 1; // cudaStreamNonBlocking
    bool is_said = effect->flags_word && strcmp(effect->flags_word, "non-blocking") == 0;
    return is_flagged || is_said ? GL_SLOT_NON_BLOCKING : 0;
}

bool gl_has_own_parts(const struct gl_ir_record *record)
{
    const char *colon = strrchr(record->name, ':');
    size_t prefix = colon ? (size_t)(colon + 1 - record->name) : 0;
    for (size_t i = 1; i < record->template_args.count; i++) {
        const struct gl_ir_record *argument = gl_ir_type_record(record->template_args.items[i]);
        if (argument && argument->name && strncmp(argument->name, record->name, prefix) != 0)
            return true;
    }
    return false;
}

bool gl_is_pageable_class(const struct gl_rules *rules, const struct gl_ir_record *record)
{
    const struct gl_type_rule *type = record && record->name ? gl_rules_find_type(rules, record->name) : NULL;
    return type && type->memory == GL_MEMORY_HOST && !gl_has_own_parts(record);
}

int64_t gl_result_bits(const struct gl_binding_call *b)
{
    for (size_t i = 0; i < b->rule->effects.count; i++) {
        const struct gl_effect *effect = &b->rule->effects.items[i];
        if (effect->target.base != GL_TARGET_RESULT || effect->target.step_count)
            continue;
        if (effect->kind == GL_EFFECT_ALLOC)
            return gl_memory_bits(effect->memory);
        bool is_content =
            effect->kind == GL_EFFECT_DERIVE && effect->from.base == GL_TARGET_THIS && b->callee;
        if (is_content && gl_is_pageable_class(b->solver->flow->rules, b->callee->record))
            return GL_SLOT_PAGEABLE;
    }
    return 0;
}

bool gl_bind_recreated(struct gl_binding_call *b, const struct gl_effect *effect)
{
    if (!is_object(effect, "mapping") && !is_object(effect, "registration"))
        return false;
    const struct gl_value *value = known(b, &effect->target);
    if (!value || value->kind == GL_VALUE_INT)
        return false; // the handle of the mapping itself
    gl_inflight_note_drop(b->state, GL_NOTE_GONE, value);
    return true;
}

const char *gl_order_verb(enum gl_effect_kind kind)
{
    switch (kind) {
    case GL_EFFECT_WAIT:
        return "a wait is enqueued";
    case GL_EFFECT_DESTROY:
        return "destroyed";
    case GL_EFFECT_READS:
        return "read";
    case GL_EFFECT_WRITES:
        return "written";
    case GL_EFFECT_GET_STATE:
        return "the current stream is read";
    case GL_EFFECT_KEEP:
        return "kept from here on";
    default:
        return "noted";
    }
}

// ---- what each step does
// --------------------------------------------------------------------------------------

static void keep(struct gl_state *state, const struct gl_value *holder, const struct gl_value *kept,
                 const char *through, const struct gl_site *site)
{
    size_t kept_count = 0; // the same call again replaces what it gave before
    for (size_t i = 0; i < state->inflight.notes.count; i++) {
        const struct gl_note *note = &state->inflight.notes.items[i];
        if (note->kind != GL_NOTE_KEEP || note->value != holder || note->text != through)
            state->inflight.notes.items[kept_count++] = *note;
    }
    state->inflight.notes.count = kept_count;
    gl_inflight_note(
        state, &(struct gl_note){
                   .kind = GL_NOTE_KEEP, .value = holder, .other = kept, .text = through, .site = site});
}

static void inherit(struct gl_solver *solver, struct gl_state *state, const struct gl_value *to,
                    const struct gl_value *from)
{
    uint64_t old = gl_party_bit(solver, from, true), new = gl_party_bit(solver, to, true);
    for (size_t i = 0; i < state->inflight.ops.count; i++)
        if (state->inflight.ops.items[i].holders & old)
            state->inflight.ops.items[i].holders |= new;
    size_t count = state->inflight.notes.count;
    for (size_t i = 0; i < count; i++) {
        struct gl_note note = state->inflight.notes.items[i];
        if (note.kind != GL_NOTE_KEEP || note.value != from)
            continue;
        note.value = to;
        gl_inflight_note(state, &note);
    }
}

static void capture_end(struct gl_solver *solver, struct gl_state *state, const struct gl_value *graph)
{
    uint64_t bit = graph && gl_is_known_stream(graph) ? gl_party_bit(solver, graph, true) : 0;
    for (size_t i = 0; i < state->inflight.ops.count; i++)
        if (state->inflight.ops.items[i].is_captured && !state->inflight.ops.items[i].holders)
            state->inflight.ops.items[i].holders = bit;
    size_t kept_count = 0;
    for (size_t i = 0; i < state->inflight.notes.count; i++)
        if (state->inflight.notes.items[i].kind != GL_NOTE_CAPTURE)
            state->inflight.notes.items[kept_count++] = state->inflight.notes.items[i];
    state->inflight.notes.count = kept_count;
}

// A handle that is given another stream falls back to memory of its own.
static void set_stream(struct gl_state *state, const struct gl_value *handle, const struct gl_value *stream)
{
    gl_inflight_note_drop(state, GL_NOTE_STREAM_OF, handle);
    gl_inflight_note_drop(state, GL_NOTE_KEEP, handle);
    if (stream)
        gl_inflight_note(state,
                         &(struct gl_note){.kind = GL_NOTE_STREAM_OF, .value = handle, .other = stream});
}

static bool destroy(struct gl_solver *solver, struct gl_state *state, const struct gl_log_entry *entry)
{
    struct gl_release release = {.handle = entry->value,
                                 .stream = entry->stream,
                                 .kind = entry->release,
                                 .cause = entry->cause,
                                 .is_possible = entry->is_possible,
                                 .is_reported = entry->is_reported};
    return gl_order_destroy(solver, state, &release, entry->subject, entry->site);
}

// Does what the entry says and adds it to the history. Values that are not known are NULL.
static void perform(struct gl_solver *solver, struct gl_state *state, struct gl_log_entry *entry)
{
    const struct gl_value *value = entry->value;
    switch (entry->kind) {
    case GL_EFFECT_RECORD:
        if (value)
            gl_order_record(solver, state, value, entry->stream, entry->site);
        break;
    case GL_EFFECT_WAIT:
        gl_order_wait(solver, state, value, entry->stream, entry->site);
        break;
    case GL_EFFECT_SYNC:
        gl_order_sync(solver, state, entry->state ? NULL : value, entry->site);
        break;
    case GL_EFFECT_DESTROY:
        entry->is_reported |= value && destroy(solver, state, entry);
        break;
    case GL_EFFECT_READS:
    case GL_EFFECT_WRITES:
        if (value && !entry->is_reported && !entry->is_possible)
            entry->is_reported =
                gl_order_host(solver, state, value, entry->kind == GL_EFFECT_WRITES, entry->site);
        break;
    case GL_EFFECT_KEEP:
        if (value && entry->owner)
            keep(state, entry->owner, value, entry->subject, entry->site);
        break;
    case GL_EFFECT_INHERIT:
        if (value && entry->owner)
            inherit(solver, state, value, entry->owner);
        break;
    case GL_EFFECT_SET_STREAM:
        if (value)
            set_stream(state, value, entry->stream);
        break;
    case GL_EFFECT_USED_ON:
        if (value && entry->stream)
            gl_inflight_note(
                state, &(struct gl_note){.kind = GL_NOTE_USED_ON, .value = value, .other = entry->stream});
        break;
    case GL_EFFECT_CAPTURE_BEGIN:
        if (entry->stream)
            gl_inflight_note(state, &(struct gl_note){.kind = GL_NOTE_CAPTURE,
                                                      .value = gl_stream_normal(solver, entry->stream),
                                                      .site = entry->site});
        break;
    case GL_EFFECT_CAPTURE_END:
        capture_end(solver, state, value);
        break;
    case GL_EFFECT_GET_STATE:
        if (value)
            gl_inflight_note(state,
                             &(struct gl_note){.kind = GL_NOTE_READ, .value = value, .site = entry->site});
        gl_order_obtained(state, value, entry->site);
        break;
    default:
        break;
    }
    gl_state_log(state, entry);
}

void gl_order_replay(struct gl_solver *solver, struct gl_state *state, const struct gl_log_entry *entry,
                     const struct gl_value *value, const struct gl_value *stream,
                     const struct gl_value *owner, const struct gl_site *site)
{
    struct gl_log_entry here = *entry;
    here.owner = owner;
    here.value = value && gl_is_known_stream(value) ? value : NULL;
    here.stream = stream;
    here.site = site;
    if (entry->kind == GL_EFFECT_SET_STATE)
        here.value = value;
    perform(solver, state, &here);
}

// ---- rules
// ----------------------------------------------------------------------------------------------------

static bool is_current_stream(const struct gl_effect *effect)
{
    return effect->state && strcmp(effect->state, "current-stream") == 0;
}

void gl_bind_order(struct gl_binding_call *b, const struct gl_effect *effect, const struct gl_site *site,
                   bool is_opposite)
{
    if (is_opposite) {
        if (effect->kind == GL_EFFECT_SYNC)
            gl_order_polled(b->solver, b->state, known(b, &effect->target), b->result);
        return;
    }
    struct gl_log_entry entry = {.kind = effect->kind,
                                 .value = known(b, &effect->target),
                                 .stream = gl_ref_stream(b, &effect->stream),
                                 .site = site,
                                 .release = effect->release,
                                 .cause = gl_call_cause(b->solver, b->callee),
                                 .subject = effect->object};
    switch (effect->kind) {
    case GL_EFFECT_BORROW:
    case GL_EFFECT_ADDRESS_ONLY:
        return;
    case GL_EFFECT_RECORD:
        entry.value = known(b, &effect->event);
        if (effect->stream.base == GL_TARGET_DEVICE)
            entry.stream = NULL;
        break;
    case GL_EFFECT_WAIT:
        entry.value = known(b, &effect->event);
        break;
    case GL_EFFECT_SYNC:
        entry.state = entry.value ? NULL : everything;
        break;
    case GL_EFFECT_KEEP:
        entry.owner = known(b, &effect->from);
        entry.subject = b->rule->name;
        break;
    case GL_EFFECT_INHERIT:
        entry.owner = known(b, &effect->from);
        break;
    case GL_EFFECT_SET_STREAM:
        entry.value = known(b, &effect->from);
        break;
    case GL_EFFECT_GET_STATE:
        if (!is_current_stream(effect))
            return;
        if (!entry.value)
            entry.value = b->result;
        break;
    default:
        break;
    }
    perform(b->solver, b->state, &entry);
}

// ---- what handles and graphs keep
// -------------------------------------------------------------------------------

static void use_kept(struct gl_binding_call *b, const struct gl_value *holder, struct gl_use *use,
                     const struct gl_site *site)
{
    enum { MOST_KEPT = 16 };
    const struct gl_value *kept[MOST_KEPT];
    enum gl_access access[MOST_KEPT];
    size_t count = 0;
    for (size_t i = 0; i < b->state->inflight.notes.count && count < MOST_KEPT; i++) {
        const struct gl_note *note = &b->state->inflight.notes.items[i];
        if (note->kind != GL_NOTE_KEEP || note->value != holder)
            continue;
        access[count] = GL_ACCESS_UNKNOWN;
        kept[count++] = note->other;
    }
    uint64_t bit = gl_party_bit(b->solver, holder, true);
    for (size_t i = 0; i < b->state->inflight.ops.count; i++) {
        const struct gl_op *op = &b->state->inflight.ops.items[i];
        if (!op->is_captured || !(op->holders & bit))
            continue;
        for (const struct gl_touch *touch = op->work->touches; touch && count < MOST_KEPT;
             touch = touch->next) {
            access[count] = touch->is_sure ? touch->access : GL_ACCESS_UNKNOWN;
            kept[count++] = touch->value;
        }
    }
    for (size_t i = 0; i < count; i++) {
        use->value = kept[i];
        use->access = access[i];
        gl_effect_use(b->solver, b->state, use, site);
    }
}

void gl_bind_kept(struct gl_binding_call *b, const struct gl_effect *effect, struct gl_use *use,
                  const struct gl_site *site)
{
    if (effect->stream.base == GL_TARGET_STREAM_OF_HANDLE) {
        struct gl_target handle = {.base = effect->stream.arg < 0 ? GL_TARGET_THIS : GL_TARGET_ARG,
                                   .arg = effect->stream.arg};
        const struct gl_value *holder = known(b, &handle);
        if (holder)
            use_kept(b, holder, use, site);
    }
    for (size_t i = 0; i < effect->uses.count; i++) {
        bool is_one = effect->uses.items[i].base != GL_TARGET_ALL_ARGS;
        const struct gl_value *holder = is_one ? known(b, &effect->uses.items[i]) : NULL;
        if (holder)
            use_kept(b, holder, use, site);
    }
}
