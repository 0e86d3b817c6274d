// SPDX-License-Identifier: Apache-2.0
// Expectations in test data: `// expect: check-name[, check-name]` on the line a finding belongs to, and
// `// expect-todo: check-name reason` for one that is not found yet. Also after '#' and ';', for IR text.
#ifndef GL_CLI_EXPECT_H
#define GL_CLI_EXPECT_H

#include "base/map.h"
#include "base/strings.h"
#include "base/vec.h"
#include "checks/finding.h"

#include <stdbool.h>
#include <stdio.h>

struct gl_expectation {
    const char *file; // interned absolute path
    unsigned line;
    const char *check; // NULL: `problem` is wrong with the comment
    const char *problem;
    bool is_todo, is_met;
};

// How the lines of a file are shown: test data as itself, an example of a rule file as part of that file.
struct gl_shown_file {
    const char *file; // interned absolute path
    const char *shown;
    int shift; // added to line numbers
};

// Zero-initialise (but for strings and arena) to use; free with gl_expectations_free.
struct gl_expectations {
    struct gl_strings *strings;
    struct gl_arena *arena;
    GL_VEC(struct gl_expectation) list;
    GL_VEC(struct gl_shown_file) files;
    struct gl_map reported; // findings seen: one in a header counts once
    size_t met, todo, mismatches;
};

// Reads the expectations of a file; unreadable files have none (the analysis will say it).
void gl_expectations_read(struct gl_expectations *expectations, const char *path, const char *shown,
                          int shift);
// Compares findings with them; prints those that nobody expects.
void gl_expectations_compare(struct gl_expectations *expectations, const struct gl_findings *findings,
                             FILE *stream);
// Prints what was not met, what is met though marked as to do, and malformed comments; counts all of them.
void gl_expectations_finish(struct gl_expectations *expectations, FILE *stream);
void gl_expectations_free(struct gl_expectations *expectations);

#endif
