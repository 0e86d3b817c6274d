// SPDX-License-Identifier: Apache-2.0
// clang's diagnostics → the unit's problems.
#include "frontend/device.h"
#include "frontend/fe.h"

#include <stdlib.h>
#include <string.h>

enum { PROBLEMS_MAX = 20 };

struct sink {
    struct gl_fe *fe;
    bool has_fatal, has_error;
    size_t count;
    struct gl_device_code device;
};

// ---- one diagnostic --------------------------------------------------------------------------------------

static void add_missing_header(struct sink *sink, struct gl_ir_loc loc, const char *name)
{
    char *text = gl_arena_printf(&sink->fe->scratch, "the header '%s' was not found", name);
    gl_fe_problem(sink->fe, "missing-header", loc, text,
                  "pass its folder with -I, or use the project's compile database (-p BUILD)");
}

static void add_error(struct sink *sink, CXDiagnostic diagnostic, enum CXDiagnosticSeverity severity)
{
    struct gl_fe *fe = sink->fe;
    CXSourceLocation location = clang_getDiagnosticLocation(diagnostic);
    CXFile file;
    unsigned offset;
    clang_getExpansionLocation(location, &file, NULL, NULL, &offset);
    bool is_main = file && clang_File_isEqual(file, fe->main_file);
    if (severity == CXDiagnostic_Error && gl_device_code_has(&sink->device, location))
        return;
    sink->has_error = true;
    sink->has_fatal |= severity == CXDiagnostic_Fatal;
    struct gl_ir_loc loc = gl_fe_loc(fe, location);
    if (is_main)
        GL_VEC_PUSH(&fe->errors, (struct gl_fe_error){offset, loc});
    const char *message = gl_fe_string(fe, clang_getDiagnosticSpelling(diagnostic));
    if (sink->count++ >= PROBLEMS_MAX)
        return;
    char *header = gl_missing_header(message);
    if (header)
        add_missing_header(sink, loc, header);
    else
        gl_fe_problem(fe, "parse-error", loc, message, NULL);
    free(header);
}

static void add_diagnostic(struct sink *sink, CXDiagnostic diagnostic)
{
    enum CXDiagnosticSeverity severity = clang_getDiagnosticSeverity(diagnostic);
    if (severity >= CXDiagnostic_Error) {
        add_error(sink, diagnostic, severity);
        return;
    }
    const char *option = gl_fe_string(sink->fe, clang_getDiagnosticOption(diagnostic, NULL));
    if (strcmp(option, "-Wvexing-parse") == 0)
        gl_fe_problem(sink->fe, "vexing-parse", gl_fe_loc(sink->fe, clang_getDiagnosticLocation(diagnostic)),
                      gl_fe_string(sink->fe, clang_getDiagnosticSpelling(diagnostic)), NULL);
}

void gl_fe_read_diagnostics(struct gl_fe *fe, bool *out_has_fatal, bool *out_has_error)
{
    struct sink sink = {.fe = fe, .device = gl_device_code_find(fe->tu)};
    unsigned count = clang_getNumDiagnostics(fe->tu);
    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(fe->tu, i);
        add_diagnostic(&sink, diagnostic);
        clang_disposeDiagnostic(diagnostic);
    }
    gl_device_code_free(&sink.device);
    *out_has_fatal = sink.has_fatal;
    *out_has_error = sink.has_error;
}
