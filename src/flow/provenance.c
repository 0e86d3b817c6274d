// SPDX-License-Identifier: Apache-2.0
// From a value back to the guards and owners it must depend on.
#include "flow/value.h"

bool gl_value_is_int(const struct gl_value *value, int64_t integer)
{
    return value->kind == GL_VALUE_INT && value->integer == integer;
}

bool gl_value_set_has(const struct gl_value_set *set, const struct gl_value *value)
{
    for (unsigned i = 0; i < set->count; i++)
        if (set->items[i] == value)
            return true;
    return false;
}

static void set_add(struct gl_value_set *set, const struct gl_value *value, bool is_loaded)
{
    for (unsigned i = 0; i < set->count; i++) {
        if (set->items[i] != value)
            continue;
        set->loaded[i] = set->loaded[i] && is_loaded;
        return;
    }
    if (set->count == sizeof set->items / sizeof set->items[0])
        return;
    set->loaded[set->count] = is_loaded;
    set->items[set->count++] = value;
}

static void set_intersect(struct gl_value_set *set, const struct gl_value_set *other)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < set->count; i++)
        if (gl_value_set_has(other, set->items[i])) {
            set->loaded[kept] = set->loaded[i];
            set->items[kept++] = set->items[i];
        }
    set->count = kept;
}

// The chain of phis that are being looked into: a phi that feeds itself adds nothing.
struct walk {
    const struct walk *outer;
    const struct gl_value *phi;
    unsigned depth;
    unsigned *steps; // left for the whole question
};

// Longer derivations are not followed to their end: nothing is said about what lies beyond.
enum { DEEPEST = 64, MOST_STEPS = 200 };

static bool is_being_walked(const struct walk *walk, const struct gl_value *phi)
{
    for (; walk; walk = walk->outer)
        if (walk->phi == phi)
            return true;
    return false;
}

static void collect(const struct gl_value *value, struct gl_value_set *out_set, const struct walk *outer);

static void add_all(struct gl_value_set *set, const struct gl_value_set *part, bool is_loaded)
{
    set->is_open |= part->is_open;
    set->has_phi |= part->has_phi;
    for (unsigned i = 0; i < part->count; i++)
        set_add(set, part->items[i], is_loaded || part->loaded[i]);
}

static void collect_into(const struct gl_value *value, struct gl_value_set *set, const struct walk *walk,
                         bool is_loaded)
{
    struct gl_value_set part;
    collect(value, &part, walk);
    add_all(set, &part, is_loaded);
}

// Null and never-written arguments carry no pointer, so they do not weaken what the others have in common.
static void collect_phi(const struct gl_value *phi, struct gl_value_set *set, const struct walk *outer)
{
    struct walk walk = {outer, phi, outer->depth + 1, outer->steps};
    struct gl_value_set common = {.count = 0};
    bool is_first = true;
    if (phi->arg_count >= GL_MOST_PHI_ARGS)
        return;
    for (unsigned i = 0; i < phi->arg_count; i++) {
        const struct gl_value *arg = phi->args[i];
        if (arg->kind == GL_VALUE_INT || arg->kind == GL_VALUE_UNINIT)
            continue;
        struct gl_value_set part;
        collect(arg, &part, &walk);
        if (part.is_open)
            continue;
        if (is_first)
            common = part;
        else
            set_intersect(&common, &part);
        is_first = false;
    }
    set->is_open |= is_first && phi->arg_count;
    add_all(set, &common, false);
}

static void collect_new(const struct gl_value *value, struct gl_value_set *set, const struct walk *walk)
{
    switch (value->kind) {
    case GL_VALUE_INIT: { // read through a pointer, when nothing was known to be stored there
        const struct gl_mem *root = gl_mem_root(value->mem);
        set_add(set, value, false);
        if (root->kind == GL_MEM_DEREF)
            collect_into(root->value, set, walk, true);
        break;
    }
    case GL_VALUE_FRESH:
        set_add(set, value, false);
        break;
    case GL_VALUE_FIELD:
        set_add(set, value, false);
        collect_into(value->args[0], set, walk, false);
        break;
    case GL_VALUE_COMPUTE:
        if (gl_value_shared_with(value)) // what it shares with may end: this one keeps it alive
            set_add(set, value, false);
        else
            for (unsigned i = 0; i < value->arg_count; i++)
                collect_into(value->args[i], set, walk, false);
        break;
    case GL_VALUE_ADDRESS: {
        const struct gl_mem *root = gl_mem_root(value->mem);
        if (root->kind == GL_MEM_DEREF)
            collect_into(root->value, set, walk, false);
        break;
    }
    case GL_VALUE_PHI:
        set->has_phi = true;
        set_add(set, value, false);
        collect_phi(value, set, walk);
        break;
    default:
        break;
    }
}

static void collect(const struct gl_value *value, struct gl_value_set *out_set, const struct walk *outer)
{
    *out_set = (struct gl_value_set){.count = 0};
    if (value->kind == GL_VALUE_PHI && is_being_walked(outer, value)) {
        out_set->is_open = out_set->has_phi = true;
        return;
    }
    struct gl_value_notes *notes = value->notes;
    bool is_fresh = notes->handles && (!notes->handles->has_phi || notes->handles_age == gl_values_age(value->table));
    if (is_fresh) {
        *out_set = *notes->handles;
        return;
    }
    struct walk walk = {outer, NULL, outer->depth + 1, outer->steps};
    if (walk.depth > DEEPEST || *walk.steps == 0) {
        out_set->has_phi = true; // not the whole answer: not to be kept
        return;
    }
    --*walk.steps;
    collect_new(value, out_set, &walk);
    if (out_set->is_open && outer->depth) // holds only inside the phis that are being looked into
        return;
    if (!notes->handles)
        notes->handles = gl_arena_alloc(gl_values_arena(value->table), sizeof *out_set);
    *notes->handles = *out_set;
    notes->handles_age = gl_values_age(value->table);
}

void gl_value_handles(const struct gl_value *value, struct gl_value_set *out_set)
{
    unsigned steps = MOST_STEPS;
    struct walk root = {.steps = &steps};
    collect(value, out_set, &root);
}

// ---- dependence -------------------------------------------------------------------------------------------

struct search {
    const struct gl_value *part; // or NULL:
    const void *phi_origin;      // any phi of this block; NULL: any phi
    uint64_t walk;
};

static bool finds_in_mem(const struct search *search, const struct gl_mem *mem);

static bool finds(const struct search *search, const struct gl_value *value)
{
    if (value == search->part)
        return true;
    if (value->kind == GL_VALUE_PHI)
        return !search->part && (!search->phi_origin || value->origin == search->phi_origin);
    if (value->notes->walk == search->walk)
        return false; // looked at on another way
    value->notes->walk = search->walk;
    if (value->mem && finds_in_mem(search, value->mem))
        return true;
    for (unsigned i = 0; i < value->arg_count; i++)
        if (finds(search, value->args[i]))
            return true;
    return false;
}

static bool finds_in_mem(const struct search *search, const struct gl_mem *mem)
{
    for (; mem; mem = mem->parent)
        if (mem->value && finds(search, mem->value))
            return true;
    return false;
}

bool gl_value_depends_on(const struct gl_value *value, const struct gl_value *part)
{
    struct search search = {.part = part, .walk = gl_values_new_walk(value->table)};
    return finds(&search, value);
}

bool gl_value_speaks_of_phi(const struct gl_value *value, const void *origin)
{
    struct search search = {.phi_origin = origin, .walk = gl_values_new_walk(value->table)};
    return finds(&search, value);
}
