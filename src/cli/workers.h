// SPDX-License-Identifier: Apache-2.0
// The pool of front-end processes: units in, the text of their IR (or why there is none) out. A unit that
// crashes, hangs or eats memory costs itself and nothing else.
#ifndef GL_CLI_WORKERS_H
#define GL_CLI_WORKERS_H

#include "cli/units.h"

struct gl_worker_limits {
    const char *program;   // guardlint-frontend
    unsigned jobs;         // processes at a time
    unsigned unit_timeout; // seconds
    unsigned unit_memory;  // MiB
};

// What became of one unit. Free text and the failure's with gl_lowered_free.
struct gl_lowered {
    char *text; // NUL-terminated; NULL: there is a failure
    size_t size;
    struct gl_failure failure; // texts live in the arena given to gl_workers_run
};

// Told after each unit that is done: how many of how many, and which came last.
struct gl_progress {
    void (*report)(void *context, size_t done, size_t count, const char *shown);
    void *context;
};

// Lowers every unit that has no failure and is no IR file; fills in out_lowered[units->list.count]. IR files
// are read, failures copied.
void gl_workers_run(const struct gl_worker_limits *limits, const struct gl_unit_list *units,
                    struct gl_arena *arena, const struct gl_progress *progress,
                    struct gl_lowered *out_lowered);
void gl_lowered_free(struct gl_lowered *lowered, size_t count);

#endif
