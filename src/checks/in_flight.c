// SPDX-License-Identifier: Apache-2.0
// The in-flight checks: memory and objects that end while work still uses them.
#include "checks/checker.h"

static const char *print(struct gl_checker *checker, const char *format, const char *a, const char *b,
                         const char *c)
{
    return gl_arena_printf(&checker->sites, format, a, b, c);
}

static bool freed(struct gl_checker *checker, const struct gl_flow_event *event)
{
    const struct gl_clash *clash = event->clash;
    return gl_report_clash(
        checker, GL_CHECK_FREED_IN_FLIGHT, event,
        print(checker, "%s is given back while %s may still use it; nothing has waited for %s",
              gl_pointer_name(checker, event), clash->work, gl_stream_name(checker, clash->stream)));
}

static bool reused(struct gl_checker *checker, const struct gl_flow_event *event)
{
    const struct gl_clash *clash = event->clash;
    return gl_report_clash(
        checker, GL_CHECK_FREED_IN_FLIGHT, event,
        print(checker,
              "the pool may hand out a block again that %s on %s still uses, and %s runs on another "
              "stream",
              clash->work, gl_stream_name(checker, clash->stream), clash->other));
}

static bool freed_elsewhere(struct gl_checker *checker, const struct gl_flow_event *event)
{
    const struct gl_clash *clash = event->clash;
    const char *what =
        print(checker, "%s is used by %s on %s, but freed in the order of ", gl_pointer_name(checker, event),
              clash->work, gl_stream_name(checker, clash->stream));
    return gl_report_clash(checker, GL_CHECK_FREE_WRONG_STREAM, event,
                           print(checker, "%s%s, which has not waited for it%s", what,
                                 gl_stream_name(checker, clash->other_stream), gl_if_different(clash)));
}

static bool host_ends(struct gl_checker *checker, const struct gl_flow_event *event)
{
    const struct gl_clash *clash = event->clash;
    const char *format =
        clash->is_host_function
            ? "%s is an argument of the host function that %s enqueues; it ends before that runs%s"
            : "%s is used by %s when the stream gets there, and ends before that%s";
    return gl_report_clash(checker, GL_CHECK_HOST_MEMORY_LIFETIME, event,
                           print(checker, format, gl_pointer_name(checker, event), clash->work, ""));
}

static bool host_written(struct gl_checker *checker, const struct gl_flow_event *event)
{
    return gl_report_clash(checker, GL_CHECK_HOST_MEMORY_LIFETIME, event,
                           print(checker, "%s is overwritten while %s may still read it%s",
                                 gl_pointer_name(checker, event), event->clash->work, ""));
}

static bool object_ends(struct gl_checker *checker, const struct gl_flow_event *event)
{
    const struct gl_clash *clash = event->clash;
    const char *message =
        clash->other_stream
            ? print(checker, "the %s is given back in the order of %s, which has not waited for ",
                    clash->object, gl_stream_name(checker, clash->other_stream), "")
            : print(checker, "the %s is destroyed while it may still be used by %s", clash->object, "", "");
    return gl_report_clash(checker, GL_CHECK_HANDLE_DESTROYED_IN_FLIGHT, event,
                           print(checker, "%s%s%s", message, clash->work, gl_if_different(clash)));
}

static bool object_gone(struct gl_checker *checker, const struct gl_flow_event *event)
{
    const struct gl_clash *clash = event->clash;
    return gl_report_clash(checker, GL_CHECK_HANDLE_DESTROYED_IN_FLIGHT, event,
                           print(checker, "%s uses a %s that was destroyed or given back before%s",
                                 clash->other, clash->object, ""));
}

static bool stream_gone(struct gl_checker *checker, const struct gl_flow_event *event)
{
    const struct gl_clash *clash = event->clash;
    return gl_report_clash(
        checker, GL_CHECK_HANDLE_DESTROYED_IN_FLIGHT, event,
        print(checker, "the %s is destroyed here, but %s uses it later%s", clash->object, clash->other, ""));
}

bool gl_check_in_flight(struct gl_checker *checker, const struct gl_flow_event *event)
{
    switch (event->clash->kind) {
    case GL_CLASH_FREED:
        return freed(checker, event);
    case GL_CLASH_REUSED:
        return reused(checker, event);
    case GL_CLASH_FREED_ELSEWHERE:
        return freed_elsewhere(checker, event);
    case GL_CLASH_HOST_ENDS:
        return host_ends(checker, event);
    case GL_CLASH_HOST_WRITTEN:
        return host_written(checker, event);
    case GL_CLASH_OBJECT_ENDS:
        return object_ends(checker, event);
    case GL_CLASH_OBJECT_GONE:
        return object_gone(checker, event);
    case GL_CLASH_STREAM_GONE:
        return stream_gone(checker, event);
    default:
        return false;
    }
}
