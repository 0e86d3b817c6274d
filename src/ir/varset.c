// SPDX-License-Identifier: Apache-2.0
// The shared sets: every node exists once, found by its content in a map.
#include "ir/varset.h"

#include "base/arena.h"

#include <stdint.h>

struct gl_varset {
    const struct gl_varset *halves[2]; // of an inner node: lower and upper ids
    uint64_t bits;                     // of a leaf
};

static const struct gl_varset empty_set;

const struct gl_varset *gl_varset_empty(void)
{
    return &empty_set;
}

void gl_varsets_init(struct gl_varsets *sets, struct gl_arena *arena, size_t id_count)
{
    sets->arena = arena;
    sets->depth = 0;
    while (((size_t)64 << sets->depth) < id_count)
        sets->depth++;
}

void gl_varsets_free(struct gl_varsets *sets)
{
    gl_map_free(&sets->leaves);
    gl_map_free(&sets->nodes);
}

static const struct gl_varset *leaf_get(struct gl_varsets *sets, uint64_t bits)
{
    if (!bits)
        return &empty_set;
    void **slot = gl_map_put(&sets->leaves, (const void *)(uintptr_t)bits, NULL);
    if (!*slot) {
        struct gl_varset *leaf = GL_ARENA_NEW(sets->arena, struct gl_varset);
        leaf->bits = bits;
        *slot = leaf;
    }
    return *slot;
}

static const struct gl_varset *node_get(struct gl_varsets *sets, const struct gl_varset *lower,
                                        const struct gl_varset *upper)
{
    if (lower == &empty_set && upper == &empty_set)
        return &empty_set;
    void **slot = gl_map_put(&sets->nodes, lower, upper);
    if (!*slot) {
        struct gl_varset *node = GL_ARENA_NEW(sets->arena, struct gl_varset);
        node->halves[0] = lower;
        node->halves[1] = upper;
        *slot = node;
    }
    return *slot;
}

// Which half of a node `level` levels above the leaves holds the id.
static unsigned half_of(unsigned id, unsigned level)
{
    return id >> (5 + level) & 1;
}

static const struct gl_varset *half_get(const struct gl_varset *set, unsigned half)
{
    return set == &empty_set ? set : set->halves[half];
}

bool gl_varset_has(const struct gl_varsets *sets, const struct gl_varset *set, unsigned id)
{
    for (unsigned level = sets->depth; level; level--)
        set = half_get(set, half_of(id, level));
    return set->bits >> (id & 63) & 1;
}

static const struct gl_varset *set_change(struct gl_varsets *sets, const struct gl_varset *set,
                                          unsigned level, unsigned id, bool is_member)
{
    if (level == 0) {
        uint64_t bit = UINT64_C(1) << (id & 63);
        return leaf_get(sets, is_member ? set->bits | bit : set->bits & ~bit);
    }
    const struct gl_varset *halves[2] = {half_get(set, 0), half_get(set, 1)};
    unsigned half = half_of(id, level);
    halves[half] = set_change(sets, halves[half], level - 1, id, is_member);
    return node_get(sets, halves[0], halves[1]);
}

const struct gl_varset *gl_varset_with(struct gl_varsets *sets, const struct gl_varset *set, unsigned id)
{
    return set_change(sets, set, sets->depth, id, true);
}

const struct gl_varset *gl_varset_without(struct gl_varsets *sets, const struct gl_varset *set, unsigned id)
{
    return set_change(sets, set, sets->depth, id, false);
}

static const struct gl_varset *set_meet(struct gl_varsets *sets, const struct gl_varset *a,
                                        const struct gl_varset *b, unsigned level)
{
    if (a == b)
        return a;
    if (a == &empty_set || b == &empty_set)
        return &empty_set;
    if (level == 0)
        return leaf_get(sets, a->bits & b->bits);
    const struct gl_varset *lower = set_meet(sets, a->halves[0], b->halves[0], level - 1);
    return node_get(sets, lower, set_meet(sets, a->halves[1], b->halves[1], level - 1));
}

const struct gl_varset *gl_varset_meet(struct gl_varsets *sets, const struct gl_varset *a,
                                       const struct gl_varset *b)
{
    return set_meet(sets, a, b, sets->depth);
}
