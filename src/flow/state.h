// SPDX-License-Identifier: Apache-2.0
// The abstract state at a point of a function: what places hold, what became of each guard, which branch facts
// hold, and what has happened so far that callers must know.
#ifndef GL_FLOW_STATE_H
#define GL_FLOW_STATE_H

#include "flow/inflight.h"
#include "flow/value.h"
#include "rules/rules.h"

// Where something happened; `inner` is the place inside the helper `through` when it happened in a call.
struct gl_site {
    struct gl_ir_loc loc;
    const char *what; // "acquired", "released by dguard_end()", …
    const struct gl_ir_decl *through;
    const struct gl_site *inner;
};

enum gl_status {
    GL_STATUS_HELD,
    GL_STATUS_RELEASED,
    GL_STATUS_MAYBE, // held on some ways here, released on others, and the two could not be kept apart
};

// What ended a guard. Decides which check speaks.
enum gl_cause {
    GL_CAUSE_CALL,      // an explicit release
    GL_CAUSE_SCOPE,     // a destructor at the end of a scope
    GL_CAUSE_CLEANUP,   // __attribute__((cleanup))
    GL_CAUSE_TEMPORARY, // a temporary's destructor at the end of the full expression
    GL_CAUSE_OVERWRITE, // assigned over, reset, or its only handle overwritten
    GL_CAUSE_MOVE,      // moved away, to where its end is not this function's
};

// A guard or owner, named by its handle's value.
struct gl_resource {
    const struct gl_value *handle;
    enum gl_status status;
    enum gl_cause cause;
    enum gl_release_kind kind;
    enum gl_access access;
    bool is_acquired;   // an acquire was seen (otherwise only its release)
    bool is_owner;      // from ALLOC: memory, not a guard on it
    bool is_shared;     // an owner that another copy may keep alive
    bool is_deep;       // its end is the end of what is reached through its pointers, too
    bool is_handed_on;  // kept by somebody else too: its end is not this function's business
    bool is_one_of_many; // kept in an array at an index that varies: other elements have guards of their own
    bool is_touched;    // an object whose guard was asked for something
    const char *state;  // the thread state it stands for, or NULL
    unsigned order;     // state guards: position in the stack of its state
    const struct gl_value *stream; // NULL: not known
    const struct gl_value *owner;  // the buffer it guards, or NULL
    const struct gl_site *acquired, *released;
    const struct gl_site *last_use;  // of a pointer derived from it
    const struct gl_site *tarried;   // other work or a wait of the host since last_use
};

struct gl_fact {
    const struct gl_value *value;
    bool is_equal;
    int64_t constant;
};

// Something that happened to what a caller can see. The ordered list of these is a function's summary.
struct gl_log_entry {
    enum gl_effect_kind kind; // ACQUIRE RELEASE LAUNCH (one entry a used value) ESCAPE SET_STATE GET_STATE …
    const struct gl_value *value;  // handle, used pointer, …
    const struct gl_value *stream;
    const struct gl_value *owner;
    enum gl_release_kind release;
    enum gl_access access;
    enum gl_cause cause;
    const char *subject; // LAUNCH: the kernel or call; DESTROY: the kind of object
    const struct gl_value *result; // LAUNCH: not zero if it was not enqueued
    enum gl_access touch;          // LAUNCH: what the work does to the memory, see struct gl_touch
    const struct gl_ir_decl *kernel;
    bool is_sure, is_staged, is_tracked, is_kernel, is_host_function;
    bool is_by_class, is_unknown_end, is_pageable; // RELEASE: see struct gl_release
    bool is_owner, is_shared, is_deep;
    bool is_possible;  // on some of the ways that were merged only
    bool is_reported;  // a finding was already given inside
    const char *state;
    const struct gl_site *site;
};

enum { GL_LONGEST_LOG = 48 }; // longer histories are cut, and said to be

struct gl_binding {
    const struct gl_mem *mem;
    const struct gl_value *value;
};

