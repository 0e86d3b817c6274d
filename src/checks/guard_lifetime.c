// SPDX-License-Identifier: Apache-2.0
// The guard lifetime checks: what becomes of a guard, seen against the work that uses its pointer.
#include "checks/checker.h"

#include <string.h>

static const char *print(struct gl_checker *checker, const char *format, const char *a, const char *b)
{
    return gl_arena_printf(&checker->sites, format, a, b);
}

// ---- released before the work -----------------------------------------------------------------------------

static enum gl_check_id check_for(const struct gl_resource *resource)
{
    switch (resource->cause) {
    case GL_CAUSE_TEMPORARY:
        return GL_CHECK_TEMPORARY_OWNER;
    case GL_CAUSE_OVERWRITE:
    case GL_CAUSE_MOVE:
        return GL_CHECK_GUARD_OVERWRITTEN;
    default:
        return GL_CHECK_RELEASED_BEFORE_LAUNCH;
    }
}

static const char *released_message(struct gl_checker *checker, const struct gl_flow_event *event)
{
    const struct gl_resource *resource = event->resource;
    const char *pointer = gl_pointer_name(checker, event);
    const char *work = event->subject ? event->subject : "the work";
    const char *end = resource->is_owner ? "the memory is given back" : "its guard is released";
    switch (resource->cause) {
    case GL_CAUSE_TEMPORARY:
        end = resource->is_owner ? "the temporary that owns it is destroyed at the end of the full expression"
                                 : "its guard is a temporary, released at the end of the full expression";
        return gl_arena_printf(&checker->sites, "%s is used by %s later, but %s", pointer, work, end);
    case GL_CAUSE_OVERWRITE:
    case GL_CAUSE_MOVE:
        end = resource->is_owner ? "its owner was assigned to, reset or moved" : "its guard was overwritten or moved";
        return gl_arena_printf(&checker->sites, "%s uses %s, but %s before that", work, pointer, end);
    default:
        break;
    }
    if (resource->kind == GL_RELEASE_EVENT)
        return gl_arena_printf(&checker->sites,
                               "%s uses %s, but %s before the work is enqueued: the event is recorded too early, and "
                               "other streams do not wait for this work",
                               work, pointer, end);
    return gl_arena_printf(&checker->sites, "%s uses %s, but %s before the work is enqueued", work, pointer, end);
}

static bool use_of_released(struct gl_checker *checker, const struct gl_flow_event *event)
{
    const struct gl_resource *resource = event->resource;
    enum gl_check_id id = check_for(resource);
    // A temporary is wrong where it is written; the others where the work is hurt.
    const struct gl_site *primary = id == GL_CHECK_TEMPORARY_OWNER ? resource->released : event->site;
    struct gl_finding *finding = gl_report(checker, id, event, primary, released_message(checker, event));
    if (!finding)
        return true;
    if (resource->acquired)
        gl_finding_step(checker, finding, resource->acquired);
    gl_finding_step(checker, finding, resource->released);
    gl_finding_step(checker, finding, event->site);
    return true;
}

// ---- held, but not for this work --------------------------------------------------------------------------

static void finish(struct gl_checker *checker, struct gl_finding *finding, const struct gl_flow_event *event)
{
    if (!finding)
        return;
    if (event->resource->acquired)
        gl_finding_step(checker, finding, event->resource->acquired);
    gl_finding_step(checker, finding, event->site);
}

static bool use_on_other_stream(struct gl_checker *checker, const struct gl_flow_event *event)
{
    const struct gl_resource *resource = event->resource;
    enum gl_distinct distinct = gl_streams_distinct(resource->stream, event->stream);
    if (resource->kind != GL_RELEASE_EVENT || distinct == GL_SAME_OR_UNKNOWN)
        return false;
    const char *guard = gl_value_describe(resource->stream, &checker->sites);
    const char *work = gl_value_describe(event->stream, &checker->sites);
    if (gl_value_is_int(event->stream, 0))
        work = "the default stream";
    if (gl_value_is_int(resource->stream, 0))
        guard = "the default stream";
    const char *message = gl_arena_printf(
        &checker->sites, "%s runs on %s, but the guard of %s was taken for %s%s",
        event->subject ? event->subject : "the work", work, gl_pointer_name(checker, event), guard,
        distinct == GL_DISTINCT ? "" : "; wrong if these are different streams");
    finish(checker, gl_report(checker, GL_CHECK_WRONG_STREAM, event, event->site, message), event);
    return true;
}

static bool use_with_other_access(struct gl_checker *checker, const struct gl_flow_event *event)
{
    bool writes = event->access == GL_ACCESS_WRITE || event->access == GL_ACCESS_READ_WRITE;
    if (!writes || event->resource->access != GL_ACCESS_READ)
        return false;
    const char *message =
        print(checker, "%s may write through %s, which comes from a read guard",
              event->subject ? event->subject : "the work", gl_pointer_name(checker, event));
    finish(checker, gl_report(checker, GL_CHECK_ACCESS_MISMATCH, event, event->site, message), event);
    return true;
}

static bool on_use(struct gl_checker *checker, const struct gl_flow_event *event)
{
    if (event->resource->state)
        return false;
    if (event->resource->status == GL_STATUS_RELEASED)
        return use_of_released(checker, event);
    if (event->resource->status != GL_STATUS_HELD)
        return false;
    bool is_reported = use_on_other_stream(checker, event);
    return use_with_other_access(checker, event) || is_reported;
}

