// SPDX-License-Identifier: Apache-2.0
// The ordering checks: conflicting work that nothing orders, and the event that was meant to.
#include "checks/checker.h"

// What the two do to each other, as the first half of a message.
static const char *conflict(struct gl_checker *checker, const struct gl_flow_event *event)
{
    const struct gl_clash *clash = event->clash;
    return gl_arena_printf(&checker->sites, "%s on %s uses %s, which %s on %s may still be working on",
                           clash->other, gl_stream_name(checker, clash->other_stream),
                           gl_pointer_name(checker, event), clash->work,
                           gl_stream_name(checker, clash->stream));
}

static bool unordered(struct gl_checker *checker, const struct gl_flow_event *event)
{
    const char *message = gl_arena_printf(&checker->sites, "%s; no event or synchronisation orders them%s",
                                          conflict(checker, event), gl_if_different(event->clash));
    return gl_report_clash(checker, GL_CHECK_MISSING_WAIT, event, message);
}

static bool dropped(struct gl_checker *checker, const struct gl_flow_event *event)
{
    const struct gl_clash *clash = event->clash;
    const char *message = gl_arena_printf(
        &checker->sites, "%s on %s may still use %s when its owner gives it back in the order of %s%s",
        clash->work, gl_stream_name(checker, clash->stream), gl_pointer_name(checker, event),
        gl_stream_name(checker, clash->other_stream), gl_if_different(clash));
    return gl_report_clash(checker, GL_CHECK_MISSING_WAIT, event, message);
}

static bool host(struct gl_checker *checker, const struct gl_flow_event *event)
{
    const struct gl_clash *clash = event->clash;
    const char *message =
        gl_arena_printf(&checker->sites, "the host %s %s without waiting for %s on %s", clash->other,
                        gl_pointer_name(checker, event), clash->work, gl_stream_name(checker, clash->stream));
    return gl_report_clash(checker, GL_CHECK_MISSING_WAIT, event, message);
}

static bool event_early(struct gl_checker *checker, const struct gl_flow_event *event)
{
    const char *message = gl_arena_printf(
        &checker->sites,
        "the event is recorded here, before %s is enqueued: the stream that waits for it does not "
        "wait for that work%s",
        event->clash->work, gl_if_different(event->clash));
    return gl_report_clash(checker, GL_CHECK_EVENT_BEFORE_WORK, event, message);
}

static bool event_wrong(struct gl_checker *checker, const struct gl_flow_event *event, const char *what)
{
    const char *message = gl_arena_printf(
        &checker->sites, "%s: the wait for it does not cover %s on %s%s", what, event->clash->work,
        gl_stream_name(checker, event->clash->stream), gl_if_different(event->clash));
    return gl_report_clash(checker, GL_CHECK_EVENT_WRONG_STREAM, event, message);
}

bool gl_check_ordering(struct gl_checker *checker, const struct gl_flow_event *event)
{
    switch (event->clash->kind) {
    case GL_CLASH_UNORDERED:
        return unordered(checker, event);
    case GL_CLASH_DROPPED:
        return dropped(checker, event);
    case GL_CLASH_HOST_TOUCHES:
        return host(checker, event);
    case GL_CLASH_EVENT_EARLY:
        return event_early(checker, event);
    case GL_CLASH_EVENT_ELSEWHERE:
        return event_wrong(checker, event, "the event is recorded on another stream than the work");
    case GL_CLASH_EVENT_NEVER:
        return event_wrong(checker, event, "the event was not recorded after the work");
    case GL_CLASH_EVENT_OVERWRITTEN:
        return event_wrong(checker, event, "this record replaces the one after the work");
    default:
        return false;
    }
}
