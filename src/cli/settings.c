// SPDX-License-Identifier: Apache-2.0
// Merges defaults, configuration file and command line.
#include "cli/settings.h"

#include "base/worker_protocol.h"
#include "cli/paths.h"

#include <string.h>
#include <unistd.h>

enum { DEFAULT_TIMEOUT_S = 120, DEFAULT_MEMORY_MIB = 4096 };

// ---- checks ----------------------------------------------------------------------------------------------

static const struct gl_check *check_at(size_t index)
{
    size_t table = gl_check_count();
    return index < table ? gl_check_at(index) : gl_suppress_check_at((enum gl_suppress_check)(index - table));
}

static size_t check_count(void)
{
    return gl_check_count() + GL_SUPPRESS_CHECK_COUNT;
}

const struct gl_check *gl_check_any(const char *name)
{
    for (size_t i = 0; i < check_count(); i++) {
        if (strcmp(check_at(i)->name, name) == 0)
            return check_at(i);
    }
    return NULL;
}

const char *gl_check_nearest(const char *name)
{
    GL_VEC(const char *) names = {0};
    for (size_t i = 0; i < check_count(); i++)
        GL_VEC_PUSH(&names, check_at(i)->name);
    const char *nearest = gl_nearest_word(name, names.items, names.count);
    GL_VEC_FREE(&names);
    return nearest;
}

static void check_set(struct gl_settings *settings, size_t index, bool is_enabled)
{
    if (index < gl_check_count())
        settings->checks[index] = is_enabled;
    else
        settings->enabled.suppress[index - gl_check_count()] = is_enabled;
}

// `where`: the configuration file, or NULL for the command line.
static bool check_switch(struct gl_settings *settings, const char *name, bool is_enabled, const char *where,
                         struct gl_diags *diags)
{
    bool is_known = false;
    for (size_t i = 0; i < check_count(); i++) {
        if (strcmp(name, "all") == 0 || strcmp(name, check_at(i)->name) == 0) {
            check_set(settings, i, is_enabled);
            is_known = true;
        }
    }
    if (is_known)
        return true;
    const char *nearest = gl_check_nearest(name);
    gl_diag_add(diags, GL_ERROR, where, 0, 0, "`guardlint explain` lists the checks",
                nearest ? "unknown check '%s'; did you mean '%s'?" : "unknown check '%s'", name, nearest);
    return false;
}

static bool checks_choose(struct gl_settings *settings, struct gl_arena *arena,
                          const struct gl_options *options, struct gl_diags *diags)
{
    const struct gl_config *config = &settings->config;
    bool is_good = true;
    settings->checks = gl_arena_alloc(arena, gl_check_count() * sizeof *settings->checks);
    settings->enabled.table = settings->checks;
    for (size_t i = 0; i < check_count(); i++)
        check_set(settings, i, check_at(i)->is_on_by_default);
    for (size_t i = 0; i < config->disable.list.count; i++)
        is_good &= check_switch(settings, config->disable.list.items[i], false, config->path, diags);
    for (size_t i = 0; i < config->enable.list.count; i++)
        is_good &= check_switch(settings, config->enable.list.items[i], true, config->path, diags);
    for (size_t i = 0; i < options->switches.count; i++)
        is_good &= check_switch(settings, options->switches.items[i].name,
                                options->switches.items[i].is_enabled, NULL, diags);
    return is_good;
}

// ---- the rest --------------------------------------------------------------------------------------------

static bool config_load(struct gl_settings *settings, struct gl_arena *arena,
                        const struct gl_options *options, const char *start, struct gl_diags *diags)
{
    const char *path = options->config;
    if (!path && options->has_config)
        path = gl_config_find(arena, start);
    return !path || gl_config_read(&settings->config, arena, path, diags);
}

static bool database_load(struct gl_settings *settings, struct gl_arena *arena,
                          const struct gl_options *options, struct gl_diags *diags)
{
    const struct gl_config *config = &settings->config;
    const char *path = options->build;
    if (!path && config->build)
        path = gl_path_join(arena, config->folder, config->build);
    settings->has_database = path && gl_compdb_read(&settings->database, arena, path, diags);
    return !path || settings->has_database;
}

static unsigned first_given(unsigned option, unsigned config, unsigned otherwise)
{
    return option ? option : config ? config : otherwise;
}

bool gl_settings_load(struct gl_settings *settings, struct gl_arena *arena, const struct gl_options *options,
                      const char *start, struct gl_diags *diags)
{
    if (!config_load(settings, arena, options, start, diags))
        return false;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const struct gl_config *config = &settings->config;
    settings->is_strict = options->is_strict || config->is_strict;
    settings->limits = (struct gl_worker_limits){
        .program = options->frontend ? options->frontend : gl_path_frontend(arena),
        .jobs = first_given(options->jobs, 0, processors > 0 ? (unsigned)processors : 1),
        .unit_timeout = first_given(options->unit_timeout, config->unit_timeout, DEFAULT_TIMEOUT_S),
        .unit_memory = first_given(options->unit_memory, config->unit_memory, DEFAULT_MEMORY_MIB),
    };
    if (!settings->limits.program) // starting it will fail and say so, if any unit needs it
        settings->limits.program = GL_WORKER_PROGRAM;
    bool has_checks = checks_choose(settings, arena, options, diags);
    return database_load(settings, arena, options, diags) && has_checks;
}

void gl_settings_free(struct gl_settings *settings)
{
    gl_config_free(&settings->config);
    gl_compdb_free(&settings->database);
}

struct gl_rules *gl_settings_rules(const struct gl_settings *settings, struct gl_arena *arena,
                                   const struct gl_options *options, struct gl_strings *strings,
                                   struct gl_diags *diags)
{
    const char *folder = gl_path_rules(arena);
    const struct gl_config *config = &settings->config;
    struct gl_rules *rules = gl_rules_create(strings);
    bool is_good = gl_rules_load_all(rules, folder, diags);
    for (size_t i = 0; i < config->rules.list.count; i++) {
        const char *name = config->rules.list.items[i];
        bool is_path = strchr(name, '/') || strstr(name, ".yaml");
        is_good &=
            gl_rules_load(rules, folder, is_path ? gl_path_join(arena, config->folder, name) : name, diags);
    }
    for (size_t i = 0; i < options->rules.count; i++)
        is_good &= gl_rules_load(rules, folder, options->rules.items[i], diags);
    if (is_good)
        return rules;
    gl_rules_destroy(rules);
    return NULL;
}

struct gl_unit_settings gl_settings_for_units(const struct gl_settings *settings,
                                              const struct gl_options *options)
{
    return (struct gl_unit_settings){
        .database = settings->has_database ? &settings->database : NULL,
        .config = &settings->config,
        .clang_args = options->clang_args.items,
        .clang_arg_count = options->clang_args.count,
    };
}
