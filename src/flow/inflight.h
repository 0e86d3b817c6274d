// SPDX-License-Identifier: Apache-2.0
// What a state knows of asynchronous work: which operations may still run, which streams, events and the host
// are ordered after each, and what was said of streams, events and objects on the way. Part of struct
// gl_state.
#ifndef GL_FLOW_INFLIGHT_H
#define GL_FLOW_INFLIGHT_H

#include "flow/value.h"
#include "rules/rules.h"

struct gl_site;

// One value that an operation uses. Immutable, shared between states.
struct gl_touch {
    const struct gl_touch *next;
    const struct gl_value *value;
    enum gl_access access; // of the memory behind it; UNKNOWN: it must live, nothing more is known
    bool is_sure;   // seen in the kernel's body, said by `const` or by a rule; not by a missing `const`
    bool is_staged; // done with at the call if it is pageable host memory
};

// An operation as it was enqueued. Immutable, shared between states.
struct gl_work {
    uint64_t hash; // of the call, the stream and what is used: the same operation again
    const struct gl_ir_instr *instr;
    const struct gl_site *site;
    const char *subject;            // the kernel or call
    const struct gl_value *stream;  // NULL: not known
    const struct gl_value *result;  // not zero: it was not enqueued; or NULL
    const struct gl_touch *touches; // newest first
    unsigned touch_count;
    const void *kernel;             // launches: the declaration
    const struct gl_value *scalars; // of the kernel's arguments that are no pointers, or NULL
    bool is_host_function, is_alloc;
};

// An operation in flight.
struct gl_op {
    const struct gl_work *work;
    uint64_t after;   // the parties (streams and events, see parties.c) that are ordered after it
    uint64_t holders; // captured work: the graphs that keep it
    const struct gl_value *polled; // the result of a query that said "not yet"
    unsigned order, tick;
    bool is_captured; // recorded into a graph, not run
    bool is_maybe;    // on some of the ways that were merged only: nobody is accused
    bool is_aged;     // from an earlier round of a loop
};

enum gl_note_kind {
    GL_NOTE_RECORD,    // event `value` recorded on stream `other`; text: set if it covered work
    GL_NOTE_WAIT,      // stream `other` waits for event `value`
    GL_NOTE_GONE,      // `value` was destroyed; text: the kind of object
    GL_NOTE_KEEP,      // the holder `value` keeps using `other`; text: the call that said so
    GL_NOTE_STREAM_OF, // the handle `value` works on stream `other`
    GL_NOTE_USED_ON,   // the release of owner `value` waits for stream `other`
    GL_NOTE_CAPTURE,   // stream `value` is being captured
    GL_NOTE_BLOCK,     // memory `value` comes from the pool `other`
    GL_NOTE_GUARD,     // the state guard `value` began
    GL_NOTE_BUSY,      // something was done under the state guard `value`
    GL_NOTE_UNDER,     // `value` (stream, memory) was obtained under the state guard `other`
    GL_NOTE_READ,      // stream `value` was the current stream
};

struct gl_note {
    enum gl_note_kind kind;
    const struct gl_value *value, *other;
    const char *text;
    const struct gl_site *site;
    unsigned order;
};

struct gl_inflight {
    GL_VEC(struct gl_op) ops;
    GL_VEC(struct gl_note) notes;
    unsigned order; // of the next operation or note
};

struct gl_state;

void gl_inflight_clone(struct gl_inflight *to, const struct gl_inflight *from);
void gl_inflight_free(struct gl_inflight *inflight);
// What keeps states apart as long as there is room: which operations are in flight, and who is ordered after
// them.
uint64_t gl_inflight_key(const struct gl_state *state);
// What only one side has in flight becomes "maybe"; who is ordered after an operation on one way is on both.
bool gl_inflight_join(struct gl_state *into, const struct gl_state *from);

void gl_inflight_op_drop(struct gl_inflight *inflight, size_t index);
void gl_inflight_note(struct gl_state *state, const struct gl_note *note); // the same again is only renewed
// The newest note of the kind on `value` (and `other`, unless NULL), or NULL.
const struct gl_note *gl_inflight_find(const struct gl_state *state, enum gl_note_kind kind,
                                       const struct gl_value *value, const struct gl_value *other);
void gl_inflight_note_drop(struct gl_state *state, enum gl_note_kind kind, const struct gl_value *value);

// The value as an earlier round of a loop had it: the phis of `origin` replaced, or the value `from` by `to`.
const struct gl_value *gl_value_aged(struct gl_values *values, const struct gl_value *value,
                                     const void *origin, const struct gl_value *from,
                                     const struct gl_value *to);
const struct gl_value *
gl_value_earlier(const struct gl_value *value); // what an earlier round's value was made of

#endif
