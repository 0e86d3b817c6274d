// SPDX-License-Identifier: Apache-2.0
// Makes findings: one a guard and cause, with its trace in order.
#include "checks/checker.h"

#include <string.h>

static uint64_t mix(uint64_t hash, uint64_t part)
{
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

static uint64_t mix_loc(uint64_t hash, struct gl_ir_loc loc)
{
    hash = mix(hash, (uint64_t)(uintptr_t)loc.file);
    return mix(hash, ((uint64_t)loc.line << 32) | loc.column);
}

uint64_t gl_guard_key(const struct gl_ir_func *func, const struct gl_resource *resource)
{
    uint64_t key = mix(0, (uint64_t)(uintptr_t)func);
    if (resource->acquired)
        return mix_loc(key, resource->acquired->loc);
    return mix(key, resource->handle->hash);
}

static bool has_step(const struct gl_finding *finding, const struct gl_site *site)
{
    if (finding->loc.file == site->loc.file && finding->loc.line == site->loc.line &&
        finding->loc.column == site->loc.column)
        return true;
    for (size_t i = 0; i < finding->trace.count; i++) {
        const struct gl_ir_loc *loc = &finding->trace.items[i].loc;
        if (loc->file == site->loc.file && loc->line == site->loc.line && loc->column == site->loc.column)
            return true;
    }
    return false;
}

void gl_finding_step(struct gl_checker *checker, struct gl_finding *finding, const struct gl_site *site)
{
    for (; site; site = site->inner)
        if (site->loc.file)
            GL_VEC_PUSH(&finding->trace,
                        (struct gl_step){site->loc, gl_arena_strdup(&checker->findings->arena, site->what)});
}

static bool is_same_loc(const struct gl_ir_loc *a, const struct gl_ir_loc *b)
{
    return a->file == b->file && a->line == b->line && a->column == b->column;
}

// Two names for one guard (what a parameter leads to, and what a helper put there) make one finding.
static bool is_known(const struct gl_checker *checker, enum gl_check_id id, const struct gl_flow_event *event,
                     const struct gl_site *primary)
{
    const struct gl_site *released = event->resource ? event->resource->released : NULL;
    for (size_t i = checker->first; released && i < checker->findings->list.count; i++) {
        const struct gl_finding *known = &checker->findings->list.items[i];
        if (known->check != gl_check_at(id) || !is_same_loc(&known->loc, &primary->loc))
            continue;
        for (size_t k = 0; k < known->trace.count; k++)
            if (is_same_loc(&known->trace.items[k].loc, &released->loc))
                return true;
    }
    return false;
}

struct gl_finding *gl_report(struct gl_checker *checker, enum gl_check_id id, const struct gl_flow_event *event,
                             const struct gl_site *primary, const char *message)
{
    if (!checker->enabled[id])
        return NULL;
    uint64_t key = mix(id, event->resource ? gl_guard_key(event->func, event->resource) : 0);
    if (!event->resource)
        key = mix_loc(key, primary->loc);
    for (size_t i = 0; i < checker->keys.count; i++) {
        if (checker->keys.items[i] != key)
            continue;
        struct gl_finding *known = &checker->findings->list.items[checker->first + i];
        if (!has_step(known, event->site))
            gl_finding_step(checker, known, event->site);
        return NULL;
    }
    if (is_known(checker, id, event, primary))
        return NULL;
    GL_VEC_PUSH(&checker->keys, key);
    struct gl_finding finding = {
        .check = gl_check_at(id),
        .severity = gl_check_at(id)->severity,
        .loc = primary->loc,
        .message = gl_arena_strdup(&checker->findings->arena, message),
        .function = event->func->decl->name,
        .unit = event->func->unit,
    };
    GL_VEC_PUSH(&checker->findings->list, finding);
    return &checker->findings->list.items[checker->findings->list.count - 1];
}

const char *gl_pointer_name(struct gl_checker *checker, const struct gl_flow_event *event)
{
    const struct gl_state *state = event->state;
    for (size_t i = 0; i < state->env.count; i++) {
        const struct gl_mem *mem = state->env.items[i].mem;
        if (mem->kind == GL_MEM_VAR && mem->var->name[0] && state->env.items[i].value == event->value)
            return gl_arena_printf(&checker->sites, "'%s'", mem->var->name);
    }
    if (event->value->kind == GL_VALUE_INIT)
        return gl_arena_printf(&checker->sites, "'%s'", gl_value_describe(event->value, &checker->sites));
    return "a pointer";
}

const char *gl_stream_name(struct gl_checker *checker, const struct gl_value *stream)
{
    enum { PER_THREAD = 2 };
    if (!stream)
        return "its stream";
    if (gl_value_is_int(stream, 0))
        return "the default stream";
    if (gl_value_is_int(stream, PER_THREAD))
        return "the default stream of the thread";
    if (stream->kind == GL_VALUE_INIT)
        return gl_arena_printf(&checker->sites, "stream '%s'", gl_value_describe(stream, &checker->sites));
    return "its stream";
}

const char *gl_if_different(const struct gl_clash *clash)
{
    return clash->is_if ? "; wrong if these are different streams" : "";
}

bool gl_report_clash(struct gl_checker *checker, enum gl_check_id id, const struct gl_flow_event *event,
                     const char *message)
{
    struct gl_finding *finding = gl_report(checker, id, event, event->site, message);
    for (size_t i = 0; finding && i < GL_COUNT(event->clash->steps); i++)
        if (event->clash->steps[i])
            gl_finding_step(checker, finding, event->clash->steps[i]);
    return true;
}
