// SPDX-License-Identifier: Apache-2.0
// What the files of the flow stage share: the run, the function being solved, and the steps it is made of.
#ifndef GL_FLOW_SOLVER_H
#define GL_FLOW_SOLVER_H

#include "base/ptrmap.h"
#include "flow/flow.h"

// ---- classes ----------------------------------------------------------------------------------------------

// What objects of a class are for the analysis: by rule, or worked out from the destructor.
struct gl_class {
    enum gl_role role;
    enum gl_release_kind release;
    const char *state;
    bool is_inferred;         // from the destructor's body: a guard whose handle is the object itself
    bool frees_on_destroy;    // destroying it ends guards or memory it holds (by rule or by its visible body)
    bool can_be_told;         // by rule: of streams that use the memory, too (used-on)
    bool is_deep;             // … and what is reached through its pointers with it
    const struct gl_ir_decl *deleter; // owners: operator() of the deleter type, or NULL
    const struct gl_ir_record *held;  // optional, container, owner of one object: the element's class, or NULL
};

// ---- summaries --------------------------------------------------------------------------------------------

enum gl_result_class { GL_RESULT_ANY, GL_RESULT_ZERO, GL_RESULT_NONZERO };

struct gl_summary_store {
    const struct gl_mem *mem;
    const struct gl_value *value;
};

// One way through a function as its callers see it, in the values of the flow's own table.
struct gl_summary_case {
    enum gl_result_class result_class;
    struct gl_fact *facts; // about what the caller passed
    size_t fact_count;
    struct gl_log_entry *log;
    size_t log_count;
    struct gl_summary_store *stores; // to memory the caller sees, the result included
    size_t store_count;
    bool is_result_known; // one of the stores is the whole result
};

struct gl_summary {
    struct gl_summary_case *cases;
    size_t case_count;
    bool is_opaque; // nothing is known: recursion that did not settle, or over budget
    uint64_t hash;
};

// ---- the run and the function -----------------------------------------------------------------------------

struct gl_flow {
    struct gl_ir_program *program;
    const struct gl_rules *rules;
    unsigned max_states;
    struct gl_observer observer;
    struct gl_arena *sites;     // sites and texts that findings refer to
    struct gl_arena arena;      // summaries and classes
    struct gl_values *exported; // values of summaries
    struct gl_ptrmap summaries; // struct gl_ir_decl -> struct gl_summary
    struct gl_ptrmap classes;   // struct gl_ir_record -> struct gl_class
    struct gl_ptrmap kernels;   // struct gl_ir_decl -> what kernels do to their parameters (kernel_access.c)
    struct gl_ptrmap call_operators; // struct gl_ir_record -> its operator(), struct gl_ir_decl
    struct gl_flow_stats stats;
};

struct gl_exit {
    struct gl_state *state;
    enum gl_result_class result_class;
    uint64_t key;
};

struct gl_block_states {
    GL_VEC(struct gl_state *) states;
    GL_VEC(uint64_t) keys;      // of the state, see gl_state_key
    GL_VEC(uint64_t) fine_keys; // see gl_state_fine_key
    GL_VEC(bool) dirty;
    unsigned visits;
};

typedef GL_VEC(struct gl_state *) gl_state_list;

struct gl_solver {
    struct gl_flow *flow;
    const struct gl_ir_func *func;
    struct gl_values *values;
    struct gl_block_states *blocks; // by block id
    bool *may_repeat;               // by block id: it may lie in a loop
    const struct gl_ir_block *block;
    const struct gl_ir_instr *instr;
    uint64_t *live;         // bit sets of variables live at block ends, or NULL
    size_t live_words;
    struct gl_ptrmap asked_branches; // struct gl_ir_instr -> itself: branches whose variables others test, too
    struct gl_ptrmap asked;          // struct gl_value -> itself: what those branches test
    struct gl_ptrmap sites; // struct gl_ir_instr -> struct gl_site_note, what was said of it so far
    bool is_final;          // the last pass: events are observed, exits collected
    bool is_over_budget;
    size_t work; // done so far, see MOST_WORK
    gl_state_list *current; // states the current instruction may add to
    GL_VEC(struct gl_exit) exits;
    const struct gl_value *parties[62]; // streams and events, by bit number less one (parties.c)
    unsigned party_count;
    uint64_t event_parties; // bits
    unsigned tick;          // grows with every instruction that is run on a state
};

