// SPDX-License-Identifier: Apache-2.0
// `guardlint check --verify FOLDER`: test data with expectations in, mismatches out.
#include "cli/verify.h"

#include "cli/commands.h"
#include "cli/paths.h"
#include "cli/run.h"
#include "cli/settings.h"

#include <errno.h>
#include <fts.h>
#include <string.h>

// ---- one group of files ----------------------------------------------------------------------------------

struct group_run {
    struct gl_expectations *expectations;
    struct gl_arena arena;
    struct gl_diags diags;
    struct gl_settings settings;
    struct gl_rules *rules;
    struct gl_unit_list units;
    struct gl_lowered *lowered;
};

static void statuses_compare(struct group_run *run, const struct gl_ir_program *program)
{
    for (size_t i = 0; i < gl_ir_unit_count(program); i++) {
        const struct gl_ir_unit *unit = gl_ir_unit_at(program, i);
        if (unit->status == GL_UNIT_OK)
            continue;
        const struct gl_ir_problem *problem = unit->problems.count ? &unit->problems.items[0] : NULL;
        printf("%s:%u: %s: %s\n", unit->path, problem ? problem->loc.line : 0,
               unit->status == GL_UNIT_FAILED ? "not analysed" : "analysed in part",
               problem ? problem->message : "no reason is given");
        run->expectations->mismatches++;
    }
}

static void program_compare(struct group_run *run, struct gl_selection selection)
{
    struct gl_result result = gl_result_make(&run->units, run->lowered, selection, run->rules,
                                             &run->settings.enabled, run->expectations->strings, &run->arena);
    statuses_compare(run, result.program);
    gl_expectations_compare(run->expectations, &result.findings, stdout);
    gl_result_free(&result);
}

static void units_compare(struct group_run *run)
{
    size_t count = run->units.list.count;
    size_t *all = gl_arena_alloc(&run->arena, count * sizeof *all);
    for (size_t i = 0; i < count; i++)
        all[i] = i;
    if (run->settings.config.verify_together)
        program_compare(run, (struct gl_selection){all, count});
    for (size_t i = 0; i < count && !run->settings.config.verify_together; i++)
        program_compare(run, (struct gl_selection){&all[i], 1});
}

static bool group_settings_load(struct group_run *run, const struct gl_options *options, const char *start)
{
    if (!gl_settings_load(&run->settings, &run->arena, options, start, &run->diags))
        return false;
    run->rules =
        gl_settings_rules(&run->settings, &run->arena, options, run->expectations->strings, &run->diags);
    return run->rules != NULL;
}

bool gl_verify_files(struct gl_expectations *expectations, const struct gl_options *options,
                     const char *start, const struct gl_paths *files)
{
    struct group_run run = {.expectations = expectations};
    bool is_good = group_settings_load(&run, options, start);
    if (is_good) {
        const struct gl_unit_settings settings = gl_settings_for_units(&run.settings, options);
        struct gl_progress_line line;
        gl_units_collect(&run.units, &run.arena, &settings, files->list.items, files->list.count, &run.diags);
        run.lowered = gl_arena_alloc(&run.arena, run.units.list.count * sizeof *run.lowered);
        struct gl_progress progress = gl_progress_start(&line);
        gl_workers_run(&run.settings.limits, &run.units, &run.arena, &progress, run.lowered);
        gl_progress_end(&line);
        units_compare(&run);
        gl_rules_destroy(run.rules);
        gl_lowered_free(run.lowered, run.units.list.count);
    }
    gl_diags_print(&run.diags, stderr);
    gl_units_free(&run.units);
    gl_settings_free(&run.settings);
    gl_diags_free(&run.diags);
    gl_arena_free(&run.arena);
    return is_good;
}

// ---- a folder --------------------------------------------------------------------------------------------

// The files that have one configuration file in common.
struct group {
    const char *config; // interned, or NULL: none
    const char *start;  // a file of the group
    struct gl_paths files;
};

struct folder_run {
    struct gl_expectations expectations;
    struct gl_arena arena;
    GL_VEC(struct group) groups;
    size_t files;
};

static struct group *group_get(struct folder_run *run, const char *path)
{
    const char *config = gl_config_find(&run->arena, path);
    config = config ? gl_intern(run->expectations.strings, config) : NULL;
    for (size_t i = 0; i < run->groups.count; i++) {
        if (run->groups.items[i].config == config)
            return &run->groups.items[i];
    }
    GL_VEC_PUSH(&run->groups, (struct group){.config = config, .start = path});
    return &run->groups.items[run->groups.count - 1];
}

static void file_add(struct folder_run *run, const char *path)
{
    const char *language;
    enum gl_file_kind kind = gl_path_kind(path, &language);
    if (kind == GL_FILE_OTHER)
        return;
    gl_expectations_read(&run->expectations, path, path, 0);
    if (kind == GL_FILE_HEADER)
        return;
    GL_VEC_PUSH(&group_get(run, path)->files.list, path);
    run->files++;
}

static int entry_compare(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void folder_walk(struct folder_run *run, const char *folder)
{
    char *root = gl_arena_strdup(&run->arena, folder);
    for (size_t length = strlen(root); length > 1 && root[length - 1] == '/'; length--)
        root[length - 1] = '\0';
    char *const roots[] = {root, NULL};
    FTS *walk = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, entry_compare);
    for (FTSENT *entry; walk && (entry = fts_read(walk));) {
        if (entry->fts_info == FTS_F)
            file_add(run, gl_arena_strdup(&run->arena, entry->fts_path));
    }
    if (walk)
        fts_close(walk);
}

static int folder_verify(struct folder_run *run, const struct gl_options *options)
{
    struct gl_expectations *expectations = &run->expectations;
    bool is_good = true;
    for (size_t i = 0; i < run->groups.count; i++) {
        struct group *group = &run->groups.items[i];
        is_good &= gl_verify_files(expectations, options, group->start, &group->files);
    }
    if (!is_good)
        return GL_EXIT_USAGE;
    gl_expectations_finish(expectations, stdout);
    printf("%s: %zu files, %zu findings as expected, %zu to do, %zu mismatches\n", options->verify,
           run->files, expectations->met, expectations->todo, expectations->mismatches);
    return expectations->mismatches ? GL_EXIT_FINDINGS : GL_EXIT_CLEAN;
}

int gl_verify_run(const struct gl_options *options)
{
    struct folder_run run = {0};
    run.expectations = (struct gl_expectations){.strings = gl_strings_create(), .arena = &run.arena};
    int status = GL_EXIT_USAGE;
    folder_walk(&run, options->verify);
    if (run.files)
        status = folder_verify(&run, options);
    else
        fprintf(stderr, "%s: error: no source or .gir file lies in this folder or below it\n",
                options->verify);
    for (size_t i = 0; i < run.groups.count; i++)
        GL_VEC_FREE(&run.groups.items[i].files.list);
    GL_VEC_FREE(&run.groups);
    gl_expectations_free(&run.expectations);
    gl_strings_destroy(run.expectations.strings);
    gl_arena_free(&run.arena);
    return status;
}