struct gl_state {
    GL_VEC(struct gl_binding) env;         // sorted by mem->id
    GL_VEC(struct gl_resource) resources;  // sorted by handle->id
    GL_VEC(struct gl_fact) facts;          // sorted by value->id
    GL_VEC(struct gl_log_entry) log;       // in order
    bool is_log_cut; // entries were dropped at the bound
    struct gl_inflight inflight;
};

struct gl_state *gl_state_create(void);
struct gl_state *gl_state_clone(const struct gl_state *state);
void gl_state_destroy(struct gl_state *state);

// What `mem` holds: its own binding, the part of an enclosing aggregate's value, or what it held on entry.
const struct gl_value *gl_state_load(const struct gl_state *state, struct gl_values *values,
                                     const struct gl_mem *mem);
// The binding of exactly `mem`, or NULL.
const struct gl_value *gl_state_bound(const struct gl_state *state, const struct gl_mem *mem);
// Writes `mem`; what its parts held is gone.
void gl_state_store(struct gl_state *state, const struct gl_mem *mem, const struct gl_value *value);
// Copies an aggregate with all its parts, as they are in `from_state`.
void gl_state_copy_tree(struct gl_state *state, struct gl_values *values, const struct gl_mem *to,
                        const struct gl_state *from_state, const struct gl_mem *from);
// Removes every binding within `mem` (the end of a variable's life).
void gl_state_forget_mem(struct gl_state *state, const struct gl_mem *mem);

struct gl_resource *gl_state_resource(struct gl_state *state, const struct gl_value *handle); // NULL: unknown
struct gl_resource *gl_state_resource_add(struct gl_state *state, const struct gl_value *handle);
void gl_state_resource_drop(struct gl_state *state, const struct gl_value *handle);

// Assumes that `condition` is true (or false). Returns false if the state knows better: the way is impossible.
bool gl_state_assume(struct gl_state *state, const struct gl_value *condition, bool is_true);
bool gl_state_assume_equal(struct gl_state *state, const struct gl_value *value, int64_t constant,
                           bool is_equal);
// 1 or 0 if the state knows the condition, -1 if not.
int gl_state_truth(const struct gl_state *state, const struct gl_value *condition);
// Is the value known to be this constant?
bool gl_state_constant(const struct gl_state *state, const struct gl_value *value, int64_t *out_constant);
void gl_state_forget_facts(struct gl_state *state, const struct gl_value *value); // and all that depend on it
// What is known of `from` becomes what is known of `to`, of which nothing else is known any more.
void gl_state_rename_facts(struct gl_state *state, struct gl_values *values, const struct gl_value *from,
                           const struct gl_value *to);
void gl_state_forget_phis(struct gl_state *state, const void *origin);

// The instruction that makes `fresh` runs again: what the last round called so is renamed.
void gl_state_refresh(struct gl_state *state, struct gl_values *values, const struct gl_value *fresh);

void gl_state_log(struct gl_state *state, const struct gl_log_entry *entry);

// May the memory hold a pointer? Numbers narrower than one do not.
bool gl_mem_may_hold_pointer(const struct gl_mem *mem);

// What decides whether two states are kept apart: the status of every guard, and which places hold a pointer of a
// guard that is released.
uint64_t gl_state_key(const struct gl_state *state);
// What keeps states with the same key apart as long as there is room: branch facts in `asked` (values that several
// branches test; may be NULL), and which places hold a pointer of a held guard.
struct gl_ptrmap;
uint64_t gl_state_fine_key(const struct gl_state *state, const struct gl_ptrmap *asked);
// Joins `from` into `into` at a block or call `origin`; returns true if `into` changed. With equal keys this
// loses only correlations; with different keys the statuses that differ become "maybe".
bool gl_state_join(struct gl_state *into, const struct gl_state *from, struct gl_values *values,
                   const void *origin);
// Drops guards that nothing can ask about any more.
void gl_state_collect(struct gl_state *state);

#endif
