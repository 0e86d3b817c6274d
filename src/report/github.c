// SPDX-License-Identifier: Apache-2.0
// The report as workflow commands of GitHub Actions: `::error file=…,line=…,col=…,title=…::message`.
#include "report/report.h"

// Data needs %, CR and LF encoded; a property also ':' and ','.
static void encoded_print(const char *text, bool is_property, FILE *stream)
{
    for (; *text; text++) {
        bool is_special =
            *text == '%' || *text == '\r' || *text == '\n' || (is_property && (*text == ':' || *text == ','));
        if (is_special)
            fprintf(stream, "%%%02X", (unsigned)(unsigned char)*text);
        else
            fputc(*text, stream);
    }
}

static void finding_print(const struct gl_finding *finding, FILE *stream)
{
    static const char *const commands[] = {"notice", "warning", "error"};
    struct gl_ir_loc loc = gl_report_position(finding->loc, finding->unit);
    fprintf(stream, "::%s file=", commands[finding->severity]);
    encoded_print(loc.file, true, stream);
    fprintf(stream, ",line=%u,col=%u,title=guardlint %s::", loc.line, loc.column, finding->check->name);
    encoded_print(finding->message, false, stream);
    for (size_t i = 0; i < finding->trace.count; i++) {
        const struct gl_step *step = &finding->trace.items[i];
        struct gl_ir_loc at = gl_report_position(step->loc, finding->unit);
        fputs("%0A", stream);
        encoded_print(at.file, false, stream);
        fprintf(stream, ":%u: ", at.line);
        encoded_print(step->message, false, stream);
    }
    fputc('\n', stream);
}

void gl_report_write_github(const struct gl_report *report, FILE *stream)
{
    for (size_t i = 0; i < report->findings->list.count; i++)
        finding_print(&report->findings->list.items[i], stream);
}
