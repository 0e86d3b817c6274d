// SPDX-License-Identifier: Apache-2.0
// Errors in device code, and missing headers, told from the rest.
#include "frontend/device.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- device code -----------------------------------------------------------------------------------------

struct attributes {
    bool is_global, is_device, is_host;
};

static enum CXChildVisitResult note_attribute(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct attributes *found = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    found->is_global |= kind == CXCursor_CUDAGlobalAttr;
    found->is_device |= kind == CXCursor_CUDADeviceAttr;
    found->is_host |= kind == CXCursor_CUDAHostAttr;
    return CXChildVisit_Continue;
}

static bool is_device_function(CXCursor function)
{
    struct attributes found = {0};
    clang_visitChildren(function, note_attribute, &found);
    return found.is_global || (found.is_device && !found.is_host);
}

static bool is_function(enum CXCursorKind kind)
{
    return kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate || kind == CXCursor_CXXMethod ||
           kind == CXCursor_Constructor || kind == CXCursor_Destructor || kind == CXCursor_ConversionFunction;
}

static bool has_file(const struct gl_device_code *code, CXFile file)
{
    for (size_t i = 0; i < code->files.count; i++)
        if (code->files.items[i] == file)
            return true;
    return false;
}

static void note_function(struct gl_device_code *code, CXCursor function)
{
    CXSourceRange extent = clang_getCursorExtent(function);
    struct gl_device_range range;
    clang_getExpansionLocation(clang_getRangeStart(extent), &range.file, NULL, NULL, &range.start);
    if (!range.file || !has_file(code, range.file) || !is_device_function(function))
        return;
    clang_getExpansionLocation(clang_getRangeEnd(extent), NULL, NULL, NULL, &range.end);
    GL_VEC_PUSH(&code->ranges, range);
}

static enum CXChildVisitResult find_functions(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (is_function(kind))
        note_function(data, cursor);
    bool is_scope = kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec ||
                    kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl ||
                    kind == CXCursor_ClassTemplate || kind == CXCursor_ClassTemplatePartialSpecialization;
    return is_scope ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

struct gl_device_code gl_device_code_find(CXTranslationUnit tu)
{
    struct gl_device_code code = {0};
    unsigned count = clang_getNumDiagnostics(tu);
    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(tu, i);
        CXFile file = NULL;
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
            clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file, NULL, NULL, NULL);
        if (file && !has_file(&code, file))
            GL_VEC_PUSH(&code.files, file);
        clang_disposeDiagnostic(diagnostic);
    }
    if (code.files.count)
        clang_visitChildren(clang_getTranslationUnitCursor(tu), find_functions, &code);
    return code;
}

bool gl_device_code_has(const struct gl_device_code *code, CXSourceLocation location)
{
    CXFile file;
    unsigned offset;
    clang_getExpansionLocation(location, &file, NULL, NULL, &offset);
    for (size_t i = 0; i < code->ranges.count; i++) {
        const struct gl_device_range *range = &code->ranges.items[i];
        if (range->file == file && offset >= range->start && offset < range->end)
            return true;
    }
    return false;
}

void gl_device_code_free(struct gl_device_code *code)
{
    GL_VEC_FREE(&code->files);
    GL_VEC_FREE(&code->ranges);
}

// ---- counting --------------------------------------------------------------------------------------------

char *gl_missing_header(const char *message)
{
    const char *end = strstr(message, "' file not found");
    if (!end || *message != '\'')
        return NULL;
    char *name = gl_xstrdup(message + 1);
    name[end - message - 1] = '\0';
    return name;
}

static bool is_in_folder(const char *name, const char *folder)
{
    struct gl_arena arena = {0};
    bool found = folder && (access(gl_arena_printf(&arena, "%s/%s", folder, name), R_OK) == 0 ||
                            access(gl_arena_printf(&arena, "%s/cccl/%s", folder, name), R_OK) == 0);
    gl_arena_free(&arena);
    return found;
}

static void count_error(struct gl_parse_errors *errors, const struct gl_device_code *device,
                        CXDiagnostic diagnostic, const char *folder)
{
    CXString spelling = clang_getDiagnosticSpelling(diagnostic);
    char *header = gl_missing_header(clang_getCString(spelling));
    clang_disposeString(spelling);
    if (header) {
        errors->count++;
        bool is_there = is_in_folder(header, folder);
        errors->lacks_header |= !is_there;
        errors->lacks_header_of_toolkit |= is_there;
    } else if (!gl_device_code_has(device, clang_getDiagnosticLocation(diagnostic))) {
        errors->count++;
    }
    free(header);
}

struct gl_parse_errors gl_parse_errors(CXTranslationUnit tu, const char *folder)
{
    struct gl_parse_errors errors = {0};
    struct gl_device_code device = gl_device_code_find(tu);
    unsigned count = clang_getNumDiagnostics(tu);
    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(tu, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
            count_error(&errors, &device, diagnostic, folder);
        clang_disposeDiagnostic(diagnostic);
    }
    gl_device_code_free(&device);
    return errors;
}
