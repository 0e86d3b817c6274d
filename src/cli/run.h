// SPDX-License-Identifier: Apache-2.0
// The part of a run that `check`, `--verify` and `rules test` share: from lowered units to findings.
#ifndef GL_CLI_RUN_H
#define GL_CLI_RUN_H

#include "cli/link.h"
#include "report/report.h"

// One linked program and what was found in it. Zero-initialise; free with gl_result_free.
struct gl_result {
    struct gl_ir_program *program;
    struct gl_findings findings; // sorted, without the suppressed ones
    struct gl_suppressed_list suppressed;
    struct gl_analysis_stats stats;
    double link_seconds, analysis_seconds; // wall clock
};

// link → analyse → suppress → sort. `strings` is also that of the rules.
struct gl_result gl_result_make(const struct gl_unit_list *units, struct gl_lowered *lowered,
                                struct gl_selection selection, const struct gl_rules *rules,
                                const struct gl_enabled *enabled, struct gl_strings *strings,
                                struct gl_arena *arena);
void gl_result_free(struct gl_result *result);

// Monotonic time.
double gl_seconds_now(void);

// Progress on standard error: only on a terminal, and only once a run takes long.
struct gl_progress_line {
    double start, last;
    bool is_shown;
};

struct gl_progress gl_progress_start(struct gl_progress_line *line);
void gl_progress_end(struct gl_progress_line *line);

#endif
