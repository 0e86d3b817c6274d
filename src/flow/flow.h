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
    GL_FLOW_CLASH,     // two things happen with nothing that orders them as they must be: `clash`
};

enum gl_clash_kind {
    GL_CLASH_FREED,         // memory is given back at once, work may still use it
    GL_CLASH_REUSED,        // … goes back to a pool, and work on another stream gets it
    GL_CLASH_FREED_ELSEWHERE, // … in the order of a stream that has not waited for the work
    GL_CLASH_DROPPED,       // … by an owner that nobody told of the stream
    GL_CLASH_HOST_ENDS,     // host memory ends
    GL_CLASH_HOST_WRITTEN,  // host memory that work reads is overwritten
    GL_CLASH_HOST_TOUCHES,  // the host reads or writes what work still uses
    GL_CLASH_OBJECT_ENDS,   // an object is destroyed that work still uses
    GL_CLASH_OBJECT_GONE,   // work uses an object that was destroyed before
    GL_CLASH_STREAM_GONE,   // something is enqueued on a stream, or on an event, that was destroyed before
    GL_CLASH_UNORDERED,     // conflicting work on two streams, no wait
    GL_CLASH_EVENT_EARLY,   // … a wait for an event that was recorded before the work
    GL_CLASH_EVENT_ELSEWHERE, // … on another stream
    GL_CLASH_EVENT_NEVER,   // … nowhere
    GL_CLASH_EVENT_OVERWRITTEN, // … and then again on another stream
    GL_CLASH_STATE_ENDED,   // work relies on a thread state whose guard has ended
    GL_CLASH_STREAM_STALE,  // the current stream was read before the guard that changes it
};

struct gl_clash {
    enum gl_clash_kind kind;
    const char *work, *other; // the kernel or call: in flight, and the one that comes too early
    const char *object;       // objects: their kind
    const struct gl_value *value;          // what both use
    const struct gl_value *stream, *other_stream;
    const struct gl_value *event;
    bool is_if;               // only if the streams are different ones
    bool is_host_function, is_stack;
    const struct gl_site *steps[4]; // in order, NULL: fewer
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
    const struct gl_clash *clash;       // CLASH; `site` is then where it is told
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
    size_t operations_dropped; // from the list of those in flight, at its bound
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