// ---- places.c: operands to values and memory --------------------------------------------------------------

const struct gl_mem *gl_solver_place(struct gl_solver *solver, struct gl_state *state,
                                     const struct gl_ir_place *place, const struct gl_ir_type **out_type);
const struct gl_value *gl_solver_operand(struct gl_solver *solver, struct gl_state *state,
                                         const struct gl_ir_operand *operand);
const struct gl_ir_type *gl_operand_type(const struct gl_ir_operand *operand);
const struct gl_ir_type *gl_place_type(const struct gl_ir_place *place);
// Stores to memory with what that means for guards: lost handles, handles handed on.
void gl_solver_store(struct gl_solver *solver, struct gl_state *state, const struct gl_mem *mem,
                     const struct gl_value *value);
void gl_solver_copy(struct gl_solver *solver, struct gl_state *state, const struct gl_mem *to,
                    const struct gl_state *from_state, const struct gl_mem *from);
// COPY: scalars by value, aggregates with all their parts.
void gl_solver_assign(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_instr *instr);
// A value the current instruction makes; what an earlier round of a loop made is renamed first.
const struct gl_value *gl_solver_fresh(struct gl_solver *solver, struct gl_state *state, int64_t slot);

// ---- effects.c: what guards, pointers and work go through -------------------------------------------------

struct gl_acquire {
    const struct gl_value *handle;
    const struct gl_value *stream, *owner;
    enum gl_release_kind kind;
    enum gl_access access;
    const char *state;
    bool is_owner, is_shared;
    bool is_object; // held by an object, whose destructor releases it even if it is not seen
};

// The site of the current instruction. `format` has two %s or fewer, for `first` and `second`; equal sites of an
// instruction are made once.
const struct gl_site *gl_site_make(struct gl_solver *solver, const char *format, const char *first,
                                   const char *second, const struct gl_ir_decl *through,
                                   const struct gl_site *inner);
void gl_effect_acquire(struct gl_solver *solver, struct gl_state *state, const struct gl_acquire *acquire,
                       const struct gl_site *site);
struct gl_release {
    const struct gl_value *handle;
    const struct gl_value *stream;
    enum gl_release_kind kind;
    enum gl_cause cause;
    bool is_shared, is_owner, is_deep, is_possible, is_reported;
    bool is_by_class;    // by the destructor of a class that could have been told of the stream
    bool is_unknown_end; // by a destructor of which nothing is known: it may wait, or keep the memory
    bool is_pageable;    // ordinary host memory
};
void gl_effect_release(struct gl_solver *solver, struct gl_state *state, const struct gl_release *release,
                       const struct gl_site *site);
void gl_effect_release_state(struct gl_solver *solver, struct gl_state *state, const char *name,
                             enum gl_cause cause, const struct gl_site *site);
struct gl_use {
    const struct gl_value *value;
    const struct gl_value *stream;
    enum gl_access access;
    const char *subject;
    const struct gl_value *result;   // not zero: the work was not enqueued; or NULL
    const struct gl_ir_decl *kernel; // with `param` and `part` (a member of it, or NULL): what the value is passed as
    size_t param;
    const char *part;
    enum gl_access touch; // what the work does to the memory; with `is_told` already known (order.h)
    const struct gl_value *scalars; // the kernel's arguments that are no pointers, as one value; or NULL
    bool is_told, is_sure, is_staged, is_tracked, is_kernel, is_host_function;
    bool is_possible, is_reported;
};
void gl_effect_use(struct gl_solver *solver, struct gl_state *state, const struct gl_use *use,
                   const struct gl_site *site);
