// SPDX-License-Identifier: Apache-2.0
// Values and memory as symbols: what a place holds is named by where the value came from, so that equal symbols
// are equal values and the way from a pointer back to its guard is part of the symbol.
//
// A table belongs to the analysis of one function; everything in it is hash-consed and immutable, except that a
// phi learns arguments while the function is being solved.
#ifndef GL_FLOW_VALUE_H
#define GL_FLOW_VALUE_H

#include "base/arena.h"
#include "base/vec.h"
#include "ir/ir.h"

enum gl_value_kind {
    GL_VALUE_UNDEF,    // not known at all
    GL_VALUE_UNINIT,   // never written (a join with it keeps the other side)
    GL_VALUE_MOVED,    // what a moved-from object holds
    GL_VALUE_INT,      // integer; null is 0
    GL_VALUE_STRING,   // name
    GL_VALUE_FUNCTION, // origin: struct gl_ir_decl
    GL_VALUE_ADDRESS,  // of mem
    GL_VALUE_INIT,     // what mem held when the function began
    GL_VALUE_FRESH,    // made by instruction `origin` (result, out-parameter, …), told apart by `integer`
    GL_VALUE_COMPUTE,  // name(args)
    GL_VALUE_COMPARE,  // EQ or LT (in `integer`) of args[0] and args[1]; the others are made of these
    GL_VALUE_FIELD,    // member `name` of the aggregate args[0]
    GL_VALUE_PHI,      // what mem holds at the join `origin` (a block or call), one of args
};

enum { GL_MOST_PHI_ARGS = 16 }; // with more, a phi may be anything

// Bits of a fresh value's `integer`.
enum {
    GL_SLOT_CREATED = 1 << 24,   // a new object of its kind: no other value is equal
    GL_SLOT_OLD_ROUND = 1 << 25, // made in an earlier round of a loop
    GL_SLOT_NON_BLOCKING = 1 << 26, // a stream that does not wait for the legacy default stream
    GL_SLOT_PAGEABLE = 1 << 27,     // ordinary host memory
    GL_SLOT_PINNED = 1 << 28,       // memory that the host can reach, too: pinned or managed
    GL_SLOT_KEPT_BITS = GL_SLOT_CREATED | GL_SLOT_NON_BLOCKING | GL_SLOT_PAGEABLE | GL_SLOT_PINNED,
};

struct gl_mem;

struct gl_value {
    enum gl_value_kind kind;
    unsigned id;
    uint64_t hash;
    int64_t integer;
    const char *name;
    const void *origin;
    const struct gl_mem *mem;
    const struct gl_value **args;
    unsigned arg_count, arg_capacity;
    struct gl_ir_loc loc; // fresh values: where
    struct gl_values *table;
    struct gl_value_notes *notes; // what walks over values remember, so that shared parts are looked at once
};

enum gl_mem_kind {
    GL_MEM_VAR,    // a variable or global
    GL_MEM_DEREF,  // what the pointer `value` points to
    GL_MEM_RETURN, // the function's result
    GL_MEM_FIELD,  // parent.field
    GL_MEM_INDEX,  // parent[value]; value NULL: an element that is not known
};

struct gl_mem {
    enum gl_mem_kind kind;
    unsigned id;
    uint64_t hash;
    const struct gl_mem *parent;
    struct gl_ir_var *var;
    const char *field;
    const struct gl_value *value;
};

struct gl_values;

// Scratch of the walks over values (provenance.c).
struct gl_value_notes {
    uint64_t walk;                  // the last walk that came by …
    const struct gl_value *outcome; // … and what it made of the value
    struct gl_value_set *handles;
    uint64_t handles_age; // valid while the table has learnt no new phi argument
};
uint64_t gl_values_new_walk(struct gl_values *values);
uint64_t gl_values_age(const struct gl_values *values); // grows when a phi learns an argument

struct gl_values *gl_values_create(void);
void gl_values_destroy(struct gl_values *values);
struct gl_arena *gl_values_arena(struct gl_values *values);
size_t gl_values_count(const struct gl_values *values);

