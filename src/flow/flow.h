// SPDX-License-Identifier: Apache-2.0
// The analysis of a linked program: functions bottom-up, each solved once over its blocks, what happens handed to
// an observer (the checks) and kept as a summary for callers.
#ifndef GL_FLOW_FLOW_H
#define GL_FLOW_FLOW_H

#include "flow/state.h"
#include "ir/ir.h"
#include "rules/rules.h"

enum gl_flow_event_kind {
    GL_FLOW_USE,       // asynchronous work uses a pointer that depends on `resource`
    GL_FLOW_RELEASE,   // `resource` is about to be released (its status is the one before)
    GL_FLOW_LOST,      // the only handle of a held `resource` is overwritten
    GL_FLOW_EXIT,      // the function is left; called once for each guard that is not released
    GL_FLOW_TEMPORARY, // a guard object is destroyed at the end of the full expression that made it, unused
};

// One thing that happens on some way through a function. Valid during the call of the observer only, except
// `site` and the texts, which live as long as the flow.
struct gl_flow_event {
    enum gl_flow_event_kind kind;
    const struct gl_ir_func *func;
    const struct gl_state *state;
    const struct gl_resource *resource; // NULL for TEMPORARY
    const struct gl_value *value;       // USE: the pointer
    const struct gl_value *stream;      // USE, RELEASE: or NULL
    enum gl_access access;              // USE
    enum gl_cause cause;                // RELEASE
    const struct gl_site *site;
    const char *subject;                // TEMPORARY: the class; USE: the kernel or call
};

// Returns true if the event was reported as a bug; callers of the function are then not told of it again.
struct gl_observer {
    void *data;
    bool (*on_event)(void *data, const struct gl_flow_event *event);
};

struct gl_flow_stats {
    size_t functions, blocks, instructions, unknown_instructions;
    size_t calls_with_rule, calls_with_summary, calls_unknown;
    size_t launches, guards;
    size_t states_joined;
    size_t functions_over_budget;
};

// Solves every function of the program. `max_states` bounds the states kept apart in a block (0: the default).
void gl_flow_run(struct gl_ir_program *program, const struct gl_rules *rules, unsigned max_states,
                 struct gl_observer observer, struct gl_arena *site_arena, struct gl_flow_stats *out_stats);

// Are the two streams different? Yes for certain, only if the caller's streams differ, or not known.
enum gl_distinct { GL_SAME_OR_UNKNOWN, GL_DISTINCT_IF_PARAMS_DIFFER, GL_DISTINCT };
enum gl_distinct gl_streams_distinct(const struct gl_value *a, const struct gl_value *b);

// How a value is written in the source ("stream", "u->stream", "the default stream"); in `arena`.
const char *gl_value_describe(const struct gl_value *value, struct gl_arena *arena);

#endif
