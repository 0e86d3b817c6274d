// SPDX-License-Identifier: Apache-2.0
// A rule at a call: what its targets stand for there. Shared by the files that apply rules.
#ifndef GL_FLOW_BINDING_H
#define GL_FLOW_BINDING_H

#include "flow/solver.h"

// What a target of a rule stands for at this call.
struct gl_ref {
    const struct gl_mem *mem;     // the object, where it is one
    const struct gl_value *value; // NULL: the call does not have it
};

struct gl_binding_call {
    struct gl_solver *solver;
    struct gl_state *state;
    const struct gl_ir_instr *instr;
    const struct gl_ir_decl *callee;
    const struct gl_call_rule *rule;
    const struct gl_mem *dst;      // where the result goes, or NULL
    const struct gl_value *result; // what it is
    int64_t slot;                  // for the next fresh value
};

bool gl_has_receiver(const struct gl_binding_call *b);
// Is the argument the address of an object that a rule means when it names the argument?
bool gl_is_passed_by_address(const struct gl_binding_call *b, const struct gl_ir_operand *arg, size_t index);
// The argument with this number (the receiver does not count).
struct gl_ref gl_ref_arg(const struct gl_binding_call *b, size_t index);
size_t gl_ref_arg_count(const struct gl_binding_call *b);
struct gl_ref gl_ref_of(const struct gl_binding_call *b, const struct gl_target *target);
// A stream that the call leaves out is the default stream; one that the rule does not name is not known (NULL).
const struct gl_value *gl_ref_stream(const struct gl_binding_call *b, const struct gl_target *target);

// bind_launch.c
void gl_bind_launch(struct gl_binding_call *b, const struct gl_effect *effect);

#endif
