// SPDX-License-Identifier: Apache-2.0
// The command line as the user gave it: what follows `guardlint check`, `lower` and `rules`, parsed and not
// yet merged with a configuration file.
#ifndef GL_CLI_OPTIONS_H
#define GL_CLI_OPTIONS_H

#include "base/vec.h"

#include <stdbool.h>

// The exit statuses, fixed: scripts and hooks rely on them. The largest one that applies wins.
enum gl_exit {
    GL_EXIT_CLEAN = 0,
    GL_EXIT_FINDINGS = 1,
    GL_EXIT_USAGE = 2,    // the command line, the configuration, a rule file or the compile database is wrong
    GL_EXIT_ANALYSIS = 3, // something could not be analysed; what was found is printed all the same
};

enum gl_color { GL_COLOR_AUTO, GL_COLOR_ALWAYS, GL_COLOR_NEVER };

// --enable and --disable, in the order given; a later one wins.
struct gl_check_switch {
    const char *name; // of a check, or "all"
    bool is_enabled;
};

struct gl_options {
    const char *build;     // -p: the compile database or its folder, or NULL
    const char *format;    // name of a report format
    const char *output;    // -o: a file instead of standard output, or NULL
    const char *config;    // --config: instead of the .guardlint.yaml that would be found, or NULL
    const char *frontend;  // --frontend: the worker program, or NULL for the one that belongs to this program
    const char *verify;    // --verify: compare with the expectations in this folder, or NULL
    unsigned jobs;         // -j; 0: one a processor
    unsigned unit_timeout; // seconds a unit; 0: not given
    unsigned unit_memory;  // MiB a unit; 0: not given
    bool has_config;       // false: --no-config
    bool is_strict, has_stats, dumps_ir;
    enum gl_color color;
    GL_VEC(const char *) rules; // names of packs or paths
    GL_VEC(struct gl_check_switch) switches;
    GL_VEC(const char *) files;
    GL_VEC(const char *) clang_args; // after "--"
};

// Parses argv[1…] of `guardlint COMMAND …` (argv[0] is the command). Prints usage errors and ends the process
// with GL_EXIT_USAGE on them, with GL_EXIT_CLEAN after --help. Texts are argv's. Free with gl_options_free.
struct gl_options gl_options_parse_check(int argc, char **argv);
struct gl_options gl_options_parse_lower(int argc, char **argv);
void gl_options_free(struct gl_options *options);

#endif
