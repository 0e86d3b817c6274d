// SPDX-License-Identifier: Apache-2.0
// Reads `expect:` comments and compares them with findings.
#include "cli/expect.h"

#include "base/file.h"
#include "cli/paths.h"
#include "cli/settings.h"
#include "report/report.h"

#include <ctype.h>
#include <string.h>

// ---- reading ---------------------------------------------------------------------------------------------

// The word must follow the mark of a comment, with nothing but blanks between.
static bool follows_comment_mark(const char *line, const char *word)
{
    while (word > line && isblank((unsigned char)word[-1]))
        word--;
    if (word == line)
        return false;
    if (word[-1] == '#' || word[-1] == ';')
        return true;
    return word - line >= 2 && word[-2] == '/' && (word[-1] == '/' || word[-1] == '*');
}

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '-')
        length++;
    return length;
}

static void expectation_add(struct gl_expectations *e, const char *file, unsigned line, const char *name,
                            bool is_todo)
{
    struct gl_expectation expectation = {.file = file, .line = line, .check = name, .is_todo = is_todo};
    if (!is_todo && !gl_check_any(name)) { // what is to do may be a whole check
        const char *nearest = gl_check_nearest(name);
        expectation.problem = gl_arena_printf(e->arena, "unknown check '%s' is expected%s%s", name,
                                              nearest ? "; did you mean " : "", nearest ? nearest : "");
        expectation.check = NULL;
    }
    GL_VEC_PUSH(&e->list, expectation);
}

static void problem_add(struct gl_expectations *e, const char *file, unsigned line, const char *problem)
{
    GL_VEC_PUSH(&e->list, (struct gl_expectation){.file = file, .line = line, .problem = problem});
}

// The names after the colon; what follows the last one is a remark, which `todo` requires as its reason.
static void names_read(struct gl_expectations *e, const char *file, unsigned line, const char *text,
                       bool is_todo)
{
    for (;;) {
        while (isblank((unsigned char)*text))
            text++;
        size_t length = name_length(text);
        if (!length) {
            problem_add(e, file, line, "the name of a check is missing after expect:");
            return;
        }
        expectation_add(e, file, line, gl_arena_strndup(e->arena, text, length), is_todo);
        text += length;
        while (isblank((unsigned char)*text))
            text++;
        if (*text != ',')
            break;
        text++;
    }
    if (is_todo && (!*text || *text == '*'))
        problem_add(e, file, line, "expect-todo: needs a reason after the name");
}

static void line_read(struct gl_expectations *e, const char *file, unsigned line, const char *text)
{
    static const struct {
        const char *word;
        bool is_todo;
    } words[] = {{"expect:", false}, {"expect-todo:", true}};
    for (size_t i = 0; i < GL_COUNT(words); i++) {
        for (const char *at = text; (at = strstr(at, words[i].word)); at++) {
            if (follows_comment_mark(text, at))
                names_read(e, file, line, at + strlen(words[i].word), words[i].is_todo);
        }
    }
}

void gl_expectations_read(struct gl_expectations *e, const char *path, const char *shown, int shift)
{
    const char *file = gl_intern(e->strings, gl_path_absolute(e->arena, path));
    size_t size;
    char *text = gl_file_read(path, &size);
    GL_VEC_PUSH(&e->files, (struct gl_shown_file){file, shown, shift});
    unsigned line = 1;
    char *save = text;
    for (char *start = text; start && start < text + size; line++) {
        char *end = memchr(start, '\n', (size_t)(text + size - start));
        if (end)
            *end = '\0';
        start[strcspn(start, "\r")] = '\0';
        line_read(e, file, line, start);
        start = end ? end + 1 : NULL;
    }
    free(save);
}

// ---- comparing -------------------------------------------------------------------------------------------

static void place_print(const struct gl_expectations *e, const char *file, unsigned line, unsigned column,
                        FILE *stream)
{
    const char *shown = file;
    int shown_line = (int)line;
    for (size_t i = 0; i < e->files.count; i++) {
        if (e->files.items[i].file != file)
            continue;
        shown = e->files.items[i].shown;
        shown_line += e->files.items[i].shift;
    }
    fprintf(stream, "%s:%d: ", shown, shown_line);
    if (column)
        fprintf(stream, "column %u: ", column);
}

static struct gl_expectation *expectation_find(struct gl_expectations *e, const char *file, unsigned line,
                                               const char *check)
{
    for (size_t i = 0; i < e->list.count; i++) {
        struct gl_expectation *expectation = &e->list.items[i];
        if (expectation->file == file && expectation->line == line && !expectation->is_met &&
            expectation->check && strcmp(expectation->check, check) == 0)
            return expectation;
    }
    return NULL;
}

// Several units report what is in a header they share.
static bool is_repeated(struct gl_expectations *e, const char *file, struct gl_ir_loc loc,
                        const struct gl_finding *finding)
{
    const char *key =
        gl_intern(e->strings, gl_arena_printf(e->arena, "%s:%u:%u:%s:%s", file, loc.line, loc.column,
                                              finding->check->name, finding->message));
    void **slot = gl_map_put(&e->reported, key, NULL);
    bool is_known = *slot != NULL;
    *slot = e;
    return is_known;
}

void gl_expectations_compare(struct gl_expectations *e, const struct gl_findings *findings, FILE *stream)
{
    for (size_t i = 0; i < findings->list.count; i++) {
        const struct gl_finding *finding = &findings->list.items[i];
        struct gl_ir_loc loc = gl_report_position(finding->loc, finding->unit);
        const char *file = gl_intern(e->strings, gl_path_absolute(e->arena, loc.file));
        if (is_repeated(e, file, loc, finding))
            continue;
        struct gl_expectation *expectation = expectation_find(e, file, loc.line, finding->check->name);
        if (expectation) {
            expectation->is_met = true;
            continue;
        }
        place_print(e, file, loc.line, loc.column, stream);
        fprintf(stream, "not expected: %s [%s]\n", finding->message, finding->check->name);
        e->mismatches++;
    }
}

static void expectation_finish(struct gl_expectations *e, const struct gl_expectation *expectation,
                               FILE *stream)
{
    const char *wrong = NULL;
    if (expectation->problem)
        wrong = expectation->problem;
    else if (expectation->is_todo && expectation->is_met)
        wrong = gl_arena_printf(e->arena, "found, although marked expect-todo (mark it expect): [%s]",
                                expectation->check);
    else if (!expectation->is_todo && !expectation->is_met)
        wrong = gl_arena_printf(e->arena, "expected, but not found: [%s]", expectation->check);
    else if (expectation->is_todo)
        e->todo++;
    else
        e->met++;
    if (!wrong)
        return;
    e->mismatches++;
    place_print(e, expectation->file, expectation->line, 0, stream);
    fprintf(stream, "%s\n", wrong);
}

void gl_expectations_finish(struct gl_expectations *e, FILE *stream)
{
    for (size_t i = 0; i < e->list.count; i++)
        expectation_finish(e, &e->list.items[i], stream);
}

void gl_expectations_free(struct gl_expectations *e)
{
    GL_VEC_FREE(&e->list);
    GL_VEC_FREE(&e->files);
    gl_map_free(&e->reported);
}
