// SPDX-License-Identifier: Apache-2.0
// Collecting and printing diagnostics.
#include "base/diag.h"

#include <stdarg.h>

const char *gl_severity_name(enum gl_severity severity)
{
    static const char *const names[] = {"note", "warning", "error"};
    return names[severity];
}

struct gl_diag *gl_diag_add(struct gl_diags *diags, enum gl_severity severity, const char *file, unsigned line,
                            unsigned column, const char *hint, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *message = gl_arena_alloc(&diags->arena, (size_t)(length < 0 ? 0 : length) + 1);
    va_start(args, format);
    vsnprintf(message, (size_t)(length < 0 ? 0 : length) + 1, format, args);
    va_end(args);
    GL_VEC_PUSH(&diags->list, (struct gl_diag){
                                  .severity = severity,
                                  .file = file ? gl_arena_strdup(&diags->arena, file) : NULL,
                                  .line = line,
                                  .column = column,
                                  .message = message,
                                  .hint = hint ? gl_arena_strdup(&diags->arena, hint) : NULL,
                              });
    if (severity == GL_ERROR)
        diags->errors++;
    return &diags->list.items[diags->list.count - 1];
}

static void position_print(const struct gl_diag *diag, FILE *stream)
{
    fputs(diag->file ? diag->file : "guardlint", stream);
    if (diag->line)
        fprintf(stream, ":%u", diag->line);
    if (diag->line && diag->column)
        fprintf(stream, ":%u", diag->column);
}

void gl_diags_print(const struct gl_diags *diags, FILE *stream)
{
    for (size_t i = 0; i < diags->list.count; i++) {
        const struct gl_diag *diag = &diags->list.items[i];
        position_print(diag, stream);
        fprintf(stream, ": %s: %s\n", gl_severity_name(diag->severity), diag->message);
        if (!diag->hint)
            continue;
        position_print(diag, stream);
        fprintf(stream, ": note: %s\n", diag->hint);
    }
}

void gl_diags_free(struct gl_diags *diags)
{
    GL_VEC_FREE(&diags->list);
    gl_arena_free(&diags->arena);
    diags->errors = 0;
}
