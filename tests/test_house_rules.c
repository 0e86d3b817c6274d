// SPDX-License-Identifier: Apache-2.0
// The rules of the house that a machine can check, over every source file of the repository: sizes, licence
// lines, the direction of includes, and what must not be left behind.
#define _GNU_SOURCE // memmem
#include "base/file.h"
#include "base/vec.h"
#include "suite.h"

#include <ctype.h>
#include <fts.h>
#include <stdbool.h>

enum { FILE_LINES_MAX = 700, FUNCTION_LINES_MAX = 100, FUNCTION_MEDIAN_MAX = 20 };

// The stages in the order data flows. A file includes headers of its own stage and of those before it.
static const char *const stages[] = {"base", "ir", "rules", "flow", "checks", "report", "cli"};

struct source {
    char *path; // relative to the repository
    char *text;
    size_t size;
};

static struct {
    GL_VEC(struct source) list;
} sources;
static size_t broken;

static void complain(const struct source *source, size_t line, const char *what)
{
    fprintf(stderr, "%s:%zu: %s\n", source->path, line, what);
    broken++;
}

static bool ends_with(const char *path, const char *end)
{
    size_t length = strlen(path), tail = strlen(end);
    return length >= tail && strcmp(path + length - tail, end) == 0;
}

static bool is_code(const char *path)
{
    static const char *const ends[] = {".c", ".h", ".def", ".cpp", ".hpp", ".cu", ".cuh"};
    for (size_t i = 0; i < GL_COUNT(ends); i++) {
        if (ends_with(path, ends[i]))
            return true;
    }
    return false;
}

static bool is_script(const char *path)
{
    return ends_with(path, "CMakeLists.txt") || ends_with(path, ".cmake") || ends_with(path, ".sh") ||
           ends_with(path, ".yaml") || strncmp(path, "scripts/", 8) == 0;
}

static void source_add(const char *absolute)
{
    struct source source = {.path = gl_xstrdup(absolute + strlen(GL_SOURCE) + 1)};
    source.text = gl_file_read(absolute, &source.size);
    ck_assert_ptr_nonnull(source.text);
    GL_VEC_PUSH(&sources.list, source);
}

// Everything but build folders, hidden ones, and inputs, which may be as bad as their tests need them.
static bool is_skipped(const FTSENT *entry)
{
    return entry->fts_level > 0 &&
           (entry->fts_name[0] == '.' || strncmp(entry->fts_name, "build", 5) == 0 ||
            strcmp(entry->fts_name, "testdata") == 0 || strcmp(entry->fts_name, "corpus") == 0);
}

