// SPDX-License-Identifier: Apache-2.0
// One more round of a loop: what the operations in flight speak of belongs to an earlier round from now on.
#include "flow/order.h"

static uint64_t mix(uint64_t hash, uint64_t part)
{
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

struct round {
    struct gl_solver *solver;
    const void *origin;
    const struct gl_value *from, *to;
};

static const struct gl_value *aged(const struct round *round, const struct gl_value *value)
{
    return value ? gl_value_aged(round->solver->values, value, round->origin, round->from, round->to) : NULL;
}

static const struct gl_touch *touches_aged(const struct round *round, const struct gl_touch *touches,
                                           uint64_t *hash)
{
    if (!touches)
        return NULL;
    const struct gl_touch *rest = touches_aged(round, touches->next, hash);
    const struct gl_value *value = aged(round, touches->value);
    *hash = mix(*hash, (uint64_t)value->id * 4 + touches->access);
    if (rest == touches->next && value == touches->value)
        return touches;
    struct gl_touch *copy = gl_arena_copy(gl_values_arena(round->solver->values), touches, sizeof *touches);
    copy->next = rest;
    copy->value = value;
    return copy;
}

static uint64_t after_aged(const struct round *round, uint64_t after)
{
    struct gl_solver *solver = round->solver;
    for (unsigned i = 0; i < solver->party_count; i++) {
        uint64_t bit = 1ull << (i + 1);
        const struct gl_value *party = after & bit ? aged(round, solver->parties[i]) : NULL;
        if (party && party != solver->parties[i])
            after = (after & ~bit) | gl_party_bit(solver, party, solver->event_parties & bit);
    }
    return after;
}

static void op_age(const struct round *round, struct gl_op *op)
{
    const struct gl_work *work = op->work;
    struct gl_work copy = *work;
    copy.stream = aged(round, work->stream);
    copy.hash = mix((uint64_t)(uintptr_t)work->instr, (uint64_t)(uintptr_t)work->site->inner);
    copy.hash = mix(copy.hash, copy.stream ? copy.stream->id + 1 : 0);
    copy.touches = touches_aged(round, work->touches, &copy.hash);
    copy.result = aged(round, work->result);
    copy.scalars = aged(round, work->scalars);
    op->after = after_aged(round, op->after);
    op->polled = aged(round, op->polled);
    bool is_same = copy.stream == work->stream && copy.touches == work->touches;
    if (is_same && copy.result == work->result && copy.scalars == work->scalars)
        return;
    op->work = gl_arena_copy(gl_values_arena(round->solver->values), &copy, sizeof copy);
    op->is_aged |= !is_same;
}

// The same operation of several rounds is one.
static void merge_rounds(struct gl_inflight *inflight)
{
    for (size_t i = inflight->ops.count; i-- > 0;)
        for (size_t k = i; k-- > 0;) {
            if (inflight->ops.items[k].work->hash != inflight->ops.items[i].work->hash)
                continue;
            if (inflight->ops.items[i].is_aged)
                inflight->ops.items[i].after |= inflight->ops.items[k].after;
            gl_inflight_op_drop(inflight, k);
            i--;
        }
}

static void age_all(const struct round *round, struct gl_state *state)
{
    struct gl_inflight *inflight = &state->inflight;
    for (size_t i = 0; i < inflight->ops.count; i++)
        op_age(round, &inflight->ops.items[i]);
    for (size_t i = 0; i < inflight->notes.count; i++) {
        inflight->notes.items[i].value = aged(round, inflight->notes.items[i].value);
        inflight->notes.items[i].other = aged(round, inflight->notes.items[i].other);
    }
    merge_rounds(inflight);
}

void gl_order_enter(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_block *block)
{
    struct round round = {.solver = solver, .origin = block};
    if (state->inflight.ops.count || state->inflight.notes.count)
        age_all(&round, state);
}

void gl_order_refresh(struct gl_solver *solver, struct gl_state *state, const struct gl_value *fresh)
{
    if (!state->inflight.ops.count && !state->inflight.notes.count)
        return;
    struct round round = {.solver = solver, .from = fresh, .to = fresh};
    if (!(fresh->integer & GL_SLOT_OLD_ROUND))
        round.to =
            gl_value_fresh(solver->values, fresh->origin, fresh->integer | GL_SLOT_OLD_ROUND, fresh->loc);
    age_all(&round, state);
}
