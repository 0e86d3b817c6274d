// SPDX-License-Identifier: Apache-2.0
// What the check groups share: the run of the checks, and how findings are made from events.
#ifndef GL_CHECKS_CHECKER_H
#define GL_CHECKS_CHECKER_H

#include "base/ptrmap.h"
#include "checks/checks.h"
#include "flow/flow.h"

// clang-format off
enum gl_check_id {
#define GL_CHECK(id, ...) GL_CHECK_##id,
#include "checks/checks.def"
#undef GL_CHECK
    GL_CHECK_ID_COUNT
};
// clang-format on

// A guard that was still held where the function is left; a leak if it is released somewhere else in it.
struct gl_pending_leak {
    const struct gl_ir_func *func;
    struct gl_resource resource;
    const struct gl_site *site;
    bool is_released_elsewhere;
};

struct gl_checker {
    const bool *enabled;
    struct gl_findings *findings;
    struct gl_arena sites; // of the flow; texts of findings are copied out of it
    GL_VEC(uint64_t) keys; // one a finding made in this run: what makes it the same finding again
    size_t first;          // findings->list index of keys[0]
    GL_VEC(struct gl_pending_leak) leaks;
    GL_VEC(uint64_t) released; // keys of guards released somewhere
};

// Adds a finding, or a further step to the one that was already made for the same guard and cause (`resource` may
// be NULL; the position then tells findings apart). Returns NULL if the check is off or nothing is new.
struct gl_finding *gl_report(struct gl_checker *checker, enum gl_check_id id, const struct gl_flow_event *event,
                             const struct gl_site *primary, const char *message);
// A step of the trace, followed by what happened inside the helpers.
void gl_finding_step(struct gl_checker *checker, struct gl_finding *finding, const struct gl_site *site);
// A name for the pointer that is used: a variable that holds it, in quotes, or "a pointer".
const char *gl_pointer_name(struct gl_checker *checker, const struct gl_flow_event *event);
uint64_t gl_guard_key(const struct gl_ir_func *func, const struct gl_resource *resource);

// A clash as a finding with its steps; false if the check is off.
bool gl_report_clash(struct gl_checker *checker, enum gl_check_id id, const struct gl_flow_event *event,
                     const char *message);
const char *gl_stream_name(struct gl_checker *checker, const struct gl_value *stream);
const char *gl_if_different(const struct gl_clash *clash);

// in_flight.c, ordering.c, state_guards.c: false if the event is none of the group's
bool gl_check_in_flight(struct gl_checker *checker, const struct gl_flow_event *event);
bool gl_check_ordering(struct gl_checker *checker, const struct gl_flow_event *event);
bool gl_check_state_guards(struct gl_checker *checker, const struct gl_flow_event *event);

// guard_lifetime.c
bool gl_check_guard_lifetime(struct gl_checker *checker, const struct gl_flow_event *event);
void gl_check_leaks(struct gl_checker *checker);

#endif
