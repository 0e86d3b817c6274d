// SPDX-License-Identifier: Apache-2.0
// The list of findings: order and life.
#include "checks/finding.h"

#include "checks/checks.h"

#include <string.h>

static int compare_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

static int compare(const void *left, const void *right)
{
    const struct gl_finding *a = left, *b = right;
    int order = compare_text(a->loc.file, b->loc.file);
    if (order)
        return order;
    if (a->loc.line != b->loc.line)
        return a->loc.line < b->loc.line ? -1 : 1;
    if (a->loc.column != b->loc.column)
        return a->loc.column < b->loc.column ? -1 : 1;
    order = compare_text(a->check->name, b->check->name);
    return order ? order : compare_text(a->message, b->message);
}

void gl_findings_sort(struct gl_findings *findings)
{
    if (findings->list.count)
        qsort(findings->list.items, findings->list.count, sizeof *findings->list.items, compare);
}

void gl_findings_free(struct gl_findings *findings)
{
    for (size_t i = 0; i < findings->list.count; i++)
        GL_VEC_FREE(&findings->list.items[i].trace);
    GL_VEC_FREE(&findings->list);
    gl_arena_free(&findings->arena);
}
