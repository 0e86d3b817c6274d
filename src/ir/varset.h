// SPDX-License-Identifier: Apache-2.0
// Sets of variable ids that share their parts: a change costs the logarithm of the ids, equal sets are the
// same pointer, so that joining equal states of a big function costs nothing.
#ifndef GL_IR_VARSET_H
#define GL_IR_VARSET_H

#include "base/map.h"

#include <stdbool.h>
#include <stddef.h>

// A binary tree of fixed depth over words of 64 ids. A set is a pointer to its root.
struct gl_varset;

// Zero-initialise, then gl_varsets_init. The sets live as long as this does.
struct gl_varsets {
    struct gl_arena *arena;
    unsigned depth;
    struct gl_map leaves, nodes;
};

void gl_varsets_init(struct gl_varsets *sets, struct gl_arena *arena, size_t id_count);
void gl_varsets_free(struct gl_varsets *sets);

const struct gl_varset *gl_varset_empty(void);
bool gl_varset_has(const struct gl_varsets *sets, const struct gl_varset *set, unsigned id);
const struct gl_varset *gl_varset_with(struct gl_varsets *sets, const struct gl_varset *set, unsigned id);
const struct gl_varset *gl_varset_without(struct gl_varsets *sets, const struct gl_varset *set, unsigned id);
const struct gl_varset *gl_varset_meet(struct gl_varsets *sets, const struct gl_varset *a,
                                       const struct gl_varset *b);

#endif
