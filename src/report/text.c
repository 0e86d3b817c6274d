// SPDX-License-Identifier: Apache-2.0
// The text report: `path:line:col: severity: message [check]`, its notes, and on a terminal colours and
// excerpts.
#include "report/excerpt.h"
#include "report/report.h"

static const char *const severity_colors[] = {
    [GL_NOTE] = "\033[1;36m", [GL_WARNING] = "\033[1;35m", [GL_ERROR] = "\033[1;31m"};

struct printer {
    const struct gl_report *report;
    FILE *stream;
    struct gl_sources sources;
};

static const char *color(const struct printer *printer, const char *code)
{
    return printer->report->has_color ? code : "";
}

static void line_print(struct printer *printer, struct gl_ir_loc loc, enum gl_severity severity,
                       const char *message, const char *check)
{
    fprintf(printer->stream, "%s%s:%u:%u:%s %s%s:%s %s", color(printer, "\033[1m"), loc.file, loc.line,
            loc.column, color(printer, "\033[0m"), color(printer, severity_colors[severity]),
            gl_severity_name(severity), color(printer, "\033[0m"), message);
    if (check)
        fprintf(printer->stream, " [%s]", check);
    fputc('\n', printer->stream);
    if (printer->report->has_excerpts)
        gl_excerpt_print(&printer->sources, loc.file, loc.line, loc.column, printer->stream);
}

static void finding_print(struct printer *printer, const struct gl_finding *finding)
{
    line_print(printer, gl_report_position(finding->loc, finding->unit), finding->severity, finding->message,
               finding->check->name);
    for (size_t i = 0; i < finding->trace.count; i++) {
        const struct gl_step *step = &finding->trace.items[i];
        line_print(printer, gl_report_position(step->loc, finding->unit), GL_NOTE, step->message, NULL);
    }
}

void gl_report_write_text(const struct gl_report *report, FILE *stream)
{
    struct printer printer = {.report = report, .stream = stream};
    for (size_t i = 0; i < report->findings->list.count; i++)
        finding_print(&printer, &report->findings->list.items[i]);
    gl_sources_free(&printer.sources);
}
