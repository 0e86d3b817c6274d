// SPDX-License-Identifier: Apache-2.0
// The state checks: work that relies on a thread state that is no longer, or not yet, set.
#include "checks/checker.h"

bool gl_check_state_guards(struct gl_checker *checker, const struct gl_flow_event *event)
{
    const struct gl_clash *clash = event->clash;
    const char *state = clash->object ? clash->object : "device";
    switch (clash->kind) {
    case GL_CLASH_STATE_ENDED:
        return gl_report_clash(
            checker, GL_CHECK_GUARD_SCOPE_TOO_NARROW, event,
            gl_arena_printf(&checker->sites,
                            "%s relies on the %s that a guard had set, but the guard has ended", clash->other,
                            state));
    case GL_CLASH_STREAM_STALE:
        return gl_report_clash(
            checker, GL_CHECK_STALE_STREAM, event,
            gl_arena_printf(&checker->sites,
                            "the current stream is read here, before the guard that changes the "
                            "%s, and used by %s after it",
                            state, clash->other));
    default:
        return false;
    }
}
