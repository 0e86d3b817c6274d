// SPDX-License-Identifier: Apache-2.0
// clang's diagnostics → the unit's problems.
#include "frontend/fe.h"

#include <string.h>

enum { PROBLEMS_MAX = 20 };

struct sink {
    struct gl_fe *fe;
    bool has_fatal, has_error;
    size_t count;
    GL_VEC(unsigned) device_ranges; // start, end, start, end … of device code in the main file
};

// ---- device code -----------------------------------------------------------------------------------------

static enum CXChildVisitResult note_device_code(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct sink *sink = data;
    if (!clang_Location_isFromMainFile(clang_getCursorLocation(cursor)))
        return CXChildVisit_Continue;
    switch (gl_fe_kind(cursor)) {
    case CXCursor_FunctionDecl:
    case CXCursor_FunctionTemplate:
    case CXCursor_CXXMethod:
        if (gl_fe_is_device_only(gl_fe_decl(sink->fe, cursor))) {
            GL_VEC_PUSH(&sink->device_ranges, gl_fe_start_offset(cursor));
            GL_VEC_PUSH(&sink->device_ranges, gl_fe_end_offset(cursor));
        }
        return CXChildVisit_Continue;
    case CXCursor_Namespace:
    case CXCursor_LinkageSpec:
    case CXCursor_StructDecl:
    case CXCursor_ClassDecl:
    case CXCursor_ClassTemplate:
        return CXChildVisit_Recurse;
    default:
        return CXChildVisit_Continue;
    }
}

static bool is_in_device_code(const struct sink *sink, unsigned offset)
{
    for (size_t i = 0; i + 1 < sink->device_ranges.count; i += 2)
        if (offset >= sink->device_ranges.items[i] && offset < sink->device_ranges.items[i + 1])
            return true;
    return false;
}

// ---- one diagnostic --------------------------------------------------------------------------------------

static bool is_missing_file(const char *message)
{
    return strstr(message, "file not found") != NULL;
}

static void add_missing_header(struct sink *sink, struct gl_ir_loc loc, const char *message)
{
    char *text = gl_arena_printf(&sink->fe->scratch, "header %s", message);
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
    if (is_main && severity == CXDiagnostic_Error && is_in_device_code(sink, offset))
        return;
    sink->has_error = true;
    sink->has_fatal |= severity == CXDiagnostic_Fatal;
    if (is_main)
        GL_VEC_PUSH(&fe->error_offsets, offset);
    const char *message = gl_fe_string(fe, clang_getDiagnosticSpelling(diagnostic));
    if (sink->count++ >= PROBLEMS_MAX)
        return;
    struct gl_ir_loc loc = gl_fe_loc(fe, location);
    if (is_missing_file(message))
        add_missing_header(sink, loc, message);
    else
        gl_fe_problem(fe, "parse-error", loc, message, NULL);
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
        gl_fe_problem(sink->fe, "vexing-parse",
                      gl_fe_loc(sink->fe, clang_getDiagnosticLocation(diagnostic)),
                      gl_fe_string(sink->fe, clang_getDiagnosticSpelling(diagnostic)), NULL);
}

static bool has_errors(CXTranslationUnit tu)
{
    unsigned count = clang_getNumDiagnostics(tu);
    bool found = false;
    for (unsigned i = 0; i < count && !found; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(tu, i);
        found = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
        clang_disposeDiagnostic(diagnostic);
    }
    return found;
}

void gl_fe_read_diagnostics(struct gl_fe *fe, bool *out_has_fatal, bool *out_has_error)
{
    struct sink sink = {.fe = fe};
    unsigned count = clang_getNumDiagnostics(fe->tu);
    if (strcmp(fe->unit->language, "cuda") == 0 && has_errors(fe->tu))
        clang_visitChildren(clang_getTranslationUnitCursor(fe->tu), note_device_code, &sink);
    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(fe->tu, i);
        add_diagnostic(&sink, diagnostic);
        clang_disposeDiagnostic(diagnostic);
    }
    GL_VEC_FREE(&sink.device_ranges);
    *out_has_fatal = sink.has_fatal;
    *out_has_error = sink.has_error;
}
