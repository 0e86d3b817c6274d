// SPDX-License-Identifier: Apache-2.0
// The table of values and memory of one function: hash-consing and the folding that keeps equal things equal.
#include "flow/value.h"

#include <string.h>

struct gl_values {
    struct gl_arena arena;
    const void **value_slots, **mem_slots; // open addressing, capacity a power of two
    size_t value_capacity, mem_capacity;
    unsigned value_count, mem_count;
    uint64_t walk, age;
};

enum { FIRST_CAPACITY = 64 };

struct gl_values *gl_values_create(void)
{
    struct gl_values *values = gl_xmalloc(sizeof *values);
    *values = (struct gl_values){.value_capacity = FIRST_CAPACITY, .mem_capacity = FIRST_CAPACITY};
    values->value_slots = calloc(FIRST_CAPACITY, sizeof *values->value_slots);
    values->mem_slots = calloc(FIRST_CAPACITY, sizeof *values->mem_slots);
    if (!values->value_slots || !values->mem_slots)
        gl_out_of_memory(FIRST_CAPACITY);
    return values;
}

void gl_values_destroy(struct gl_values *values)
{
    if (!values)
        return;
    gl_arena_free(&values->arena);
    free(values->value_slots);
    free(values->mem_slots);
    free(values);
}

struct gl_arena *gl_values_arena(struct gl_values *values)
{
    return &values->arena;
}

size_t gl_values_count(const struct gl_values *values)
{
    return values->value_count;
}

uint64_t gl_values_new_walk(struct gl_values *values)
{
    return ++values->walk;
}

uint64_t gl_values_age(const struct gl_values *values)
{
    return values->age;
}

// ---- hashing ----------------------------------------------------------------------------------------------

