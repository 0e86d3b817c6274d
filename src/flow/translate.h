// SPDX-License-Identifier: Apache-2.0
// Carries values from one table to another: out of a solved function into its summary, and out of a summary into
// the state of a caller, where what the callee was given stands for what it held.
#ifndef GL_FLOW_TRANSLATE_H
#define GL_FLOW_TRANSLATE_H

#include "flow/solver.h"

struct gl_translation {
    struct gl_values *to;
    struct gl_ptrmap memo; // struct gl_value -> struct gl_value
    struct gl_solver *solver; // of the caller, or of the function that is exported
    // Into a caller only; NULL when exporting.
    struct gl_state *before;          // the caller's state at the call
    struct gl_state *state;           // … and the one that the call changes
    const struct gl_ir_instr *call;
    const struct gl_ir_func *callee;
    const struct gl_mem *result;      // where the result goes, or NULL
    int64_t next_slot;
};

const struct gl_value *gl_translate(struct gl_translation *translation, const struct gl_value *value);
// NULL if the memory means nothing outside the callee.
const struct gl_mem *gl_translate_mem(struct gl_translation *translation, const struct gl_mem *mem);
void gl_translation_end(struct gl_translation *translation);

#endif
