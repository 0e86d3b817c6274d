// SPDX-License-Identifier: Apache-2.0
// Checks files and compares what is found with their expectations.
#ifndef GL_CLI_VERIFY_H
#define GL_CLI_VERIFY_H

#include "cli/expect.h"
#include "cli/options.h"

struct gl_paths {
    GL_VEC(const char *) list;
};

// Checks the files with the configuration that belongs to `start`, each as a program of its own, or all as
// one with verify-together, and compares. Units that are not analysed in full are mismatches. Prints to
// standard output what does not fit; configuration and rule errors to standard error. Returns false on the
// latter.
bool gl_verify_files(struct gl_expectations *expectations, const struct gl_options *options,
                     const char *start, const struct gl_paths *files);

#endif