static uint64_t mix(uint64_t hash, uint64_t part)
{
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

static uint64_t value_hash(const struct gl_value *v)
{
    uint64_t hash = mix(0, v->kind);
    hash = mix(hash, (uint64_t)v->integer);
    hash = mix(hash, (uint64_t)(uintptr_t)v->name);
    hash = mix(hash, (uint64_t)(uintptr_t)v->origin);
    hash = mix(hash, (uint64_t)(uintptr_t)v->mem);
    if (v->kind != GL_VALUE_PHI)
        for (unsigned i = 0; i < v->arg_count; i++)
            hash = mix(hash, v->args[i]->id);
    return hash;
}

static bool value_equal(const struct gl_value *a, const struct gl_value *b)
{
    if (a->hash != b->hash || a->kind != b->kind || a->integer != b->integer || a->name != b->name ||
        a->origin != b->origin || a->mem != b->mem)
        return false;
    if (a->kind == GL_VALUE_PHI)
        return true;
    if (a->arg_count != b->arg_count)
        return false;
    for (unsigned i = 0; i < a->arg_count; i++)
        if (a->args[i] != b->args[i])
            return false;
    return true;
}

static uint64_t mem_hash(const struct gl_mem *m)
{
    uint64_t hash = mix(1, m->kind);
    hash = mix(hash, (uint64_t)(uintptr_t)m->parent);
    hash = mix(hash, (uint64_t)(uintptr_t)m->var);
    hash = mix(hash, (uint64_t)(uintptr_t)m->field);
    return mix(hash, (uint64_t)(uintptr_t)m->value);
}

static bool mem_equal(const struct gl_mem *a, const struct gl_mem *b)
{
    return a->hash == b->hash && a->kind == b->kind && a->parent == b->parent && a->var == b->var &&
           a->field == b->field && a->value == b->value;
}

static void slots_grow(const void ***slots, size_t *capacity, uint64_t (*hash_of)(const void *))
{
    size_t grown = *capacity * 2;
    const void **moved = calloc(grown, sizeof *moved);
    if (!moved)
        gl_out_of_memory(grown);
    for (size_t i = 0; i < *capacity; i++) {
        if (!(*slots)[i])
            continue;
        size_t at = hash_of((*slots)[i]) & (grown - 1);
        while (moved[at])
            at = (at + 1) & (grown - 1);
        moved[at] = (*slots)[i];
    }
    free(*slots);
    *slots = moved;
    *capacity = grown;
}

static uint64_t stored_value_hash(const void *value)
{
    return ((const struct gl_value *)value)->hash;
}

static uint64_t stored_mem_hash(const void *mem)
{
    return ((const struct gl_mem *)mem)->hash;
}

static const struct gl_value *value_get(struct gl_values *values, struct gl_value pattern)
{
    pattern.hash = value_hash(&pattern);
    size_t at = pattern.hash & (values->value_capacity - 1);
    for (; values->value_slots[at]; at = (at + 1) & (values->value_capacity - 1))
        if (value_equal(values->value_slots[at], &pattern))
            return values->value_slots[at];
    struct gl_value *value = gl_arena_copy(&values->arena, &pattern, sizeof pattern);
    if (pattern.arg_count)
        value->args = gl_arena_copy(&values->arena, pattern.args, pattern.arg_count * sizeof(struct gl_value *));
    value->arg_capacity = pattern.arg_count;
    value->id = values->value_count++;
    value->table = values;
    value->notes = GL_ARENA_NEW(&values->arena, struct gl_value_notes);
    values->value_slots[at] = value;
    if ((size_t)values->value_count * 2 > values->value_capacity)
        slots_grow(&values->value_slots, &values->value_capacity, stored_value_hash);
    return value;
}

static const struct gl_mem *mem_get(struct gl_values *values, struct gl_mem pattern)
{
    pattern.hash = mem_hash(&pattern);
    size_t at = pattern.hash & (values->mem_capacity - 1);
    for (; values->mem_slots[at]; at = (at + 1) & (values->mem_capacity - 1))
        if (mem_equal(values->mem_slots[at], &pattern))
            return values->mem_slots[at];
    struct gl_mem *mem = gl_arena_copy(&values->arena, &pattern, sizeof pattern);
    mem->id = values->mem_count++;
    values->mem_slots[at] = mem;
    if ((size_t)values->mem_count * 2 > values->mem_capacity)
        slots_grow(&values->mem_slots, &values->mem_capacity, stored_mem_hash);
    return mem;
}

// ---- values -----------------------------------------------------------------------------------------------

const struct gl_value *gl_value_undef(struct gl_values *values)
{
    return value_get(values, (struct gl_value){.kind = GL_VALUE_UNDEF});
}

const struct gl_value *gl_value_uninit(struct gl_values *values)
{
    return value_get(values, (struct gl_value){.kind = GL_VALUE_UNINIT});
}

const struct gl_value *gl_value_moved(struct gl_values *values)
{
    return value_get(values, (struct gl_value){.kind = GL_VALUE_MOVED});
}

const struct gl_value *gl_value_int(struct gl_values *values, int64_t integer)
{
    return value_get(values, (struct gl_value){.kind = GL_VALUE_INT, .integer = integer});
}

const struct gl_value *gl_value_string(struct gl_values *values, const char *text)
{
    return value_get(values, (struct gl_value){.kind = GL_VALUE_STRING, .name = text});
}

const struct gl_value *gl_value_function(struct gl_values *values, const struct gl_ir_decl *decl)
{
    return value_get(values, (struct gl_value){.kind = GL_VALUE_FUNCTION, .origin = decl});
}

const struct gl_value *gl_value_address(struct gl_values *values, const struct gl_mem *mem)
{
    if (mem->kind == GL_MEM_DEREF) // &*p is p
        return mem->value;
    return value_get(values, (struct gl_value){.kind = GL_VALUE_ADDRESS, .mem = mem});
}

const struct gl_value *gl_value_init(struct gl_values *values, const struct gl_mem *mem)
{
    return value_get(values, (struct gl_value){.kind = GL_VALUE_INIT, .mem = mem});
}

const struct gl_value *gl_value_fresh(struct gl_values *values, const void *origin, int64_t slot,
                                      struct gl_ir_loc loc)
{
    return value_get(values, (struct gl_value){
                                 .kind = GL_VALUE_FRESH, .origin = origin, .integer = slot, .loc = loc});
}

static bool both_ints(const struct gl_value *const *args, unsigned count)
{
    return count == 2 && args[0]->kind == GL_VALUE_INT && args[1]->kind == GL_VALUE_INT;
}

const struct gl_value *gl_value_compute(struct gl_values *values, const char *name,
                                        const struct gl_value *const *args, unsigned count)
{
    bool is_plus = strcmp(name, "+") == 0, is_minus = strcmp(name, "-") == 0;
    if ((is_plus || is_minus) && count == 2 && gl_value_is_int(args[1], 0))
        return args[0];
    bool is_times = count == 2 && strcmp(name, "*") == 0;
    for (unsigned i = 0; is_times && i < 2; i++)
        if (gl_value_is_int(args[i], 0) || gl_value_is_int(args[i], 1)) // the first of the parts of an array
            return args[i]->integer ? args[1 - i] : args[i];
    if (both_ints(args, count) && (is_plus || is_minus)) {
        uint64_t a = (uint64_t)args[0]->integer, b = (uint64_t)args[1]->integer;
        return gl_value_int(values, (int64_t)(is_plus ? a + b : a - b));
    }
    for (unsigned i = 0; i < count; i++)
        if (args[i]->kind == GL_VALUE_UNDEF && count == 1)
            return args[i];
    return value_get(values, (struct gl_value){.kind = GL_VALUE_COMPUTE,
                                               .name = name,
                                               .args = (const struct gl_value **)args,
                                               .arg_count = count});
}

static bool compare_ints(enum gl_ir_compare compare, int64_t a, int64_t b)
{
    switch (compare) {
    case GL_CMP_EQ:
        return a == b;
    case GL_CMP_NE:
        return a != b;
    case GL_CMP_LT:
        return a < b;
    case GL_CMP_LE:
        return a <= b;
    case GL_CMP_GT:
        return a > b;
    case GL_CMP_GE:
        return a >= b;
    }
    return false;
}

static const struct gl_value *compare_get(struct gl_values *values, enum gl_ir_compare compare,
                                          const struct gl_value *a, const struct gl_value *b)
{
    if (compare == GL_CMP_EQ && (a->kind == GL_VALUE_INT || (b->kind != GL_VALUE_INT && a->id > b->id))) {
        const struct gl_value *swap = a; // constants right, otherwise by age: x == y is y == x
        a = b;
        b = swap;
    }
    const struct gl_value *args[] = {a, b};
    return value_get(values, (struct gl_value){
                                 .kind = GL_VALUE_COMPARE, .integer = compare, .args = args, .arg_count = 2});
}

// !value: of a comparison, its opposite form; a double negation of a comparison is the comparison.
static const struct gl_value *value_not(struct gl_values *values, const struct gl_value *value)
{
    const struct gl_value *zero = gl_value_int(values, 0);
    if (value->kind == GL_VALUE_COMPARE && value->integer == GL_CMP_EQ && gl_value_is_int(value->args[1], 0) &&
        value->args[0]->kind == GL_VALUE_COMPARE)
        return value->args[0];
    return compare_get(values, GL_CMP_EQ, value, zero);
}

const struct gl_value *gl_value_compare(struct gl_values *values, enum gl_ir_compare compare,
                                        const struct gl_value *a, const struct gl_value *b)
{
    if (a->kind == GL_VALUE_INT && b->kind == GL_VALUE_INT)
        return gl_value_int(values, compare_ints(compare, a->integer, b->integer));
    if (a->kind == GL_VALUE_UNDEF || b->kind == GL_VALUE_UNDEF)
        return gl_value_undef(values);
    if (a == b && a->kind != GL_VALUE_UNINIT)
        return gl_value_int(values, compare_ints(compare, 0, 0));
    // An address is not null.
    if (compare == GL_CMP_EQ || compare == GL_CMP_NE) {
        bool a_address = a->kind == GL_VALUE_ADDRESS || a->kind == GL_VALUE_FUNCTION;
        bool b_address = b->kind == GL_VALUE_ADDRESS || b->kind == GL_VALUE_FUNCTION;
        if ((a_address && gl_value_is_int(b, 0)) || (b_address && gl_value_is_int(a, 0)))
            return gl_value_int(values, compare == GL_CMP_NE);
    }
    switch (compare) {
    case GL_CMP_EQ:
        if (gl_value_is_int(b, 0))
            return value_not(values, a);
        return compare_get(values, GL_CMP_EQ, a, b);
    case GL_CMP_NE:
        if (gl_value_is_int(b, 0) && a->kind == GL_VALUE_COMPARE)
            return a;
        return value_not(values, compare_get(values, GL_CMP_EQ, a, b));
    case GL_CMP_LT:
        return compare_get(values, GL_CMP_LT, a, b);
    case GL_CMP_GT:
        return compare_get(values, GL_CMP_LT, b, a);
    case GL_CMP_LE:
        return value_not(values, compare_get(values, GL_CMP_LT, b, a));
    case GL_CMP_GE:
        return value_not(values, compare_get(values, GL_CMP_LT, a, b));
    }
    return gl_value_undef(values);
}

const struct gl_value *gl_value_field(struct gl_values *values, const struct gl_value *aggregate,
                                      const char *field)
{
    switch (aggregate->kind) {
    case GL_VALUE_INIT:
        return gl_value_init(values, gl_mem_field(values, aggregate->mem, field));
    case GL_VALUE_UNINIT:
    case GL_VALUE_UNDEF:
    case GL_VALUE_MOVED:
    case GL_VALUE_INT: // only zero stands for an aggregate
        return aggregate;
    default:
        return value_get(values, (struct gl_value){.kind = GL_VALUE_FIELD,
                                                   .name = field,
                                                   .args = &aggregate,
                                                   .arg_count = 1});
    }
}

const struct gl_value *gl_value_phi(struct gl_values *values, const void *origin, const struct gl_mem *mem,
                                    uint64_t key)
{
    return value_get(values, (struct gl_value){
                                 .kind = GL_VALUE_PHI, .origin = origin, .mem = mem, .integer = (int64_t)key});
}

static void list_add(struct gl_arena *arena, const struct gl_value ***list, unsigned *count, unsigned *capacity,
                     const struct gl_value *value)
{
    if (*count == *capacity) {
        unsigned grown = *capacity ? *capacity * 2 : 4;
        const struct gl_value **moved = GL_ARENA_ARRAY(arena, const struct gl_value *, grown);
        if (*count)
            memcpy(moved, *list, *count * sizeof *moved);
        *list = moved;
        *capacity = grown;
    }
    (*list)[(*count)++] = value;
}

bool gl_value_phi_add(struct gl_values *values, const struct gl_value *phi, const struct gl_value *arg)
{
    if (arg == phi)
        return false;
    for (unsigned i = 0; i < phi->arg_count; i++)
        if (phi->args[i] == arg)
            return false;
    if (phi->arg_count >= GL_MOST_PHI_ARGS)
        return false; // full: nothing is known of it any more (see collect_phi)
    struct gl_value *open = (struct gl_value *)phi; // the one thing about a value that grows
    values->age++;
    list_add(&values->arena, &open->args, &open->arg_count, &open->arg_capacity, arg);
    return true;
}

static const char guarded_name[] = "guarded", shares_name[] = "shares";

const struct gl_value *gl_value_guarded(struct gl_values *values, const struct gl_value *value,
                                        const struct gl_value *handle)
{
    const struct gl_value *args[] = {value, handle};
    return gl_value_compute(values, guarded_name, args, 2);
}

const struct gl_value *gl_value_shares(struct gl_values *values, const struct gl_value *fresh,
                                       const struct gl_value *other)
{
    const struct gl_value *args[] = {fresh, other};
    return gl_value_compute(values, shares_name, args, 2);
}

const struct gl_value *gl_value_shared_with(const struct gl_value *value)
{
    return value->kind == GL_VALUE_COMPUTE && value->name == shares_name ? value->args[1] : NULL;
}

enum { MOST_REPLACED_ARGS = 8 };

struct replacement {
    struct gl_values *values;
    const struct gl_value *part, *other;
    uint64_t walk;
};

static const struct gl_value *replace(const struct replacement *r, const struct gl_value *value);

static const struct gl_value *replace_args(const struct replacement *r, const struct gl_value *value)
{
    const struct gl_value *args[MOST_REPLACED_ARGS];
    bool is_changed = false;
    for (unsigned i = 0; i < value->arg_count; i++) {
        args[i] = replace(r, value->args[i]);
        is_changed |= args[i] != value->args[i];
    }
    if (!is_changed)
        return value;
    if (value->kind == GL_VALUE_FIELD)
        return gl_value_field(r->values, args[0], value->name);
    if (value->kind == GL_VALUE_COMPARE)
        return gl_value_compare(r->values, (enum gl_ir_compare)value->integer, args[0], args[1]);
    return gl_value_compute(r->values, value->name, args, value->arg_count);
}

static const struct gl_value *replace(const struct replacement *r, const struct gl_value *value)
{
    if (value == r->part)
        return r->other;
    bool is_made = value->kind == GL_VALUE_COMPUTE || value->kind == GL_VALUE_FIELD ||
                   value->kind == GL_VALUE_COMPARE;
    if (!is_made || value->arg_count > MOST_REPLACED_ARGS)
        return value;
    if (value->notes->walk != r->walk) {
        const struct gl_value *made = replace_args(r, value);
        value->notes->walk = r->walk;
        value->notes->outcome = made;
    }
    return value->notes->outcome;
}

const struct gl_value *gl_value_replace(struct gl_values *values, const struct gl_value *value,
                                        const struct gl_value *part, const struct gl_value *other)
{
    struct replacement r = {values, part, other, gl_values_new_walk(values)};
    return replace(&r, value);
}

// ---- memory -----------------------------------------------------------------------------------------------

const struct gl_mem *gl_mem_var(struct gl_values *values, struct gl_ir_var *var)
{
    return mem_get(values, (struct gl_mem){.kind = GL_MEM_VAR, .var = var});
}

const struct gl_mem *gl_mem_return(struct gl_values *values)
{
    return mem_get(values, (struct gl_mem){.kind = GL_MEM_RETURN});
}

const struct gl_mem *gl_mem_deref(struct gl_values *values, const struct gl_value *pointer)
{
    if (pointer->kind == GL_VALUE_ADDRESS)
        return pointer->mem;
    if (pointer->kind == GL_VALUE_COMPUTE && pointer->arg_count == 2 && strcmp(pointer->name, "+") == 0)
        return gl_mem_index(values, gl_mem_deref(values, pointer->args[0]), pointer->args[1]);
    return mem_get(values, (struct gl_mem){.kind = GL_MEM_DEREF, .value = pointer});
}

const struct gl_mem *gl_mem_field(struct gl_values *values, const struct gl_mem *parent, const char *field)
{
    return mem_get(values, (struct gl_mem){.kind = GL_MEM_FIELD, .parent = parent, .field = field});
}

const struct gl_mem *gl_mem_index(struct gl_values *values, const struct gl_mem *parent,
                                  const struct gl_value *index)
{
    // p[0] is *p; and (a + i)[j] is a[i + j], which matters for the constant ones only.
    if (parent->kind == GL_MEM_DEREF && index && gl_value_is_int(index, 0))
        return parent;
    if (parent->kind == GL_MEM_INDEX && parent->value && gl_value_is_int(parent->value, 0))
        return gl_mem_index(values, parent->parent, index);
    return mem_get(values, (struct gl_mem){.kind = GL_MEM_INDEX, .parent = parent, .value = index});
}

const struct gl_mem *gl_mem_root(const struct gl_mem *mem)
{
    while (mem->parent)
        mem = mem->parent;
    return mem;
}

bool gl_mem_is_within(const struct gl_mem *mem, const struct gl_mem *outer)
{
    for (; mem; mem = mem->parent)
        if (mem == outer)
            return true;
    return false;
}

const struct gl_mem *gl_mem_rebase(struct gl_values *values, const struct gl_mem *mem, const struct gl_mem *from,
                                   const struct gl_mem *to)
{
    if (mem == from)
        return to;
    const struct gl_mem *parent = gl_mem_rebase(values, mem->parent, from, to);
    return mem->kind == GL_MEM_FIELD ? gl_mem_field(values, parent, mem->field)
                                     : gl_mem_index(values, parent, mem->value);
}
