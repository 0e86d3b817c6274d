// SPDX-License-Identifier: Apache-2.0
// The report as JUnit XML: a test case a unit, a failure a finding, an error a unit that was not analysed.
#include "report/report.h"

// Bytes that XML cannot hold, and those of no valid encoding, are shown as '?'.
static void escaped_print(const char *text, FILE *stream)
{
    for (; *text; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", stream);
            break;
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        default:
            fputc((unsigned char)*text < 0x20 || (unsigned char)*text >= 0x7f ? '?' : *text, stream);
        }
    }
}

static void position_print(struct gl_ir_loc loc, FILE *stream)
{
    escaped_print(loc.file, stream);
    fprintf(stream, ":%u:%u: ", loc.line, loc.column);
}

static void failure_print(const struct gl_finding *finding, FILE *stream)
{
    fprintf(stream, "  <failure type=\"%s\" message=\"", finding->check->name);
    escaped_print(finding->message, stream);
    fputs("\">", stream);
    position_print(gl_report_position(finding->loc, finding->unit), stream);
    escaped_print(finding->message, stream);
    for (size_t i = 0; i < finding->trace.count; i++) {
        fputc('\n', stream);
        position_print(gl_report_position(finding->trace.items[i].loc, finding->unit), stream);
        escaped_print(finding->trace.items[i].message, stream);
    }
    fputs("</failure>\n", stream);
}

static void errors_print(const struct gl_ir_unit *unit, FILE *stream)
{
    for (size_t i = 0; unit->status == GL_UNIT_FAILED && i < unit->problems.count; i++) {
        const struct gl_ir_problem *problem = &unit->problems.items[i];
        fputs("  <error type=\"", stream);
        escaped_print(problem->kind, stream);
        fputs("\" message=\"", stream);
        escaped_print(problem->message, stream);
        fputs("\"/>\n", stream);
    }
}

static void unit_print(const struct gl_report *report, const struct gl_ir_unit *unit, FILE *stream)
{
    fputs(" <testcase classname=\"guardlint\" name=\"", stream);
    escaped_print(unit->path, stream);
    fprintf(stream, "\" time=\"%.3f\">\n", unit->parse_seconds + unit->lower_seconds);
    for (size_t i = 0; i < report->findings->list.count; i++) {
        if (report->findings->list.items[i].unit == unit)
            failure_print(&report->findings->list.items[i], stream);
    }
    errors_print(unit, stream);
    fputs(" </testcase>\n", stream);
}

void gl_report_write_junit(const struct gl_report *report, FILE *stream)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", stream);
    fprintf(stream,
            "<testsuite name=\"guardlint\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" time=\"%.3f\">\n",
            gl_ir_unit_count(report->program), report->summary.findings, report->summary.failed,
            report->summary.seconds);
    for (size_t i = 0; i < gl_ir_unit_count(report->program); i++)
        unit_print(report, gl_ir_unit_at(report->program, i), stream);
    fputs("</testsuite>\n", stream);
}
