// SPDX-License-Identifier: Apache-2.0
// From lowered units to findings.
#include "cli/run.h"

#include "cli/shown.h"

#include <time.h>
#include <unistd.h>

double gl_seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

struct gl_result gl_result_make(const struct gl_unit_list *units, struct gl_lowered *lowered,
                                struct gl_selection selection, const struct gl_rules *rules,
                                const struct gl_enabled *enabled, struct gl_strings *strings,
                                struct gl_arena *arena)
{
    double start = gl_seconds_now();
    struct gl_result result = {.program = gl_link(units, lowered, selection, strings, arena)};
    result.link_seconds = gl_seconds_now() - start;
    const struct gl_analysis_options options = {.enabled = enabled->table};
    gl_analyze(result.program, rules, &options, &result.findings, &result.stats);
    gl_suppress(result.program, enabled, &result.findings, &result.suppressed);
    gl_shown_rename(result.program, units, &result.findings, &result.suppressed);
    gl_findings_sort(&result.findings);
    result.analysis_seconds = gl_seconds_now() - start - result.link_seconds;
    return result;
}

void gl_result_free(struct gl_result *result)
{
    gl_suppressed_free(&result->suppressed);
    gl_findings_free(&result->findings);
    gl_ir_program_destroy(result->program);
}

enum { PATIENCE_MS = 1000, INTERVAL_MS = 100 };

static void progress_report(void *context, size_t done, size_t count, const char *shown)
{
    struct gl_progress_line *line = context;
    double now = gl_seconds_now();
    if ((now - line->start) * 1000 < PATIENCE_MS || (now - line->last) * 1000 < INTERVAL_MS ||
        !isatty(STDERR_FILENO))
        return;
    line->last = now;
    line->is_shown = true;
    fprintf(stderr, "\r\033[K[%zu/%zu] %.100s", done, count, shown);
    fflush(stderr);
}

struct gl_progress gl_progress_start(struct gl_progress_line *line)
{
    *line = (struct gl_progress_line){.start = gl_seconds_now()};
    return (struct gl_progress){progress_report, line};
}

void gl_progress_end(struct gl_progress_line *line)
{
    if (line->is_shown)
        fputs("\r\033[K", stderr);
}
