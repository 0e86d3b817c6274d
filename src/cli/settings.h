// SPDX-License-Identifier: Apache-2.0
// Options and configuration file merged: what a run does. The command line wins over the file.
#ifndef GL_CLI_SETTINGS_H
#define GL_CLI_SETTINGS_H

#include "cli/compdb.h"
#include "cli/config.h"
#include "cli/options.h"
#include "cli/workers.h"
#include "report/suppress.h"
#include "rules/rules.h"

// Zero-initialise to use; free with gl_settings_free. Texts live in the arena given.
struct gl_settings {
    struct gl_config config;
    struct gl_compdb database;
    bool has_database;
    bool *checks; // by index of the check
    struct gl_enabled enabled;
    struct gl_worker_limits limits;
    bool is_strict;
};

// Reads the configuration that belongs to `start` (a file or folder) and merges the options into it; reads
// the compile database if there is one. Returns false with errors in `diags` if any of it is wrong.
bool gl_settings_load(struct gl_settings *settings, struct gl_arena *arena, const struct gl_options *options,
                      const char *start, struct gl_diags *diags);
void gl_settings_free(struct gl_settings *settings);

// All rules of a run: the packs that come with the program, then those of the configuration, then --rules.
// Returns NULL with errors in `diags` if any file is wrong.
struct gl_rules *gl_settings_rules(const struct gl_settings *settings, struct gl_arena *arena,
                                   const struct gl_options *options, struct gl_strings *strings,
                                   struct gl_diags *diags);

// What gl_units_collect needs of the settings.
struct gl_unit_settings gl_settings_for_units(const struct gl_settings *settings,
                                              const struct gl_options *options);

// Any check, of the table or of the report stage; NULL if unknown.
const struct gl_check *gl_check_any(const char *name);
// The known check nearest to the name, or NULL.
const char *gl_check_nearest(const char *name);

#endif
