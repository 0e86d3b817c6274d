// SPDX-License-Identifier: Apache-2.0
// Runs the analysis with every check group as its observer.
#include "checks/checker.h"

#include <string.h>
#include <time.h>

static bool on_event(void *data, const struct gl_flow_event *event)
{
    if (event->kind != GL_FLOW_CLASH)
        return gl_check_guard_lifetime(data, event);
    return gl_check_in_flight(data, event) || gl_check_ordering(data, event) || gl_check_state_guards(data, event);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void stats_fill(const struct gl_flow_stats *flow, double seconds, struct gl_analysis_stats *out_stats)
{
    *out_stats = (struct gl_analysis_stats){
        .functions = flow->functions,
        .blocks = flow->blocks,
        .instructions = flow->instructions,
        .unknown_instructions = flow->unknown_instructions,
        .calls_with_rule = flow->calls_with_rule,
        .calls_with_summary = flow->calls_with_summary,
        .calls_unknown = flow->calls_unknown,
        .launches = flow->launches,
        .guards = flow->guards,
        .states_joined = flow->states_joined,
        .functions_over_budget = flow->functions_over_budget,
        .seconds = seconds,
    };
}

void gl_analyze(struct gl_ir_program *program, const struct gl_rules *rules,
                const struct gl_analysis_options *options, struct gl_findings *out_findings,
                struct gl_analysis_stats *out_stats)
{
    bool enabled[GL_CHECK_ID_COUNT];
    for (size_t i = 0; i < GL_CHECK_ID_COUNT; i++)
        enabled[i] = options->enabled ? options->enabled[i] : gl_check_at(i)->is_on_by_default;
    double start = now();
    struct gl_checker checker = {
        .enabled = enabled, .findings = out_findings, .first = out_findings->list.count};
    struct gl_flow_stats flow = {0};
    gl_flow_run(program, rules, options->max_states, (struct gl_observer){&checker, on_event}, &checker.sites, &flow);
    gl_check_leaks(&checker);
    stats_fill(&flow, now() - start, out_stats);
    GL_VEC_FREE(&checker.keys);
    GL_VEC_FREE(&checker.leaks);
    GL_VEC_FREE(&checker.released);
    gl_arena_free(&checker.sites);
}
