// SPDX-License-Identifier: Apache-2.0
// The table of report formats, and what several of them share.
#include "report/report.h"

#include <string.h>

static const struct gl_report_format formats[] = {
#define GL_REPORT_FORMAT(name, description) {#name, description, gl_report_write_##name},
#include "report/formats.def"
#undef GL_REPORT_FORMAT
};

size_t gl_report_format_count(void)
{
    return GL_COUNT(formats);
}

const struct gl_report_format *gl_report_format_at(size_t index)
{
    return &formats[index];
}

const struct gl_report_format *gl_report_format_find(const char *name)
{
    for (size_t i = 0; i < GL_COUNT(formats); i++) {
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    }
    return NULL;
}

struct gl_ir_loc gl_report_position(struct gl_ir_loc loc, const struct gl_ir_unit *unit)
{
    if (!loc.file)
        loc = (struct gl_ir_loc){.file = unit->path, .line = 1};
    if (!loc.line)
        loc.line = 1;
    if (!loc.column)
        loc.column = 1;
    return loc;
}

void gl_report_fingerprint(const struct gl_finding *finding, char out_text[17])
{
    const char *parts[] = {finding->check->name, gl_report_position(finding->loc, finding->unit).file,
                           finding->function, finding->message};
    uint64_t hash = 0;
    for (size_t i = 0; i < GL_COUNT(parts); i++) {
        if (parts[i])
            hash = gl_hash_bytes(parts[i], strlen(parts[i]), hash);
    }
    snprintf(out_text, 17, "%016llx", (unsigned long long)hash);
}

const char *gl_report_status_name(enum gl_ir_status status)
{
    static const char *const names[] = {"ok", "partial", "failed"};
    return names[status];
}
