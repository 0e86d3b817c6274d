// SPDX-License-Identifier: Apache-2.0
// Reads source files and prints single lines of them with a caret.
#include "report/excerpt.h"

#include "base/file.h"

#include <string.h>

enum { LONGEST_SHOWN = 400 }; // bytes of a line; generated code has longer ones

static void lines_find(struct gl_source *source)
{
    GL_VEC_PUSH(&source->lines, 0);
    for (size_t i = 0; i < source->size; i++) {
        if (source->text[i] == '\n' && i + 1 < source->size)
            GL_VEC_PUSH(&source->lines, i + 1);
    }
}

static const struct gl_source *source_get(struct gl_sources *sources, const char *path)
{
    for (size_t i = sources->files.count; i-- > 0;) {
        if (strcmp(sources->files.items[i].path, path) == 0)
            return &sources->files.items[i];
    }
    struct gl_source source = {.path = path};
    source.text = gl_file_read(path, &source.size);
    if (source.text)
        lines_find(&source);
    GL_VEC_PUSH(&sources->files, source);
    return &sources->files.items[sources->files.count - 1];
}

const char *gl_source_line(struct gl_sources *sources, const char *path, unsigned line, size_t *out_length)
{
    const struct gl_source *source = source_get(sources, path);
    if (!source->text || line == 0 || line > source->lines.count)
        return NULL;
    size_t start = source->lines.items[line - 1];
    size_t end = line < source->lines.count ? source->lines.items[line] : source->size;
    while (end > start && (source->text[end - 1] == '\n' || source->text[end - 1] == '\r'))
        end--;
    *out_length = end - start;
    return source->text + start;
}

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

static void byte_print(char byte, FILE *stream)
{
    bool is_control = ((unsigned char)byte < 0x20 && byte != '\t') || byte == 0x7f;
    fputc(is_control ? '?' : byte, stream);
}

void gl_excerpt_print(struct gl_sources *sources, const char *path, unsigned line, unsigned column,
                      FILE *stream)
{
    size_t length;
    const char *text = gl_source_line(sources, path, line, &length);
    if (!text || length > LONGEST_SHOWN)
        return;
    fprintf(stream, "%5u | ", line);
    for (size_t i = 0; i < length; i++)
        byte_print(text[i], stream);
    fputs("\n      | ", stream);
    for (size_t i = 0; i + 1 < column && i < length; i++) {
        if (!is_continuation(text[i])) // one column on the screen for one character, as far as that is true
            fputc(text[i] == '\t' ? '\t' : ' ', stream);
    }
    fputs("^\n", stream);
}

void gl_sources_free(struct gl_sources *sources)
{
    for (size_t i = 0; i < sources->files.count; i++) {
        free(sources->files.items[i].text);
        GL_VEC_FREE(&sources->files.items[i].lines);
    }
    GL_VEC_FREE(&sources->files);
}
