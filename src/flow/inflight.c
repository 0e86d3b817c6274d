// SPDX-License-Identifier: Apache-2.0
// The in-flight part of states: copies, joins, and the renaming of what an earlier round of a loop left
// behind.
#include "flow/state.h"

#include <string.h>

enum { MOST_NOTES = 40 };

static uint64_t mix(uint64_t hash, uint64_t part)
{
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

#define CLONE(to, from)                                                                                      \
    do {                                                                                                     \
        if ((from).count) {                                                                                  \
            (to).items = gl_xmalloc((from).count * sizeof *(from).items);                                    \
            memcpy((to).items, (from).items, (from).count * sizeof *(from).items);                           \
            (to).count = (to).capacity = (from).count;                                                       \
        }                                                                                                    \
    } while (0)

void gl_inflight_clone(struct gl_inflight *to, const struct gl_inflight *from)
{
    *to = (struct gl_inflight){.order = from->order};
    CLONE(to->ops, from->ops);
    CLONE(to->notes, from->notes);
}

void gl_inflight_free(struct gl_inflight *inflight)
{
    GL_VEC_FREE(&inflight->ops);
    GL_VEC_FREE(&inflight->notes);
}

void gl_inflight_op_drop(struct gl_inflight *inflight, size_t index)
{
    memmove(&inflight->ops.items[index], &inflight->ops.items[index + 1],
            (inflight->ops.count - index - 1) * sizeof *inflight->ops.items);
    inflight->ops.count--;
}

// ---- notes ------------------------------------------------------------------------------------------------

static bool same_note(const struct gl_note *a, const struct gl_note *b)
{
    return a->kind == b->kind && a->value == b->value && a->other == b->other && a->text == b->text;
}

static void note_drop_at(struct gl_inflight *inflight, size_t index)
{
    memmove(&inflight->notes.items[index], &inflight->notes.items[index + 1],
            (inflight->notes.count - index - 1) * sizeof *inflight->notes.items);
    inflight->notes.count--;
}

void gl_inflight_note(struct gl_state *state, const struct gl_note *note)
{
    struct gl_inflight *inflight = &state->inflight;
    bool is_history = note->kind == GL_NOTE_RECORD || note->kind == GL_NOTE_WAIT;
    for (size_t i = 0; !is_history && i < inflight->notes.count; i++)
        if (same_note(&inflight->notes.items[i], note))
            return;
    if (inflight->notes.count >= MOST_NOTES)
        note_drop_at(inflight, 0);
    GL_VEC_PUSH(&inflight->notes, *note);
    inflight->notes.items[inflight->notes.count - 1].order = inflight->order++;
}

const struct gl_note *gl_inflight_find(const struct gl_state *state, enum gl_note_kind kind,
                                       const struct gl_value *value, const struct gl_value *other)
{
    for (size_t i = state->inflight.notes.count; i-- > 0;) {
        const struct gl_note *note = &state->inflight.notes.items[i];
        if (note->kind == kind && note->value == value && (!other || note->other == other))
            return note;
    }
    return NULL;
}

void gl_inflight_note_drop(struct gl_state *state, enum gl_note_kind kind, const struct gl_value *value)
{
    for (size_t i = state->inflight.notes.count; i-- > 0;) {
        const struct gl_note *note = &state->inflight.notes.items[i];
        if (note->kind == kind && note->value == value)
            note_drop_at(&state->inflight, i);
    }
}

// ---- joins ------------------------------------------------------------------------------------------------

// Notes that speak for somebody hold if they hold on one way; those that accuse must hold on both.
static bool is_excuse(enum gl_note_kind kind)
{
    return kind == GL_NOTE_USED_ON || kind == GL_NOTE_BUSY || kind == GL_NOTE_RECORD || kind == GL_NOTE_WAIT;
}

// Where the work is enqueued, whatever the round of a loop.
static uint64_t site_key(const struct gl_work *work)
{
    return mix((uint64_t)(uintptr_t)work->instr, (uint64_t)(uintptr_t)work->site->inner);
}

uint64_t gl_inflight_key(const struct gl_state *state)
{
    uint64_t key = 0;
    for (size_t i = 0; i < state->inflight.ops.count; i++) {
        const struct gl_op *op = &state->inflight.ops.items[i];
        bool has_others = op->work->stream ? op->after & (op->after - 1) : op->after != 0;
        key += mix(mix(site_key(op->work), (uint64_t)op->is_maybe * 2 + has_others), op->holders != 0);
    }
    for (size_t i = 0; i < state->inflight.notes.count; i++) {
        const struct gl_note *note = &state->inflight.notes.items[i];
        if (note->kind == GL_NOTE_GONE || note->kind == GL_NOTE_CAPTURE)
            key += mix(mix(2, note->kind), note->value->id);
    }
    return key;
}

static struct gl_op *find_op(const struct gl_inflight *inflight, uint64_t hash)
{
    for (size_t i = 0; i < inflight->ops.count; i++)
        if (inflight->ops.items[i].work->hash == hash)
            return &inflight->ops.items[i];
    return NULL;
}

static bool has_site(const struct gl_inflight *inflight, const struct gl_work *work)
{
    for (size_t i = 0; i < inflight->ops.count; i++)
        if (site_key(inflight->ops.items[i].work) == site_key(work) && !inflight->ops.items[i].is_maybe)
            return true;
    return false;
}

static bool op_join(struct gl_op *into, const struct gl_op *from)
{
    uint64_t after = into->after | from->after, holders = into->holders | from->holders;
    bool is_maybe = into->is_maybe || from->is_maybe || into->is_captured != from->is_captured;
    bool changed = after != into->after || holders != into->holders || is_maybe != into->is_maybe;
    into->after = after;
    into->holders = holders;
    into->is_maybe = is_maybe;
    if (from->order > into->order)
        into->order = from->order;
    return changed;
}

static bool ops_join(struct gl_inflight *into, const struct gl_inflight *from)
{
    enum { MOST_JOINED = 24 };
    bool changed = false;
    for (size_t i = 0; i < into->ops.count; i++) {
        struct gl_op *op = &into->ops.items[i];
        const struct gl_op *other = find_op(from, op->work->hash);
        if (other) {
            changed |= op_join(op, other);
        } else if (!op->is_maybe && !has_site(from, op->work)) {
            op->is_maybe = changed = true;
        }
    }
    for (size_t i = 0; i < from->ops.count && into->ops.count < MOST_JOINED; i++) {
        if (find_op(into, from->ops.items[i].work->hash))
            continue;
        struct gl_op added = from->ops.items[i];
        added.is_maybe |= !has_site(into, added.work); // else the same work in another round
        GL_VEC_PUSH(&into->ops, added);
        changed = true;
    }
    return changed;
}

static bool has_note(const struct gl_inflight *inflight, const struct gl_note *note)
{
    for (size_t i = 0; i < inflight->notes.count; i++)
        if (same_note(&inflight->notes.items[i], note))
            return true;
    return false;
}

static bool notes_join(struct gl_inflight *into, const struct gl_inflight *from)
{
    bool changed = false;
    for (size_t i = into->notes.count; i-- > 0;) {
        if (is_excuse(into->notes.items[i].kind) || has_note(from, &into->notes.items[i]))
            continue;
        note_drop_at(into, i);
        changed = true;
    }
    for (size_t i = 0; i < from->notes.count && into->notes.count < MOST_NOTES; i++) {
        const struct gl_note *note = &from->notes.items[i];
        if (!is_excuse(note->kind) || has_note(into, note))
            continue;
        GL_VEC_PUSH(&into->notes, *note);
        changed = true;
    }
    return changed;
}

bool gl_inflight_join(struct gl_state *into, const struct gl_state *from)
{
    bool changed = ops_join(&into->inflight, &from->inflight);
    changed |= notes_join(&into->inflight, &from->inflight);
    if (from->inflight.order > into->inflight.order)
        into->inflight.order = from->inflight.order; // decides nothing by itself
    return changed;
}

// ---- earlier rounds ---------------------------------------------------------------------------------------

static const char earlier_name[] = "earlier";

const struct gl_value *gl_value_earlier(const struct gl_value *value)
{
    return value->kind == GL_VALUE_COMPUTE && value->name == earlier_name ? value->args[0] : NULL;
}

struct aging {
    struct gl_values *values;
    const void *origin;
    const struct gl_value *from, *to;
};

enum { DEEPEST = 12, MOST_ARGS = 8 };

static const struct gl_value *age(const struct aging *aging, const struct gl_value *value, unsigned depth);

static const struct gl_mem *age_mem(const struct aging *aging, const struct gl_mem *mem, unsigned depth)
{
    if (depth > DEEPEST)
        return mem;
    switch (mem->kind) {
    case GL_MEM_DEREF:
        return gl_mem_deref(aging->values, age(aging, mem->value, depth + 1));
    case GL_MEM_FIELD: {
        const struct gl_mem *parent = age_mem(aging, mem->parent, depth + 1);
        return parent == mem->parent ? mem : gl_mem_field(aging->values, parent, mem->field);
    }
    case GL_MEM_INDEX: {
        const struct gl_mem *parent = age_mem(aging, mem->parent, depth + 1);
        const struct gl_value *index = mem->value ? age(aging, mem->value, depth + 1) : NULL;
        bool is_same = parent == mem->parent && index == mem->value;
        return is_same ? mem : gl_mem_index(aging->values, parent, index);
    }
    default:
        return mem;
    }
}

static const struct gl_value *age_args(const struct aging *aging, const struct gl_value *value,
                                       unsigned depth)
{
    const struct gl_value *args[MOST_ARGS];
    bool is_changed = false;
    if (value->arg_count > MOST_ARGS || gl_value_earlier(value))
        return value;
    for (unsigned i = 0; i < value->arg_count; i++) {
        args[i] = age(aging, value->args[i], depth + 1);
        is_changed |= args[i] != value->args[i];
    }
    if (!is_changed)
        return value;
    if (value->kind == GL_VALUE_FIELD)
        return gl_value_field(aging->values, args[0], value->name);
    if (value->kind == GL_VALUE_COMPARE)
        return gl_value_compare(aging->values, (enum gl_ir_compare)value->integer, args[0], args[1]);
    return gl_value_compute(aging->values, value->name, args, value->arg_count);
}

static const struct gl_value *age(const struct aging *aging, const struct gl_value *value, unsigned depth)
{
    if (depth > DEEPEST)
        return value;
    if (value == aging->from)
        return aging->to;
    switch (value->kind) {
    case GL_VALUE_PHI:
        return aging->origin && value->origin == aging->origin
                   ? gl_value_compute(aging->values, earlier_name, &value, 1)
                   : value;
    case GL_VALUE_ADDRESS:
    case GL_VALUE_INIT: {
        const struct gl_mem *mem = age_mem(aging, value->mem, depth);
        if (mem == value->mem)
            return value;
        return value->kind == GL_VALUE_INIT ? gl_value_init(aging->values, mem)
                                            : gl_value_address(aging->values, mem);
    }
    case GL_VALUE_COMPUTE:
    case GL_VALUE_COMPARE:
    case GL_VALUE_FIELD:
        return age_args(aging, value, depth);
    default:
        return value;
    }
}

const struct gl_value *gl_value_aged(struct gl_values *values, const struct gl_value *value,
                                     const void *origin, const struct gl_value *from,
                                     const struct gl_value *to)
{
    struct aging aging = {values, origin, from, to};
    return age(&aging, value, 0);
}