// Asynchronous work begins on a stream, or the host waits (stream NULL): who holds a guard holds up.
void gl_effect_work(struct gl_solver *solver, struct gl_state *state, const struct gl_value *stream,
                    const struct gl_site *site);
// What a launch uses when it is given the memory `mem`: the value there, and every pointer stored inside.
void gl_effect_use_tree(struct gl_solver *solver, struct gl_state *state, const struct gl_mem *mem,
                        const struct gl_use *use, const struct gl_site *site);
void gl_effect_note(struct gl_solver *solver, struct gl_state *state, enum gl_effect_kind kind,
                    const struct gl_value *value, const struct gl_value *stream, const char *state_name,
                    const struct gl_site *site);
bool gl_solver_observe(struct gl_solver *solver, const struct gl_flow_event *event);
void gl_hand_on(struct gl_state *state, const struct gl_value *value);

// ---- calls ------------------------------------------------------------------------------------------------

// call.c: any CALL or LAUNCH. May add states to solver->current; returns false if no way leads on.
bool gl_solver_call(struct gl_solver *solver, struct gl_state *state);
void gl_solver_launch(struct gl_solver *solver, struct gl_state *state);
// The callee where it is known: the declaration, or what the called value must be.
const struct gl_ir_decl *gl_call_target(struct gl_solver *solver, struct gl_state *state,
                                        const struct gl_ir_instr *instr);
const char *gl_call_name(const struct gl_ir_instr *instr, const struct gl_ir_decl *callee); // for messages
// bind.c: applies a rule. Returns false if no way leads on.
bool gl_call_by_rule(struct gl_solver *solver, struct gl_state *state, const struct gl_call_rule *rule,
                     const struct gl_ir_decl *callee);
enum gl_cause gl_call_cause(const struct gl_solver *solver, const struct gl_ir_decl *callee);
// objects.c: constructors and destructors of classes that have a role. True if the call is done with.
bool gl_call_by_class(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee);
// The argument of a call whose parameter has a type of this role, or NULL.
const struct gl_value *gl_argument_of_role(struct gl_solver *solver, struct gl_state *state,
                                           const struct gl_ir_decl *callee, enum gl_role role);
// An owner compared with null, or asked whether it holds something: the result says so of its handle.
bool gl_call_tests_owner(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee);
// A guard that a call is given is not "unused".
void gl_touch_guards(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee);
// After the body of a constructor, copy or move of a class whose role was worked out: what that means for its guard.
void gl_object_made(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee);
// Where an object of the class keeps its handle.
const struct gl_mem *gl_handle_mem(struct gl_values *values, const struct gl_class *class,
                                   const struct gl_mem *object);
void gl_object_returned(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee,
                        bool is_known);
// apply.c: applies a summary.
bool gl_call_by_summary(struct gl_solver *solver, struct gl_state *state, const struct gl_summary *summary,
                        const struct gl_ir_decl *callee);

// ---- summary.c, classes.c, liveness.c, solve.c ------------------------------------------------------------

struct gl_summary *gl_summary_build(struct gl_solver *solver);
const struct gl_summary *gl_summary_of(const struct gl_flow *flow, const struct gl_ir_decl *decl); // or NULL
const struct gl_class *gl_class_of(struct gl_flow *flow, const struct gl_ir_record *record);
// The class of an object of this type, never NULL.
const struct gl_class *gl_class_of_type(struct gl_flow *flow, const struct gl_ir_type *type);
const struct gl_class *gl_class_held(struct gl_flow *flow, const struct gl_class *owner);

// branches.c: finds the branches that test what other branches test.
void gl_find_asked_branches(struct gl_solver *solver);

void gl_liveness(struct gl_solver *solver);
bool gl_is_live_after(const struct gl_solver *solver, const struct gl_ir_var *var);
void gl_drop_dead(const struct gl_solver *solver, const struct gl_ir_block *block, struct gl_state *state);

void gl_solve(struct gl_solver *solver);
void gl_kernels_free(struct gl_flow *flow); // kernel_access.c

#endif
