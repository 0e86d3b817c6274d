// SPDX-License-Identifier: Apache-2.0
// Streams, events and memory as values: which are the same, which may be, and which are not.
#include "flow/order.h"

#include <string.h>

// ---- counters of loops
// --------------------------------------------------------------------------------------

static bool is_step_of(const struct gl_value *value, const struct gl_value *phi)
{
    return value->kind == GL_VALUE_COMPUTE && value->arg_count == 2 && strcmp(value->name, "+") == 0 &&
           value->args[0] == phi && value->args[1]->kind == GL_VALUE_INT && value->args[1]->integer > 0;
}

// A phi that starts from constants and grows: its least value. False if it is anything else.
static bool counter_start(const struct gl_value *phi, int64_t *out_start)
{
    bool is_counter = false, has_start = false;
    for (unsigned i = 0; i < phi->arg_count; i++) {
        const struct gl_value *arg = phi->args[i];
        if (is_step_of(arg, phi)) {
            is_counter = true;
        } else if (arg->kind == GL_VALUE_INT) {
            if (!has_start || arg->integer < *out_start)
                *out_start = arg->integer;
            has_start = true;
        } else {
            return false;
        }
    }
    return is_counter && has_start;
}

static bool is_counter(const struct gl_value *value)
{
    for (unsigned i = 0; value->kind == GL_VALUE_PHI && i < value->arg_count; i++)
        if (is_step_of(value->args[i], value))
            return true;
    return false;
}

// Is `later` another number than `before`, one round or more after it?
static bool has_advanced(const struct gl_value *before, const struct gl_value *later)
{
    int64_t start;
    const struct gl_value *earlier = gl_value_earlier(before);
    if (earlier == later)
        return is_counter(later);
    if (later->kind != GL_VALUE_PHI || !counter_start(later, &start))
        return false;
    return before->kind == GL_VALUE_INT && before->integer < start;
}

static enum gl_relation relate_indexes(const struct gl_value *a, const struct gl_value *b)
{
    if (a == b && a)
        return GL_REL_SAME;
    if (!a || !b)
        return GL_REL_MAYBE;
    if (a->kind == GL_VALUE_INT && b->kind == GL_VALUE_INT)
        return GL_REL_APART_IF;
    return has_advanced(a, b) || has_advanced(b, a) ? GL_REL_APART_IF : GL_REL_MAYBE;
}

// p[index] and p[0], which is *p.
static enum gl_relation relate_to_first(const struct gl_value *index)
{
    int64_t start;
    if (!index)
        return GL_REL_MAYBE;
    if (gl_value_earlier(index))
        index = gl_value_earlier(index);
    bool is_later = index->kind == GL_VALUE_INT
                        ? index->integer != 0
                        : index->kind == GL_VALUE_PHI && counter_start(index, &start) && start > 0;
    return is_later ? GL_REL_APART_IF : GL_REL_MAYBE;
}

// ---- streams and events
// -------------------------------------------------------------------------------------

static enum gl_relation relate(const struct gl_value *a, const struct gl_value *b, bool is_event);

static bool is_variable(const struct gl_mem *mem)
{
    return mem->kind == GL_MEM_VAR || (mem->kind == GL_MEM_DEREF && mem->value->kind == GL_VALUE_INIT &&
                                       mem->value->mem->kind == GL_MEM_VAR);
}

// Where two streams that came from outside were read from. A member of an object and a parameter are often
// one.
static enum gl_relation relate_mems(const struct gl_mem *a, const struct gl_mem *b, bool is_event)
{
    if (a == b)
        return GL_REL_SAME;
    if (a->kind == GL_MEM_INDEX && a->parent == b)
        return relate_to_first(a->value);
    if (b->kind == GL_MEM_INDEX && b->parent == a)
        return relate_to_first(b->value);
    if (a->kind != b->kind) {
        bool is_element = a->kind == GL_MEM_INDEX || b->kind == GL_MEM_INDEX;
        bool is_plain = is_variable(a) || is_variable(b);
        bool are_both = is_variable(a) && is_variable(b);
        return is_event || (is_element && is_plain) || are_both ? GL_REL_APART_IF : GL_REL_MAYBE;
    }
    switch (a->kind) {
    case GL_MEM_FIELD: {
        enum gl_relation parents = relate_mems(a->parent, b->parent, is_event);
        return a->field == b->field ? parents : GL_REL_APART_IF;
    }
    case GL_MEM_INDEX: {
        enum gl_relation parents = relate_mems(a->parent, b->parent, is_event);
        return parents == GL_REL_SAME ? relate_indexes(a->value, b->value) : parents;
    }
    case GL_MEM_DEREF:
        return relate(a->value, b->value, is_event);
    default:
        return GL_REL_APART_IF;
    }
}

