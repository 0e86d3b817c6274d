// SPDX-License-Identifier: Apache-2.0
// The report as GitLab's code quality artifact (a subset of the Code Climate format).
#include "report/json_value.h"
#include "report/report.h"

static json_t *issue_value(const struct gl_finding *finding)
{
    static const char *const severities[] = {"info", "minor", "major"};
    char fingerprint[17];
    gl_report_fingerprint(finding, fingerprint);
    struct gl_ir_loc loc = gl_report_position(finding->loc, finding->unit);
    return json_pack("{s:o, s:o, s:s, s:s, s:{s:o, s:{s:i}}}", "description", gl_json_text(finding->message),
                     "check_name", gl_json_text(finding->check->name), "fingerprint", fingerprint, "severity",
                     severities[finding->severity], "location", "path", gl_json_text(loc.file), "lines",
                     "begin", (int)loc.line);
}

void gl_report_write_gitlab(const struct gl_report *report, FILE *stream)
{
    json_t *issues = json_array();
    for (size_t i = 0; i < report->findings->list.count; i++)
        json_array_append_new(issues, issue_value(&report->findings->list.items[i]));
    gl_json_write(issues, stream);
}
