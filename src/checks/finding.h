// SPDX-License-Identifier: Apache-2.0
// Findings: what the checks hand on to the reports.
#ifndef GL_CHECKS_FINDING_H
#define GL_CHECKS_FINDING_H

#include "base/diag.h"
#include "ir/ir.h"

// One thing that happened on the way to the bug, in order: acquired, derived, released, used; through which helper.
struct gl_step {
    struct gl_ir_loc loc;
    const char *message;
};

struct gl_finding {
    const struct gl_check *check;
    enum gl_severity severity;
    struct gl_ir_loc loc;
    const char *message; // in the words of a CUDA programmer
    const char *function; // qualified name of the function it is in
    const struct gl_ir_unit *unit;
    GL_VEC(struct gl_step) trace;
};

// Texts live in `arena`.
struct gl_findings {
    struct gl_arena arena;
    GL_VEC(struct gl_finding) list;
};

void gl_findings_sort(struct gl_findings *findings); // by file, line, column, check
void gl_findings_free(struct gl_findings *findings);

#endif