static bool is_made_here(const struct gl_value *value)
{
    return value->kind == GL_VALUE_FRESH && value->integer & GL_SLOT_CREATED;
}

static bool is_concrete(const struct gl_value *value)
{
    return value->kind == GL_VALUE_INIT || value->kind == GL_VALUE_INT || is_made_here(value);
}

// Calls of one getter with different constants give different streams.
static enum gl_relation relate_computed(const struct gl_value *a, const struct gl_value *b)
{
    if (a->kind != GL_VALUE_COMPUTE || b->kind != GL_VALUE_COMPUTE || a->name != b->name ||
        a->arg_count != b->arg_count)
        return GL_REL_MAYBE;
    enum gl_relation all = GL_REL_SAME;
    for (unsigned i = 0; i < a->arg_count; i++) {
        enum gl_relation one = relate_indexes(a->args[i], b->args[i]);
        if (one == GL_REL_APART_IF)
            return one;
        if (one == GL_REL_MAYBE)
            all = one;
    }
    return all;
}

static enum gl_relation relate(const struct gl_value *a, const struct gl_value *b, bool is_event)
{
    if (a == b)
        return GL_REL_SAME;
    if (!is_concrete(a) || !is_concrete(b))
        return relate_computed(a, b);
    if (is_made_here(a) || is_made_here(b) || (a->kind == GL_VALUE_INT && b->kind == GL_VALUE_INT))
        return GL_REL_APART;
    if (a->kind == GL_VALUE_INT || b->kind == GL_VALUE_INT)
        return GL_REL_APART_IF;
    return relate_mems(a->mem, b->mem, is_event);
}

bool gl_is_known_stream(const struct gl_value *stream)
{
    return stream && stream->kind != GL_VALUE_UNDEF && stream->kind != GL_VALUE_UNINIT &&
           stream->kind != GL_VALUE_MOVED && stream->kind != GL_VALUE_STRING;
}

enum gl_relation gl_relate_streams(const struct gl_value *a, const struct gl_value *b)
{
    return gl_is_known_stream(a) && gl_is_known_stream(b) ? relate(a, b, false) : GL_REL_MAYBE;
}

enum gl_relation gl_relate_events(const struct gl_value *a, const struct gl_value *b)
{
    return gl_is_known_stream(a) && gl_is_known_stream(b) ? relate(a, b, true) : GL_REL_MAYBE;
}

const struct gl_value *gl_stream_normal(struct gl_solver *solver, const struct gl_value *stream)
{
    enum { LEGACY = 1, PER_THREAD = 2 }; // cudaStreamLegacy, cudaStreamPerThread
    if (!stream || stream->kind != GL_VALUE_INT)
        return stream;
    if (stream->integer == LEGACY)
        return gl_value_int(solver->values, 0);
    bool is_per_thread =
        stream->integer == 0 && solver->func->unit && solver->func->unit->per_thread_default_stream;
    return is_per_thread ? gl_value_int(solver->values, PER_THREAD) : stream;
}

bool gl_may_block(const struct gl_value *stream)
{
    return !(stream->kind == GL_VALUE_FRESH && stream->integer & GL_SLOT_NON_BLOCKING);
}

// ---- parties
// ------------------------------------------------------------------------------------------------

uint64_t gl_party_bit(struct gl_solver *solver, const struct gl_value *party, bool is_event)
{
    for (unsigned i = 0; i < solver->party_count; i++)
        if (solver->parties[i] == party && (solver->event_parties >> (i + 1) & 1) == is_event)
            return 1ull << (i + 1);
    if (solver->party_count == GL_COUNT(solver->parties))
        return 1ull << GL_PARTY_OTHER;
    solver->parties[solver->party_count++] = party;
    uint64_t bit = 1ull << solver->party_count;
    if (is_event)
        solver->event_parties |= bit;
    return bit;
}

