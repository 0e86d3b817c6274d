// SPDX-License-Identifier: Apache-2.0
// Reports: how findings leave the program. One file a format, formats.def is the table of all.
#ifndef GL_REPORT_REPORT_H
#define GL_REPORT_REPORT_H

#include "checks/checks.h"
#include "report/suppress.h"

#include <stdio.h>

// The numbers of the last line of a run.
struct gl_summary {
    size_t units, partial, failed, excluded;
    size_t findings, suppressed;
    double seconds;          // wall clock, whole run
    double frontend_seconds; // wall clock, parsing and lowering in all workers
    double link_seconds;     // wall clock, reading and joining the IR
    double analysis_seconds; // wall clock, from the linked program to findings
    int exit_status;
};

// What a format may use. All pointers are set.
struct gl_report {
    const char *version; // of guardlint
    const struct gl_ir_program *program;
    const struct gl_findings *findings; // sorted, without the suppressed ones
    const struct gl_suppressed_list *suppressed;
    const struct gl_analysis_stats *stats;
    struct gl_summary summary;
    bool has_color;    // text: ANSI colours
    bool has_excerpts; // text: the source line under each position
};

struct gl_report_format {
    const char *name;
    const char *description;
    void (*write)(const struct gl_report *report, FILE *stream); // errors stay in the stream: ferror()
};

size_t gl_report_format_count(void);
const struct gl_report_format *gl_report_format_at(size_t index);
const struct gl_report_format *gl_report_format_find(const char *name); // NULL if unknown

#define GL_REPORT_FORMAT(name, description)                                                                  \
    void gl_report_write_##name(const struct gl_report *report, FILE *stream);
#include "report/formats.def"
#undef GL_REPORT_FORMAT

// The position to show for a finding or step: a synthetic one becomes the start of the unit.
struct gl_ir_loc gl_report_position(struct gl_ir_loc loc, const struct gl_ir_unit *unit);
// Stays the same when lines are added above the finding: 16 hexadecimal digits and NUL.
void gl_report_fingerprint(const struct gl_finding *finding, char out_text[17]);
const char *gl_report_status_name(enum gl_ir_status status);

#endif
