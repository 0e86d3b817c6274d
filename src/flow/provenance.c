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
    bool is_loaded;
};

enum { DEEPEST = 24 }; // deeper chains of derivation are not followed: nothing is said about them

static bool is_being_walked(const struct walk *walk, const struct gl_value *phi)
{
    for (; walk; walk = walk->outer)
        if (walk->phi == phi)
            return true;
    return false;
}

static void collect(const struct gl_value *value, struct gl_value_set *set, const struct walk *outer);

// Null and never-written arguments carry no pointer, so they do not weaken what the others have in common.
static void collect_phi(const struct gl_value *phi, struct gl_value_set *set, const struct walk *outer)
{
    struct walk walk = {outer, phi, outer ? outer->depth + 1 : 0, outer && outer->is_loaded};
    struct gl_value_set common = {.count = 0};
    bool is_first = true;
    for (unsigned i = 0; i < phi->arg_count; i++) {
        const struct gl_value *arg = phi->args[i];
        if (arg->kind == GL_VALUE_INT || arg->kind == GL_VALUE_UNINIT)
            continue;
        struct gl_value_set part = {.count = 0};
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
    for (unsigned i = 0; i < common.count; i++)
        set_add(set, common.items[i], common.loaded[i]);
}

// A value read through a pointer, when nothing was known to be stored there.
static void collect_loaded(const struct gl_mem *mem, struct gl_value_set *set, struct walk *walk)
{
    const struct gl_mem *root = gl_mem_root(mem);
    walk->is_loaded = true;
    if (root->kind == GL_MEM_DEREF)
        collect(root->value, set, walk);
}

static void collect_args(const struct gl_value *value, struct gl_value_set *set, const struct walk *walk)
{
    for (unsigned i = 0; i < value->arg_count; i++)
        collect(value->args[i], set, walk);
}

static void collect(const struct gl_value *value, struct gl_value_set *set, const struct walk *outer)
{
    if (outer && outer->depth > DEEPEST)
        return;
    bool is_loaded = outer && outer->is_loaded;
    struct walk walk = {outer, NULL, outer ? outer->depth + 1 : 0, is_loaded};
    switch (value->kind) {
    case GL_VALUE_INIT:
        set_add(set, value, is_loaded);
        collect_loaded(value->mem, set, &walk);
        break;
    case GL_VALUE_FRESH:
        set_add(set, value, is_loaded);
        break;
    case GL_VALUE_FIELD:
        set_add(set, value, is_loaded);
        collect(value->args[0], set, &walk);
        break;
    case GL_VALUE_COMPUTE:
        if (gl_value_shared_with(value)) // what it shares with may end: this one keeps it alive
            set_add(set, value, is_loaded);
        else
            collect_args(value, set, &walk);
        break;
    case GL_VALUE_ADDRESS: {
        const struct gl_mem *root = gl_mem_root(value->mem);
        if (root->kind == GL_MEM_DEREF)
            collect(root->value, set, &walk);
        break;
    }
    case GL_VALUE_PHI:
        if (is_being_walked(outer, value)) {
            set->is_open = true;
            break;
        }
        set_add(set, value, is_loaded);
        collect_phi(value, set, outer);
        break;
    default:
        break;
    }
}

void gl_value_handles(const struct gl_value *value, struct gl_value_set *out_set)
{
    out_set->count = 0;
    out_set->is_open = false;
    collect(value, out_set, NULL);
}

static bool mem_depends_on(const struct gl_mem *mem, const struct gl_value *part, unsigned depth);

static bool depends_on(const struct gl_value *value, const struct gl_value *part, unsigned depth)
{
    if (value == part)
        return true;
    if (depth > DEEPEST)
        return true; // not known: the careful answer
    if (value->mem && value->kind != GL_VALUE_PHI && mem_depends_on(value->mem, part, depth + 1))
        return true;
    if (value->kind == GL_VALUE_PHI)
        return false;
    for (unsigned i = 0; i < value->arg_count; i++)
        if (depends_on(value->args[i], part, depth + 1))
            return true;
    return false;
}

static bool mem_depends_on(const struct gl_mem *mem, const struct gl_value *part, unsigned depth)
{
    for (; mem; mem = mem->parent)
        if (mem->value && depends_on(mem->value, part, depth))
            return true;
    return false;
}

bool gl_value_depends_on(const struct gl_value *value, const struct gl_value *part)
{
    return depends_on(value, part, 0);
}
