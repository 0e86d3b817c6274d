// SPDX-License-Identifier: Apache-2.0
// The table of all checks: name, group, default, severity, and the text of `guardlint explain`.
#ifndef GL_CHECKS_CHECKS_H
#define GL_CHECKS_CHECKS_H

#include "checks/finding.h"
#include "rules/rules.h"

struct gl_check {
    const char *name;    // "released-before-launch"
    const char *group;   // "guard lifetime", "in flight", "ordering", "state"
    bool is_on_by_default;
    enum gl_severity severity;
    const char *summary; // one line
    const char *explanation; // what is found and why it is a bug
    const char *bad;     // an example that is flagged
    const char *good;    // its corrected twin
};

size_t gl_check_count(void);
const struct gl_check *gl_check_at(size_t index);
const struct gl_check *gl_check_find(const char *name); // NULL if unknown

struct gl_analysis_options {
    const bool *enabled;  // by index of the check; NULL: the defaults
    unsigned max_states;  // states kept apart in a block; 0: the default
};

// What the analysis could not follow or had to give up on. Shown by --stats, never silent.
struct gl_analysis_stats {
    size_t functions, blocks, instructions, unknown_instructions;
    size_t calls_with_rule, calls_with_summary, calls_unknown;
    size_t launches, guards;
    size_t states_joined; // joins forced by the bound: precision lost
    size_t functions_over_budget;
    double seconds;
};

// Analyses every function of the linked program and appends the findings (unsorted, not yet suppressed).
void gl_analyze(struct gl_ir_program *program, const struct gl_rules *rules,
                const struct gl_analysis_options *options, struct gl_findings *out_findings,
                struct gl_analysis_stats *out_stats);

#endif