const struct gl_value *gl_value_undef(struct gl_values *values);
const struct gl_value *gl_value_uninit(struct gl_values *values);
const struct gl_value *gl_value_moved(struct gl_values *values);
const struct gl_value *gl_value_int(struct gl_values *values, int64_t integer);
const struct gl_value *gl_value_string(struct gl_values *values, const char *text);
const struct gl_value *gl_value_function(struct gl_values *values, const struct gl_ir_decl *decl);
const struct gl_value *gl_value_address(struct gl_values *values, const struct gl_mem *mem);
const struct gl_value *gl_value_init(struct gl_values *values, const struct gl_mem *mem);
// `slot` tells the values apart that one instruction makes.
const struct gl_value *gl_value_fresh(struct gl_values *values, const void *origin, int64_t slot,
                                      struct gl_ir_loc loc);
const struct gl_value *gl_value_compute(struct gl_values *values, const char *name,
                                        const struct gl_value *const *args, unsigned count);
const struct gl_value *gl_value_compare(struct gl_values *values, enum gl_ir_compare compare,
                                        const struct gl_value *a, const struct gl_value *b);
const struct gl_value *gl_value_field(struct gl_values *values, const struct gl_value *aggregate,
                                      const char *field);
// The phi of `mem` at `origin`; `key` tells states apart that are kept apart there.
const struct gl_value *gl_value_phi(struct gl_values *values, const void *origin, const struct gl_mem *mem,
                                    uint64_t key);
// Adds what may flow into the phi; true if it is new.
bool gl_value_phi_add(struct gl_values *values, const struct gl_value *phi, const struct gl_value *arg);
// `value`, which may be used only while the guard or owner `handle` is held.
const struct gl_value *gl_value_guarded(struct gl_values *values, const struct gl_value *value,
                                        const struct gl_value *handle);
// An owner `fresh` of something that the owner `other` keeps alive too.
const struct gl_value *gl_value_shares(struct gl_values *values, const struct gl_value *fresh,
                                       const struct gl_value *other);
// The owner that a sharing owner shares with, or NULL.
const struct gl_value *gl_value_shared_with(const struct gl_value *value);
// The value with `part` replaced by `other` in what it is computed from.
const struct gl_value *gl_value_replace(struct gl_values *values, const struct gl_value *value,
                                        const struct gl_value *part, const struct gl_value *other);

const struct gl_mem *gl_mem_var(struct gl_values *values, struct gl_ir_var *var);
const struct gl_mem *gl_mem_return(struct gl_values *values);
// What `pointer` points to: the memory itself for an address, an element for pointer arithmetic.
const struct gl_mem *gl_mem_deref(struct gl_values *values, const struct gl_value *pointer);
const struct gl_mem *gl_mem_field(struct gl_values *values, const struct gl_mem *parent, const char *field);
const struct gl_mem *gl_mem_index(struct gl_values *values, const struct gl_mem *parent,
                                  const struct gl_value *index);
const struct gl_mem *gl_mem_root(const struct gl_mem *mem);
bool gl_mem_is_within(const struct gl_mem *mem, const struct gl_mem *outer); // the same or a part of it
// `mem`, which is within `from`, moved to the same part of `to`.
const struct gl_mem *gl_mem_rebase(struct gl_values *values, const struct gl_mem *mem, const struct gl_mem *from,
                                   const struct gl_mem *to);

// The handles on which a value must depend, itself included: through arithmetic, members and derivation; of a phi only those that all its (non-null) arguments share.
// `loaded` says of a handle that the value was read out of memory the handle leads to, so that it depends on the
// handle only if the handle owns what that memory points to in turn.
struct gl_value_set {
    const struct gl_value *items[16];
    bool loaded[16];
    unsigned count;
    bool has_phi; // may change when a phi learns an argument
    bool is_open; // while a phi is looked into: the value is made from the phi itself, which restricts nothing
};
void gl_value_handles(const struct gl_value *value, struct gl_value_set *out_set);
bool gl_value_set_has(const struct gl_value_set *set, const struct gl_value *value);

// Does the value depend on `part` anywhere in its making?
bool gl_value_depends_on(const struct gl_value *value, const struct gl_value *part);
// … or on a phi of the join `origin` (NULL: on any phi)?
bool gl_value_speaks_of_phi(const struct gl_value *value, const void *origin);
bool gl_value_is_int(const struct gl_value *value, int64_t integer);

#endif