// ---- releases ---------------------------------------------------------------------------------------------

static bool released_twice(struct gl_checker *checker, const struct gl_flow_event *event)
{
    const struct gl_resource *resource = event->resource;
    const char *message = resource->state      ? print(checker, "the %s state is given back a second time%s", resource->state, "")
                          : resource->is_owner ? "this memory was given back already"
                                               : "this guard was released already";
    struct gl_finding *finding = gl_report(checker, GL_CHECK_DOUBLE_RELEASE, event, event->site, message);
    if (!finding)
        return true;
    if (resource->acquired)
        gl_finding_step(checker, finding, resource->acquired);
    gl_finding_step(checker, finding, resource->released);
    gl_finding_step(checker, finding, event->site);
    return true;
}

static bool on_release(struct gl_checker *checker, const struct gl_flow_event *event)
{
    const struct gl_resource *resource = event->resource;
    GL_VEC_PUSH(&checker->released, gl_guard_key(event->func, resource));
    if (resource->status == GL_STATUS_RELEASED)
        return !resource->is_one_of_many && !resource->is_shared && released_twice(checker, event);
    if (resource->status != GL_STATUS_HELD || !resource->tarried)
        return false;
    struct gl_finding *finding =
        gl_report(checker, GL_CHECK_HELD_TOO_LONG, event, event->site,
                  "the guard is released after other work or a wait: its event covers more than its last use");
    if (!finding)
        return false;
    gl_finding_step(checker, finding, resource->last_use);
    gl_finding_step(checker, finding, resource->tarried);
    return false;
}

static bool on_lost(struct gl_checker *checker, const struct gl_flow_event *event)
{
    struct gl_finding *finding = gl_report(checker, GL_CHECK_GUARD_OVERWRITTEN, event, event->site,
                                           "the only handle of a guard that is still held is overwritten");
    finish(checker, finding, event);
    return true;
}

static bool on_temporary(struct gl_checker *checker, const struct gl_flow_event *event)
{
    const char *message = print(checker, "%s %s", event->subject ? event->subject : "the guard",
                                "is created and destroyed at once, or not created at all: give it a name");
    gl_report(checker, GL_CHECK_UNNAMED_GUARD, event, event->site, message);
    return true;
}

// ---- leaks ------------------------------------------------------------------------------------------------

// The end of the process frees everything.
static bool ends_the_process(const struct gl_ir_func *func)
{
    return func->decl->name && strcmp(func->decl->name, "main") == 0;
}

static void on_exit_held(struct gl_checker *checker, const struct gl_flow_event *event)
{
    const struct gl_resource *resource = event->resource;
    if (resource->status != GL_STATUS_HELD || !resource->is_acquired || resource->is_handed_on ||
        ends_the_process(event->func))
        return;
    GL_VEC_PUSH(&checker->leaks, (struct gl_pending_leak){event->func, *resource, event->site, false});
}

static bool is_released_somewhere(const struct gl_checker *checker, uint64_t key)
{
    for (size_t i = 0; i < checker->released.count; i++)
        if (checker->released.items[i] == key)
            return true;
    return false;
}

static int by_position(const void *left, const void *right)
{
    const struct gl_ir_loc *a = &((const struct gl_pending_leak *)left)->site->loc;
    const struct gl_ir_loc *b = &((const struct gl_pending_leak *)right)->site->loc;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return a->column < b->column ? -1 : a->column > b->column;
}

void gl_check_leaks(struct gl_checker *checker)
{
    if (checker->leaks.count) // the first path in the source is the finding, the others are its steps
        qsort(checker->leaks.items, checker->leaks.count, sizeof *checker->leaks.items, by_position);
    for (size_t i = 0; i < checker->leaks.count; i++) {
        const struct gl_pending_leak *leak = &checker->leaks.items[i];
        const struct gl_resource *resource = &leak->resource;
        // Memory and thread states may be meant to outlive the function; guards are not.
        bool may_be_meant = resource->is_owner || resource->state;
        if (may_be_meant && !is_released_somewhere(checker, gl_guard_key(leak->func, resource)))
            continue;
        struct gl_flow_event event = {
            .kind = GL_FLOW_EXIT, .func = leak->func, .resource = resource, .site = leak->site};
        const char *message =
            resource->state      ? print(checker, "this path leaves the function without giving back the %s state%s", resource->state, "")
            : resource->is_owner ? "this path leaves the function without freeing memory that others free"
                                 : "this path leaves the function with a guard held: its event is never recorded";
        struct gl_finding *finding = gl_report(checker, GL_CHECK_GUARD_LEAK, &event, leak->site, message);
        if (finding && resource->acquired)
            gl_finding_step(checker, finding, resource->acquired);
    }
}

bool gl_check_guard_lifetime(struct gl_checker *checker, const struct gl_flow_event *event)
{
    switch (event->kind) {
    case GL_FLOW_USE:
        return on_use(checker, event);
    case GL_FLOW_RELEASE:
        return on_release(checker, event);
    case GL_FLOW_LOST:
        return on_lost(checker, event);
    case GL_FLOW_TEMPORARY:
        return on_temporary(checker, event);
    case GL_FLOW_EXIT:
        on_exit_held(checker, event);
        return false;
    case GL_FLOW_CLASH: // the other groups'
        return false;
    }
    return false;
}