static void sources_read(void)
{
    char root[] = GL_SOURCE;
    char *const roots[] = {root, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    ck_assert_ptr_nonnull(walk);
    for (FTSENT *entry; (entry = fts_read(walk));) {
        if (entry->fts_info == FTS_D && is_skipped(entry))
            fts_set(walk, entry, FTS_SKIP);
        const char *path = entry->fts_path + strlen(GL_SOURCE) + (entry->fts_level > 0);
        if (entry->fts_info == FTS_F && (is_code(path) || is_script(path)))
            source_add(entry->fts_path);
    }
    fts_close(walk);
    broken = 0;
}

static void sources_free(void)
{
    for (size_t i = 0; i < sources.list.count; i++) {
        free(sources.list.items[i].path);
        free(sources.list.items[i].text);
    }
    GL_VEC_FREE(&sources.list);
}

// Calls `check` for every line of every source, with the line's number and text (without its end).
static void lines_visit(void (*check)(const struct source *source, size_t number, const char *line,
                                      size_t length))
{
    for (size_t i = 0; i < sources.list.count; i++) {
        const struct source *source = &sources.list.items[i];
        size_t number = 1;
        for (const char *line = source->text; *line; number++) {
            size_t length = strcspn(line, "\n");
            check(source, number, line, length);
            line += length + (line[length] == '\n');
        }
    }
}

START_TEST(files_are_short)
{
    for (size_t i = 0; i < sources.list.count; i++) {
        size_t lines = 0;
        for (const char *at = sources.list.items[i].text; *at; at++)
            lines += *at == '\n';
        if (lines > FILE_LINES_MAX && !ends_with(sources.list.items[i].path, ".yaml"))
            complain(&sources.list.items[i], lines, "is longer than 700 lines");
    }
    ck_assert_uint_eq(broken, 0);
}
END_TEST

START_TEST(files_name_their_licence)
{
    for (size_t i = 0; i < sources.list.count; i++) {
        const char *found = strstr(sources.list.items[i].text, "SPDX-License-Identifier: Apache-2.0");
        if (!found || found - sources.list.items[i].text > 200)
            complain(&sources.list.items[i], 1, "has no SPDX line at its top");
    }
    ck_assert_uint_eq(broken, 0);
}
END_TEST

// A function's body starts with a brace in the first column, after a line that closes its parameters, and
// ends with one in the first column.
static struct {
    GL_VEC(size_t) lengths;
    size_t start;
    bool follows_parameters;
} functions;

static void function_line(const struct source *source, size_t number, const char *line, size_t length)
{
    if (!ends_with(source->path, ".c") && !ends_with(source->path, ".cu") && !ends_with(source->path, ".cpp"))
        return;
    if (number == 1)
        functions.start = 0;
    if (length == 1 && *line == '{' && functions.follows_parameters)
        functions.start = number;
    if (length == 1 && *line == '}' && functions.start) {
        size_t lines = number - functions.start - 1; // without the braces
        GL_VEC_PUSH(&functions.lengths, lines);
        if (lines > FUNCTION_LINES_MAX)
            complain(source, functions.start, "the function is longer than 100 lines");
        functions.start = 0;
    }
    functions.follows_parameters = length && (line[length - 1] == ')');
}

static int size_compare(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

START_TEST(functions_are_short)
{
    lines_visit(function_line);
    ck_assert_uint_gt(functions.lengths.count, 100);
    qsort(functions.lengths.items, functions.lengths.count, sizeof(size_t), size_compare);
    size_t median = functions.lengths.items[functions.lengths.count / 2];
    fprintf(stderr, "%zu functions, median %zu lines, longest %zu\n", functions.lengths.count, median,
            functions.lengths.items[functions.lengths.count - 1]);
    GL_VEC_FREE(&functions.lengths);
    ck_assert_uint_lt(median, FUNCTION_MEDIAN_MAX);
    ck_assert_uint_eq(broken, 0);
}
END_TEST

static int stage_of(const char *path, size_t length)
{
    for (size_t i = 0; i < GL_COUNT(stages); i++) {
        if (strlen(stages[i]) == length && strncmp(path, stages[i], length) == 0)
            return (int)i;
    }
    return -1;
}

// The quoted or bracketed name of an include line, or NULL.
static const char *include_name(const char *line, size_t *out_length)
{
    if (strncmp(line, "#include", 8) != 0)
        return NULL;
    line += 8;
    while (isblank((unsigned char)*line))
        line++;
    if (*line != '"' && *line != '<')
        return NULL;
    *out_length = strcspn(line + 1, "\">\n");
    return line + 1;
}

static void include_line(const struct source *source, size_t number, const char *line, size_t length)
{
    size_t name_length;
    const char *name = include_name(line, &name_length);
    (void)length;
    if (!name || strncmp(source->path, "src/", 4) != 0)
        return;
    const char *folder = source->path + 4;
    bool is_frontend = strncmp(folder, "frontend/", 9) == 0;
    int own = stage_of(folder, strcspn(folder, "/"));
    int other = stage_of(name, strcspn(name, "/"));
    if (strncmp(name, "clang-c/", 8) == 0 && !is_frontend)
        complain(source, number, "includes clang-c/ outside of the front end");
    if (strncmp(name, "frontend/", 9) == 0 && !is_frontend)
        complain(source, number, "includes a header of the front end");
    if (is_frontend && other > stage_of("ir", 2))
        complain(source, number, "the front end includes more than base/ and ir/");
    if (!is_frontend && other > own)
        complain(source, number, "includes a header of a later stage");
}

START_TEST(includes_point_backwards)
{
    lines_visit(include_line);
    ck_assert_uint_eq(broken, 0);
}
END_TEST

// The words are put together here so that this file does not hold them.
static const char *const leftovers[] = {"TO"
                                        "DO",
                                        "FIX"
                                        "ME",
                                        "XX"
                                        "X:",
                                        "HA"
                                        "CK",
                                        "#if"
                                        " 0",
                                        "<<<<"
                                        "<<< "};

static void leftover_line(const struct source *source, size_t number, const char *line, size_t length)
{
    for (size_t i = 0; i < GL_COUNT(leftovers); i++) {
        const char *at = memmem(line, length, leftovers[i], strlen(leftovers[i]));
        if (at && (at == line || (!isalnum((unsigned char)at[-1]) && at[-1] != '_')) &&
            !isalnum((unsigned char)at[strlen(leftovers[i])]) && at[strlen(leftovers[i])] != '_')
            complain(source, number, "something was left to be done");
    }
    if (length && (line[length - 1] == ' ' || line[length - 1] == '\t' || line[length - 1] == '\r'))
        complain(source, number, "ends in a blank");
}

START_TEST(nothing_is_left_behind)
{
    lines_visit(leftover_line);
    for (size_t i = 0; i < sources.list.count; i++) {
        const struct source *source = &sources.list.items[i];
        if (source->size && source->text[source->size - 1] != '\n')
            complain(source, 0, "does not end in a line end");
    }
    ck_assert_uint_eq(broken, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("house_rules");
    TCase *cases = tcase_create("rules");
    tcase_add_checked_fixture(cases, sources_read, sources_free);
    tcase_add_test(cases, files_are_short);
    tcase_add_test(cases, files_name_their_licence);
    tcase_add_test(cases, functions_are_short);
    tcase_add_test(cases, includes_point_backwards);
    tcase_add_test(cases, nothing_is_left_behind);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
