// SPDX-License-Identifier: Apache-2.0
// The happens-before relation: what calls and launches do to the operations in flight, and what is found
// broken.
#ifndef GL_FLOW_ORDER_H
#define GL_FLOW_ORDER_H

#include "flow/binding.h"

// ---- parties.c: streams, events and memory as values
// --------------------------------------------------------

enum gl_relation {
    GL_REL_SAME,
    GL_REL_MAYBE,    // may be the same: nobody is accused
    GL_REL_APART_IF, // different unless the caller passes one for both
    GL_REL_APART,
};

enum { GL_PARTY_LEGACY = 0, GL_PARTY_OTHER = 63 }; // bit numbers; OTHER: parties beyond the bound

enum gl_relation gl_relate_streams(const struct gl_value *a, const struct gl_value *b);
enum gl_relation gl_relate_events(const struct gl_value *a, const struct gl_value *b);
bool gl_is_known_stream(const struct gl_value *stream);
// Stream 0 as an ordinary stream of the thread where the unit says so; the aliases of stream 0 as 0.
const struct gl_value *gl_stream_normal(struct gl_solver *solver, const struct gl_value *stream);
bool gl_may_block(const struct gl_value *stream); // not known to be non-blocking
uint64_t gl_party_bit(struct gl_solver *solver, const struct gl_value *party, bool is_event);
// The parties that are, or may be, this one.
uint64_t gl_party_match(struct gl_solver *solver, const struct gl_value *party, bool is_event);
// Is work enqueued on `stream` now ordered after the operation?
bool gl_is_ordered(struct gl_solver *solver, const struct gl_op *op, const struct gl_value *stream);

const struct gl_value *gl_memory_base(const struct gl_value *value); // without offsets and guards
bool gl_memory_overlaps(const struct gl_value *a,
                        const struct gl_value *b); // for certain, as far as is plausible
bool gl_memory_belongs(const struct gl_value *value, const struct gl_value *owner);
bool gl_is_pageable(
    const struct gl_value *value); // the stack, or memory known to come from malloc and the like
// What stands for any block of a pool that was given back.
const struct gl_value *gl_memory_of_pool(struct gl_values *values, const struct gl_value *pool);
bool gl_is_stack(const struct gl_value *value);

// ---- work.c: operations, records, waits
// ---------------------------------------------------------------------

// What the work does to the memory, from what was said of the launch or the kernel's body.
void gl_order_seen(struct gl_solver *solver, struct gl_use *use);
// The member of `outer` through which one comes to `mem`, or NULL.
const char *gl_member_of(const struct gl_mem *mem, const struct gl_mem *outer);
// The arguments of the instruction from `first` on that are no pointers, as one value; NULL: there are none.
const struct gl_value *gl_order_scalars(struct gl_solver *solver, struct gl_state *state, size_t first);

// The use of argument `index` of a kernel launch (callee may be NULL).
void gl_use_kernel(struct gl_solver *solver, struct gl_state *state, struct gl_use *use,
                   const struct gl_ir_decl *kernel, size_t index);
// Work is enqueued on use->stream, before its uses.
void gl_order_launch(struct gl_solver *solver, struct gl_state *state, const struct gl_use *use,
                     const struct gl_site *site);

// Each returns true if something was reported.
bool gl_order_use(struct gl_solver *solver, struct gl_state *state, const struct gl_use *use,
                  const struct gl_site *site);
void gl_order_record(struct gl_solver *solver, struct gl_state *state, const struct gl_value *event,
                     const struct gl_value *stream, const struct gl_site *site);
// stream NULL: the host waits. event NULL: for everything.
void gl_order_wait(struct gl_solver *solver, struct gl_state *state, const struct gl_value *event,
                   const struct gl_value *stream, const struct gl_site *site);
// target NULL: for everything. `result`: of a query that happens to say whether it is so; or NULL.
void gl_order_sync(struct gl_solver *solver, struct gl_state *state, const struct gl_value *target,
                   const struct gl_site *site);
// A query that said "not yet".
void gl_order_polled(struct gl_solver *solver, struct gl_state *state, const struct gl_value *target,
                     const struct gl_value *result);
bool gl_order_clash(struct gl_solver *solver, struct gl_state *state, struct gl_clash *clash,
                    const struct gl_site *primary, const struct gl_site *site);
