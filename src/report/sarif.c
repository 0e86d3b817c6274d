// SPDX-License-Identifier: Apache-2.0
// The SARIF 2.1.0 report (OASIS Standard, 27 March 2020): findings with their traces as code flows,
// suppressions, and units that could not be analysed as notifications.
#include "report/json_value.h"
#include "report/report.h"

#include <ctype.h>
#include <string.h>

static const char *level_name(enum gl_severity severity)
{
    return gl_severity_name(severity); // SARIF has the same three words
}

// RFC 3986: everything but unreserved characters and the slash is percent-encoded.
static char *uri_of_path(const char *path)
{
    char *uri = gl_xmalloc(strlen(path) * 3 + sizeof "file://"), *out = uri;
    if (*path == '/')
        out = stpcpy(out, "file://");
    for (; *path; path++) {
        unsigned char byte = (unsigned char)*path;
        if (byte < 0x80 && (isalnum(byte) || strchr("-._~/", byte)))
            *out++ = (char)byte;
        else
            out += sprintf(out, "%%%02X", byte);
    }
    *out = '\0';
    return uri;
}

static json_t *artifact_value(const char *path)
{
    char *uri = uri_of_path(path);
    json_t *artifact = json_object();
    json_object_set_new(artifact, "uri", json_string(uri));
    if (*path != '/')
        json_object_set_new(artifact, "uriBaseId", json_string("%SRCROOT%"));
    free(uri);
    return artifact;
}

static json_t *location_value(struct gl_ir_loc loc, const char *message)
{
    json_t *physical = json_object();
    json_object_set_new(physical, "artifactLocation", artifact_value(loc.file));
    json_object_set_new(physical, "region",
                        json_pack("{s:i, s:i}", "startLine", (int)loc.line, "startColumn", (int)loc.column));
    json_t *location = json_object();
    json_object_set_new(location, "physicalLocation", physical);
    if (message)
        json_object_set_new(location, "message", json_pack("{s:o}", "text", gl_json_text(message)));
    return location;
}

static json_t *code_flows_value(const struct gl_finding *finding)
{
    json_t *steps = json_array();
    for (size_t i = 0; i < finding->trace.count; i++) {
        const struct gl_step *step = &finding->trace.items[i];
        json_array_append_new(
            steps, json_pack("{s:o}", "location",
                             location_value(gl_report_position(step->loc, finding->unit), step->message)));
    }
    return json_pack("[{s:[{s:o}]}]", "threadFlows", "locations", steps);
}

static json_t *result_value(const struct gl_finding *finding)
{
    char fingerprint[17];
    gl_report_fingerprint(finding, fingerprint);
    json_t *result = json_object();
    json_object_set_new(result, "ruleId", gl_json_text(finding->check->name));
    json_object_set_new(result, "level", json_string(level_name(finding->severity)));
    json_object_set_new(result, "message", json_pack("{s:o}", "text", gl_json_text(finding->message)));
    json_object_set_new(
        result, "locations",
        json_pack("[o]", location_value(gl_report_position(finding->loc, finding->unit), NULL)));
    json_object_set_new(result, "partialFingerprints", json_pack("{s:s}", "guardlint/v1", fingerprint));
    if (finding->trace.count)
        json_object_set_new(result, "codeFlows", code_flows_value(finding));
    return result;
}

static json_t *results_value(const struct gl_report *report)
{
    json_t *results = json_array();
    for (size_t i = 0; i < report->findings->list.count; i++)
        json_array_append_new(results, result_value(&report->findings->list.items[i]));
    for (size_t i = 0; i < report->suppressed->list.count; i++) {
        const struct gl_suppressed *suppressed = &report->suppressed->list.items[i];
        json_t *result = result_value(&suppressed->finding);
        json_object_set_new(
            result, "suppressions",
            json_pack("[{s:s, s:o}]", "kind", "inSource", "justification", gl_json_text(suppressed->reason)));
        json_array_append_new(results, result);
    }
    return results;
}

static json_t *rule_value(const struct gl_check *check)
{
    json_t *rule = json_object();
    json_object_set_new(rule, "id", gl_json_text(check->name));
    json_object_set_new(rule, "shortDescription", json_pack("{s:o}", "text", gl_json_text(check->summary)));
    json_object_set_new(rule, "fullDescription",
                        json_pack("{s:o}", "text", gl_json_text(check->explanation)));
    json_object_set_new(rule, "help", json_pack("{s:o}", "text", gl_json_text(check->explanation)));
    json_object_set_new(
        rule, "defaultConfiguration",
        json_pack("{s:b, s:s}", "enabled", check->is_on_by_default, "level", level_name(check->severity)));
    return rule;
}

static json_t *driver_value(const struct gl_report *report)
{
    json_t *rules = json_array();
    for (size_t i = 0; i < gl_check_count(); i++)
        json_array_append_new(rules, rule_value(gl_check_at(i)));
    for (int i = 0; i < GL_SUPPRESS_CHECK_COUNT; i++)
        json_array_append_new(rules, rule_value(gl_suppress_check_at((enum gl_suppress_check)i)));
    json_t *driver = json_object();
    json_object_set_new(driver, "name", json_string("guardlint"));
    json_object_set_new(driver, "version", gl_json_text(report->version));
    json_object_set_new(driver, "rules", rules);
    return driver;
}

static json_t *notifications_value(const struct gl_ir_program *program)
{
    json_t *notifications = json_array();
    for (size_t i = 0; i < gl_ir_unit_count(program); i++) {
        const struct gl_ir_unit *unit = gl_ir_unit_at(program, i);
        for (size_t j = 0; unit->status != GL_UNIT_OK && j < unit->problems.count; j++) {
            const struct gl_ir_problem *problem = &unit->problems.items[j];
            json_t *notification = json_object();
            json_object_set_new(notification, "level",
                                json_string(unit->status == GL_UNIT_FAILED ? "error" : "warning"));
            json_object_set_new(notification, "message",
                                json_pack("{s:o}", "text", gl_json_text(problem->message)));
            json_object_set_new(
                notification, "locations",
                json_pack("[o]", location_value(gl_report_position(problem->loc, unit), NULL)));
            json_array_append_new(notifications, notification);
        }
    }
    return notifications;
}

static json_t *invocation_value(const struct gl_report *report)
{
    json_t *invocation = json_object();
    json_object_set_new(invocation, "executionSuccessful", json_boolean(report->summary.failed == 0));
    json_object_set_new(invocation, "exitCode", json_integer(report->summary.exit_status));
    json_object_set_new(invocation, "toolExecutionNotifications", notifications_value(report->program));
    return invocation;
}

void gl_report_write_sarif(const struct gl_report *report, FILE *stream)
{
    json_t *run = json_object();
    json_object_set_new(run, "tool", json_pack("{s:o}", "driver", driver_value(report)));
    json_object_set_new(run, "invocations", json_pack("[o]", invocation_value(report)));
    json_object_set_new(run, "results", results_value(report));
    json_t *root = json_object();
    json_object_set_new(root, "$schema", json_string("https://json.schemastore.org/sarif-2.1.0.json"));
    json_object_set_new(root, "version", json_string("2.1.0"));
    json_object_set_new(root, "runs", json_pack("[o]", run));
    gl_json_write(root, stream);
}
