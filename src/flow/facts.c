// SPDX-License-Identifier: Apache-2.0
// Branch facts: what a state knows about conditions, and which ways it knows to be impossible.
#include "flow/state.h"

#include <string.h>

static size_t fact_at(const struct gl_state *state, const struct gl_value *value)
{
    size_t low = 0, high = state->facts.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (state->facts.items[middle].value->id < value->id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct gl_fact *fact_of(const struct gl_state *state, const struct gl_value *value)
{
    size_t at = fact_at(state, value);
    return at < state->facts.count && state->facts.items[at].value == value ? &state->facts.items[at] : NULL;
}

static void fact_set(struct gl_state *state, const struct gl_value *value, bool is_equal, int64_t constant)
{
    size_t at = fact_at(state, value);
    struct gl_fact fact = {value, is_equal, constant};
    if (at < state->facts.count && state->facts.items[at].value == value) {
        if (is_equal || constant == 0) // "not null" says more than "not 7"
            state->facts.items[at] = fact;
        return;
    }
    GL_VEC_PUSH(&state->facts, fact);
    memmove(&state->facts.items[at + 1], &state->facts.items[at],
            (state->facts.count - 1 - at) * sizeof *state->facts.items);
    state->facts.items[at] = fact;
}

bool gl_state_constant(const struct gl_state *state, const struct gl_value *value, int64_t *out_constant)
{
    if (value->kind == GL_VALUE_INT) {
        *out_constant = value->integer;
        return true;
    }
    const struct gl_fact *fact = fact_of(state, value);
    if (!fact || !fact->is_equal)
        return false;
    *out_constant = fact->constant;
    return true;
}

int gl_state_truth(const struct gl_state *state, const struct gl_value *condition)
{
    if (condition->kind == GL_VALUE_INT)
        return condition->integer != 0;
    if (condition->kind == GL_VALUE_ADDRESS || condition->kind == GL_VALUE_FUNCTION ||
        condition->kind == GL_VALUE_STRING)
        return 1;
    const struct gl_fact *fact = fact_of(state, condition);
    if (fact && fact->is_equal)
        return fact->constant != 0;
    if (fact && fact->constant == 0)
        return 1;
    if (condition->kind != GL_VALUE_COMPARE || condition->integer != GL_CMP_EQ)
        return -1;
    const struct gl_value *left = condition->args[0], *right = condition->args[1];
    int64_t constant, other;
    if (!gl_state_constant(state, right, &constant))
        return -1;
    if (gl_state_constant(state, left, &other))
        return other == constant;
    const struct gl_fact *left_fact = fact_of(state, left);
    if (left_fact && !left_fact->is_equal && left_fact->constant == constant)
        return 0;
    if (constant != 0)
        return -1;
    int truth = gl_state_truth(state, left);
    return truth < 0 ? -1 : !truth;
}

static bool is_made_by(const struct gl_value *value, const void *origin)
{
    if (value->kind == GL_VALUE_FRESH)
        return value->origin == origin;
    return value->kind == GL_VALUE_COMPUTE && value->arg_count && is_made_by(value->args[0], origin);
}

// A handle, or the pointer that came with it, that is null was never acquired.
static void drop_null_guard(struct gl_state *state, const struct gl_value *value)
{
    struct gl_value_set handles;
    gl_value_handles(value, &handles);
    for (unsigned i = 0; i < handles.count; i++) {
        const struct gl_value *handle = handles.items[i];
        const struct gl_resource *resource = gl_state_resource(state, handle);
        bool is_one = handle == value || (handle->kind == GL_VALUE_FRESH && is_made_by(value, handle->origin));
        if (resource && !resource->state && is_one)
            gl_state_resource_drop(state, handle);
    }
}

bool gl_state_assume_equal(struct gl_state *state, const struct gl_value *value, int64_t constant, bool is_equal)
{
    int64_t known;
    if (gl_state_constant(state, value, &known))
        return (known == constant) == is_equal;
    if (is_equal) {
        const struct gl_fact *fact = fact_of(state, value);
        if (fact && !fact->is_equal && fact->constant == constant)
            return false;
        if (constant == 0 && gl_state_truth(state, value) == 1)
            return false;
    }
    fact_set(state, value, is_equal, constant);
    if (is_equal && constant == 0)
        drop_null_guard(state, value);
    return true;
}

bool gl_state_assume(struct gl_state *state, const struct gl_value *condition, bool is_true)
{
    int truth = gl_state_truth(state, condition);
    if (truth >= 0)
        return truth == is_true;
    if (condition->kind == GL_VALUE_UNDEF || condition->kind == GL_VALUE_UNINIT)
        return true;
    if (condition->kind == GL_VALUE_COMPARE) {
        fact_set(state, condition, true, is_true);
        int64_t constant;
        if (condition->integer != GL_CMP_EQ || !gl_state_constant(state, condition->args[1], &constant))
            return true;
        if (constant == 0 && condition->args[0]->kind == GL_VALUE_COMPARE)
            return gl_state_assume(state, condition->args[0], !is_true);
        return gl_state_assume_equal(state, condition->args[0], constant, is_true);
    }
    return gl_state_assume_equal(state, condition, 0, !is_true);
}

void gl_state_forget_facts(struct gl_state *state, const struct gl_value *value)
{
    size_t kept = 0;
    for (size_t i = 0; i < state->facts.count; i++)
        if (!gl_value_depends_on(state->facts.items[i].value, value))
            state->facts.items[kept++] = state->facts.items[i];
    state->facts.count = kept;
}

void gl_state_rename_facts(struct gl_state *state, struct gl_values *values, const struct gl_value *from,
                           const struct gl_value *to)
{
    gl_state_forget_facts(state, to);
    size_t kept = 0, count = state->facts.count;
    struct gl_fact *moved = gl_arena_alloc(gl_values_arena(values), (count + 1) * sizeof *moved);
    size_t moved_count = 0;
    for (size_t i = 0; i < count; i++) {
        struct gl_fact fact = state->facts.items[i];
        fact.value = gl_value_replace(values, fact.value, from, to);
        if (fact.value == state->facts.items[i].value)
            state->facts.items[kept++] = fact;
        else
            moved[moved_count++] = fact;
    }
    state->facts.count = kept;
    for (size_t i = 0; i < moved_count; i++)
        fact_set(state, moved[i].value, moved[i].is_equal, moved[i].constant);
    gl_state_forget_facts(state, from);
}

// The block `origin` is entered again: its phis mean this round's values, and what was known of the last
// round's (the element a[i] was released, say) is no longer known of them.
void gl_state_forget_phis(struct gl_state *state, const void *origin)
{
    size_t kept = 0;
    for (size_t i = 0; i < state->facts.count; i++)
        if (!gl_value_speaks_of_phi(state->facts.items[i].value, origin))
            state->facts.items[kept++] = state->facts.items[i];
    state->facts.count = kept;
    kept = 0;
    for (size_t i = 0; i < state->resources.count; i++)
        if (!gl_value_speaks_of_phi(state->resources.items[i].handle, origin))
            state->resources.items[kept++] = state->resources.items[i];
    state->resources.count = kept;
}
