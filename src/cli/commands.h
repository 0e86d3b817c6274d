// SPDX-License-Identifier: Apache-2.0
// The commands of the program: each takes its own argv (argv[0] is the command) and returns the exit status.
#ifndef GL_CLI_COMMANDS_H
#define GL_CLI_COMMANDS_H

#include "cli/options.h"

int gl_command_check(int argc, char **argv);
int gl_command_lower(int argc, char **argv);
int gl_command_explain(int argc, char **argv);
int gl_command_rules(int argc, char **argv);

// `rules list --coverage HEADER`: names the functions that the C header declares and no rule covers, and counts.
// Returns GL_EXIT_FINDINGS if there are any.
struct gl_rules;
int gl_rules_coverage(const struct gl_rules *rules, const char *header);

// `check --verify FOLDER`.
int gl_verify_run(const struct gl_options *options);

#endif
