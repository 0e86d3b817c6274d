// SPDX-License-Identifier: Apache-2.0
// Suppression comments: `// guardlint: allow(check-name[, check-name]) reason` on the line of a finding or
// the line above it. The reason is required. What is wrong with a comment is itself a finding.
#ifndef GL_REPORT_SUPPRESS_H
#define GL_REPORT_SUPPRESS_H

#include "checks/checks.h"

enum gl_allow_status {
    GL_ALLOW_OK,
    GL_ALLOW_NO_COMMAND, // something else than allow after "guardlint:"
    GL_ALLOW_NO_LIST,    // no "(name, …)"
    GL_ALLOW_NO_REASON,
};

// One comment, parsed. Texts live in the arena given to gl_allow_parse.
struct gl_allow {
    enum gl_allow_status status;
    const char *command; // the word after "guardlint:"
    GL_VEC(const char *) names;
    const char *reason;
};

// Parses the text of a comment that starts with "guardlint:". Free names with GL_VEC_FREE.
struct gl_allow gl_allow_parse(struct gl_arena *arena, const char *text);

struct gl_suppressed {
    struct gl_finding finding;
    const char *reason;
    struct gl_ir_loc comment;
};

// Texts live in the findings' arena.
struct gl_suppressed_list {
    GL_VEC(struct gl_suppressed) list;
};

// The checks that this stage adds to those of the table.
enum gl_suppress_check {
    GL_STALE_SUPPRESSION, // a comment has nothing to suppress
    GL_BAD_SUPPRESSION,   // it is malformed, lacks the reason or names an unknown check
    GL_SUPPRESS_CHECK_COUNT,
};

const struct gl_check *gl_suppress_check_at(enum gl_suppress_check check);

// Which checks are on. The table's: by index of the check; NULL: their defaults.
struct gl_enabled {
    const bool *table;
    bool suppress[GL_SUPPRESS_CHECK_COUNT];
};

// Moves the findings that a comment of the program's units allows to `out_suppressed`, and adds a finding for
// each comment that something is wrong with. A comment is not called stale if its check is off or its unit
// was analysed in part only.
void gl_suppress(const struct gl_ir_program *program, const struct gl_enabled *enabled,
                 struct gl_findings *findings, struct gl_suppressed_list *out_suppressed);
void gl_suppressed_free(struct gl_suppressed_list *suppressed);

#endif
