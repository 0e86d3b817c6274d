// SPDX-License-Identifier: Apache-2.0
// Renames files in findings and problems.
#include "cli/shown.h"

#include "base/map.h"
#include "cli/paths.h"

struct renamer {
    struct gl_strings *strings;
    struct gl_arena arena;
    struct gl_map directories; // unit's path → folder of its build
    struct gl_map names;       // (file, folder) → name to show
    const char *current;
};

static void loc_rename(struct renamer *r, struct gl_ir_loc *loc, const struct gl_ir_unit *unit)
{
    const char *directory = gl_map_get(&r->directories, unit->path, NULL);
    // A unit's own source already has the name that reports shall show.
    if (!loc->file || !directory || !*directory || gl_map_get(&r->directories, loc->file, NULL))
        return;
    void **slot = gl_map_put(&r->names, loc->file, directory);
    if (!*slot) {
        const char *path = gl_path_absolute(&r->arena, gl_path_join(&r->arena, directory, loc->file));
        *slot = (void *)(uintptr_t)gl_intern(r->strings, gl_path_below(r->current, path));
    }
    loc->file = *slot;
}

static void finding_rename(struct renamer *r, struct gl_finding *finding)
{
    loc_rename(r, &finding->loc, finding->unit);
    for (size_t i = 0; i < finding->trace.count; i++)
        loc_rename(r, &finding->trace.items[i].loc, finding->unit);
}

void gl_shown_rename(struct gl_ir_program *program, const struct gl_unit_list *units,
                     struct gl_findings *findings, struct gl_suppressed_list *suppressed)
{
    struct renamer r = {.strings = gl_ir_strings(program)};
    r.current = gl_path_current(&r.arena);
    for (size_t i = 0; i < units->list.count; i++) {
        const struct gl_unit *unit = &units->list.items[i];
        *gl_map_put(&r.directories, gl_intern(r.strings, unit->shown), NULL) =
            (void *)(uintptr_t)unit->directory;
    }
    for (size_t i = 0; i < findings->list.count; i++)
        finding_rename(&r, &findings->list.items[i]);
    for (size_t i = 0; i < suppressed->list.count; i++)
        finding_rename(&r, &suppressed->list.items[i].finding);
    for (size_t i = 0; i < gl_ir_unit_count(program); i++) {
        struct gl_ir_unit *unit = gl_ir_unit_at(program, i);
        for (size_t j = 0; j < unit->problems.count; j++)
            loc_rename(&r, &unit->problems.items[j].loc, unit);
    }
    gl_map_free(&r.directories);
    gl_map_free(&r.names);
    gl_arena_free(&r.arena);
}