uint64_t gl_party_match(struct gl_solver *solver, const struct gl_value *party, bool is_event)
{
    uint64_t match = 1ull << GL_PARTY_OTHER;
    for (unsigned i = 0; i < solver->party_count; i++) {
        if ((solver->event_parties >> (i + 1) & 1) != is_event)
            continue;
        enum gl_relation relation = is_event ? gl_relate_events(solver->parties[i], party)
                                             : gl_relate_streams(solver->parties[i], party);
        if (relation <= GL_REL_MAYBE)
            match |= 1ull << (i + 1);
    }
    return match;
}

// The legacy default stream and the streams that block with it wait for each other.
static bool is_ordered_by_default_stream(const struct gl_solver *solver, const struct gl_op *op,
                                         const struct gl_value *stream)
{
    if (op->after >> GL_PARTY_LEGACY & 1 && gl_may_block(stream))
        return true;
    if (!gl_value_is_int(stream, 0))
        return false;
    for (unsigned i = 0; i < solver->party_count; i++)
        if (op->after >> (i + 1) & 1 && !(solver->event_parties >> (i + 1) & 1) &&
            gl_may_block(solver->parties[i]))
            return true;
    return false;
}

bool gl_is_ordered(struct gl_solver *solver, const struct gl_op *op, const struct gl_value *stream)
{
    if (!gl_is_known_stream(op->work->stream) || !gl_is_known_stream(stream))
        return true;
    return op->after & gl_party_match(solver, stream, false) ||
           is_ordered_by_default_stream(solver, op, stream);
}

// ---- memory
// -------------------------------------------------------------------------------------------------

enum { MOST_OFFSETS = 6 };

struct location {
    const void *base; // a value, or a variable whose memory it is
    const struct gl_value *base_value;
    const void *offsets[MOST_OFFSETS]; // values; names of members
    const struct gl_value *offset_values[MOST_OFFSETS];
    unsigned count;
};

static void add_offset(struct location *location, const void *id, const struct gl_value *value)
{
    if (value && gl_value_is_int(value, 0))
        return;
    if (location->count == MOST_OFFSETS)
        return;
    location->offsets[location->count] = id;
    location->offset_values[location->count++] = value;
}

static bool is_named(const struct gl_value *value, const char *name, unsigned count)
{
    return value->kind == GL_VALUE_COMPUTE && value->arg_count == count && strcmp(value->name, name) == 0;
}

static void locate(const struct gl_value *value, struct location *location)
{
    for (;;) {
        location->base = location->base_value = value;
        if (is_named(value, "guarded", 2)) {
            value = value->args[0];
        } else if (is_named(value, "+", 2)) {
            add_offset(location, value->args[1], value->args[1]);
            value = value->args[0];
        } else if (value->kind == GL_VALUE_ADDRESS) {
            const struct gl_mem *mem = value->mem;
            for (; mem->parent; mem = mem->parent)
                if (mem->kind == GL_MEM_FIELD)
                    add_offset(location, mem->field, NULL);
                else
                    add_offset(location, mem->value, mem->value);
            if (mem->kind != GL_MEM_DEREF) {
                location->base = mem;
                return;
            }
            value = mem->value;
        } else {
            return;
        }
    }
}

const struct gl_value *gl_memory_base(const struct gl_value *value)
{
    struct location location = {.count = 0};
    locate(value, &location);
    return location.base_value;
}

static bool may_be_zero(const struct gl_value *value, unsigned depth)
{
    if (!value || depth > 6)
        return false;
    const struct gl_value *earlier = gl_value_earlier(value);
    if (earlier)
        return may_be_zero(earlier, depth + 1);
    if (value->kind == GL_VALUE_INT)
        return value->integer == 0;
    if (value->kind == GL_VALUE_PHI) {
        for (unsigned i = 0; i < value->arg_count; i++)
            if (gl_value_is_int(value->args[i], 0))
                return true;
        return false;
    }
    if (is_named(value, "*", 2))
        return may_be_zero(value->args[0], depth + 1) || may_be_zero(value->args[1], depth + 1);
    if (is_named(value, "+", 2))
        return may_be_zero(value->args[0], depth + 1) && may_be_zero(value->args[1], depth + 1);
    return false;
}