// A call has reported an error.
void gl_order_failed(struct gl_state *state);
// The state has just learnt how a condition came out.
void gl_order_learnt(struct gl_state *state);
void gl_order_enter(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_block *block);
void gl_order_refresh(struct gl_solver *solver, struct gl_state *state, const struct gl_value *fresh);
// A call of which nothing is known may wait for anything.
void gl_order_unknown(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee);

// ---- ends.c: memory, objects and variables that end
// ----------------------------------------------------------

bool gl_order_release(struct gl_solver *solver, struct gl_state *state, const struct gl_release *release,
                      const struct gl_site *site);
void gl_order_acquire(struct gl_solver *solver, struct gl_state *state, const struct gl_acquire *acquire,
                      const struct gl_site *site);
bool gl_order_destroy(struct gl_solver *solver, struct gl_state *state, const struct gl_release *release,
                      const char *object, const struct gl_site *site);
void gl_order_end_of_var(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_var *var);
bool gl_order_host(struct gl_solver *solver, struct gl_state *state, const struct gl_value *value,
                   bool is_write, const struct gl_site *site);
void gl_order_step(struct gl_solver *solver, struct gl_state *state); // before each instruction
// An owner whose class is known by rule was made by a constructor that is only declared.
void gl_order_owner_made(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee);
// Has the class a method by which it is told of further streams that use its memory?
bool gl_can_be_told(const struct gl_rules *rules, const char *class_name);
// How the destructor of an owner gives the memory back, as far as that is known.
void gl_owner_end(struct gl_solver *solver, const struct gl_ir_decl *callee, const struct gl_class *class,
                  struct gl_release *release);

// ---- states.c: work that relies on a thread state
// --------------------------------------------------------------

bool gl_order_relies(struct gl_solver *solver, struct gl_state *state, const struct gl_use *use,
                     const struct gl_site *site);
void gl_order_busy(struct gl_solver *solver, struct gl_state *state);
void gl_order_obtained(struct gl_state *state, const struct gl_value *value, const struct gl_site *site);

// ---- order_bind.c: effects of rules, entries of summaries
// ------------------------------------------------------

void gl_bind_order(struct gl_binding_call *b, const struct gl_effect *effect, const struct gl_site *site,
                   bool is_opposite);
void gl_bind_kept(struct gl_binding_call *b, const struct gl_effect *effect, struct gl_use *use,
                  const struct gl_site *site);
const struct gl_value *gl_launch_result(const struct gl_binding_call *b); // an error code, or NULL
bool gl_is_staged(const struct gl_effect *effect, const struct gl_target *target);
const struct gl_value *gl_stream_of_handle(const struct gl_state *state, const struct gl_value *handle);
int64_t gl_memory_bits(enum gl_memory memory);
int64_t gl_created_bits(const struct gl_binding_call *b, const struct gl_effect *effect);
// What is known of the result of the call before any effect happens.
int64_t gl_result_bits(const struct gl_binding_call *b);
// A mapping or registration makes no new object: what is mapped is there again. Returns false for all others.
bool gl_bind_recreated(struct gl_binding_call *b, const struct gl_effect *effect);
const char *gl_order_verb(enum gl_effect_kind kind); // for messages
// Has the class a type argument that comes from elsewhere: an allocator or deleter of one's own? (A library's
// defaults come from the library itself.)
bool gl_has_own_parts(const struct gl_ir_record *record);
// The memory of a container: ordinary memory unless its allocator is somebody else's.
bool gl_is_pageable_class(const struct gl_rules *rules, const struct gl_ir_record *record);
void gl_order_replay(struct gl_solver *solver, struct gl_state *state, const struct gl_log_entry *entry,
                     const struct gl_value *value, const struct gl_value *stream,
                     const struct gl_value *owner, const struct gl_site *site);

// ---- kernel_access.c
// -------------------------------------------------------------------------------------------

// What a kernel whose body is visible does to the memory behind parameter `index` (behind member `part` of
// it, if not NULL). Returns false if the body is not visible.
bool gl_kernel_access(struct gl_flow *flow, const struct gl_ir_decl *kernel, size_t index, const char *part,
                      enum gl_access *out_access);

#endif
