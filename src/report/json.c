// SPDX-License-Identifier: Apache-2.0
// The JSON report: everything a run knows. The format is described in docs/ci.md; GL_JSON_VERSION grows when
// a key changes its meaning or goes away, not when one is added.
#include "report/json_value.h"
#include "report/report.h"

enum { GL_JSON_VERSION = 1 };

static void location_add(json_t *object, struct gl_ir_loc loc)
{
    json_object_set_new(object, "file", gl_json_text(loc.file));
    json_object_set_new(object, "line", json_integer(loc.line));
    json_object_set_new(object, "column", json_integer(loc.column));
    if (loc.macro)
        json_object_set_new(object, "macro", gl_json_text(loc.macro));
}

static json_t *trace_value(const struct gl_finding *finding)
{
    json_t *trace = json_array();
    for (size_t i = 0; i < finding->trace.count; i++) {
        json_t *step = json_object();
        location_add(step, gl_report_position(finding->trace.items[i].loc, finding->unit));
        json_object_set_new(step, "message", gl_json_text(finding->trace.items[i].message));
        json_array_append_new(trace, step);
    }
    return trace;
}

static json_t *finding_value(const struct gl_finding *finding)
{
    char fingerprint[17];
    gl_report_fingerprint(finding, fingerprint);
    json_t *object = json_object();
    json_object_set_new(object, "check", gl_json_text(finding->check->name));
    json_object_set_new(object, "severity", gl_json_text(gl_severity_name(finding->severity)));
    location_add(object, gl_report_position(finding->loc, finding->unit));
    json_object_set_new(object, "message", gl_json_text(finding->message));
    json_object_set_new(object, "function", gl_json_text(finding->function));
    json_object_set_new(object, "unit", gl_json_text(finding->unit->path));
    json_object_set_new(object, "fingerprint", gl_json_text(fingerprint));
    json_object_set_new(object, "trace", trace_value(finding));
    return object;
}

static json_t *findings_value(const struct gl_report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->findings->list.count; i++)
        json_array_append_new(array, finding_value(&report->findings->list.items[i]));
    return array;
}

static json_t *suppressed_value(const struct gl_report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->suppressed->list.count; i++) {
        json_t *object = finding_value(&report->suppressed->list.items[i].finding);
        json_object_set_new(object, "reason", gl_json_text(report->suppressed->list.items[i].reason));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *problems_value(const struct gl_ir_unit *unit)
{
    json_t *array = json_array();
    for (size_t i = 0; i < unit->problems.count; i++) {
        const struct gl_ir_problem *problem = &unit->problems.items[i];
        json_t *object = json_object();
        json_object_set_new(object, "kind", gl_json_text(problem->kind));
        location_add(object, gl_report_position(problem->loc, unit));
        json_object_set_new(object, "message", gl_json_text(problem->message));
        json_object_set_new(object, "hint", gl_json_text(problem->hint));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *units_value(const struct gl_ir_program *program)
{
    json_t *array = json_array();
    for (size_t i = 0; i < gl_ir_unit_count(program); i++) {
        const struct gl_ir_unit *unit = gl_ir_unit_at(program, i);
        json_t *object = json_object();
        json_object_set_new(object, "path", gl_json_text(unit->path));
        json_object_set_new(object, "language", gl_json_text(unit->language));
        json_object_set_new(object, "status", gl_json_text(gl_report_status_name(unit->status)));
        json_object_set_new(object, "parse_seconds", json_real(unit->parse_seconds));
        json_object_set_new(object, "lower_seconds", json_real(unit->lower_seconds));
        json_object_set_new(object, "problems", problems_value(unit));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *summary_value(const struct gl_summary *summary)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:i}", "units",
                     (json_int_t)summary->units, "partial", (json_int_t)summary->partial, "failed",
                     (json_int_t)summary->failed, "excluded", (json_int_t)summary->excluded, "findings",
                     (json_int_t)summary->findings, "suppressed", (json_int_t)summary->suppressed, "seconds",
                     summary->seconds, "frontend_seconds", summary->frontend_seconds, "link_seconds",
                     summary->link_seconds, "analysis_seconds", summary->analysis_seconds, "exit_status",
                     summary->exit_status);
}

static json_t *stats_value(const struct gl_analysis_stats *stats)
{
    json_t *object = json_object();
#define GL_STAT(field, text) json_object_set_new(object, #field, json_integer((json_int_t)stats->field));
#include "report/stats.def"
#undef GL_STAT
    return object;
}

void gl_report_write_json(const struct gl_report *report, FILE *stream)
{
    json_t *root = json_object();
    json_object_set_new(root, "guardlint", gl_json_text(report->version));
    json_object_set_new(root, "format", json_integer(GL_JSON_VERSION));
    json_object_set_new(root, "findings", findings_value(report));
    json_object_set_new(root, "suppressed", suppressed_value(report));
    json_object_set_new(root, "units", units_value(report->program));
    json_object_set_new(root, "summary", summary_value(&report->summary));
    json_object_set_new(root, "stats", stats_value(report->stats));
    gl_json_write(root, stream);
}