static bool all_may_be_zero(const struct location *location)
{
    for (unsigned i = 0; i < location->count; i++)
        if (!may_be_zero(location->offset_values[i], 0))
            return false;
    return true;
}

// ---- rings
// --------------------------------------------------------------------------------------------------

enum { DEEPEST_RING = 8 };

static bool is_ring_twin(const struct gl_value *a, const struct gl_value *b, bool is_in_ring, unsigned depth);

static bool is_ring_twin_mem(const struct gl_mem *a, const struct gl_mem *b, bool is_in_ring, unsigned depth)
{
    if (a == b)
        return true;
    if (!a || !b || a->kind != b->kind || a->field != b->field || a->var != b->var)
        return false;
    if ((a->value || b->value) &&
        !(a->value && b->value && is_ring_twin(a->value, b->value, is_in_ring, depth + 1)))
        return false;
    return a->parent == b->parent || is_ring_twin_mem(a->parent, b->parent, is_in_ring, depth);
}

// buffers[i % n] of this round and of an earlier one: after n rounds the same again.
static bool is_ring_twin(const struct gl_value *a, const struct gl_value *b, bool is_in_ring, unsigned depth)
{
    if (a == b)
        return true;
    if (depth > DEEPEST_RING)
        return false;
    if (is_in_ring && (gl_value_earlier(a) == b || gl_value_earlier(b) == a))
        return true;
    if (a->kind != b->kind || a->name != b->name || a->arg_count != b->arg_count || a->origin != b->origin)
        return false;
    if (a->kind == GL_VALUE_INIT || a->kind == GL_VALUE_ADDRESS)
        return is_ring_twin_mem(a->mem, b->mem, is_in_ring, depth + 1);
    bool is_made = a->kind == GL_VALUE_COMPUTE || a->kind == GL_VALUE_FIELD;
    bool is_ring = is_in_ring || is_named(a, "%", 2) || is_named(a, "&", 2);
    for (unsigned i = 0; is_made && i < a->arg_count; i++)
        if (!is_ring_twin(a->args[i], b->args[i], is_ring, depth + 1))
            return false;
    return is_made;
}

static bool same_offsets(const struct location *a, const struct location *b)
{
    if (!a->count || !b->count)
        return all_may_be_zero(a) && all_may_be_zero(b);
    if (a->count != b->count)
        return false;
    for (unsigned i = 0; i < a->count; i++)
        if (!a->offsets[i] || !b->offsets[i] ||
            (a->offsets[i] != b->offsets[i] &&
             !(a->offset_values[i] && b->offset_values[i] &&
               is_ring_twin(a->offset_values[i], b->offset_values[i], false, 0))))
            return false;
    return true;
}

bool gl_memory_overlaps(const struct gl_value *a, const struct gl_value *b)
{
    struct location left = {.count = 0}, right = {.count = 0};
    locate(a, &left);
    locate(b, &right);
    bool is_same = left.base == right.base || is_ring_twin(left.base_value, right.base_value, false, 0);
    return is_same && same_offsets(&left, &right);
}

bool gl_memory_belongs(const struct gl_value *value, const struct gl_value *owner)
{
    struct location left = {.count = 0}, right = {.count = 0};
    locate(value, &left);
    locate(owner, &right);
    if (left.base == right.base)
        return true;
    struct gl_value_set handles;
    gl_value_handles(value, &handles);
    for (unsigned i = 0; i < handles.count; i++)
        if (handles.items[i] == owner && !handles.loaded[i])
            return true;
    return false;
}

bool gl_is_stack(const struct gl_value *value)
{
    struct location location = {.count = 0};
    locate(value, &location);
    return location.base_value->kind == GL_VALUE_ADDRESS;
}

bool gl_is_pageable(const struct gl_value *value)
{
    const struct gl_value *base = gl_memory_base(value);
    return base->kind == GL_VALUE_ADDRESS || base->kind == GL_VALUE_STRING ||
           (base->kind == GL_VALUE_FRESH && base->integer & GL_SLOT_PAGEABLE);
}

const struct gl_value *gl_memory_of_pool(struct gl_values *values, const struct gl_value *pool)
{
    return gl_value_compute(values, "pool-of", &pool, 1);
}
