// SPDX-License-Identifier: Apache-2.0
// Makes the file names in results readable from the current folder: those of a compile database's units are
// absolute or relative to the folder of the build.
#ifndef GL_CLI_SHOWN_H
#define GL_CLI_SHOWN_H

#include "cli/units.h"
#include "report/report.h"

// Renames in the findings, the suppressed ones and the problems of the program's units.
void gl_shown_rename(struct gl_ir_program *program, const struct gl_unit_list *units,
                     struct gl_findings *findings, struct gl_suppressed_list *suppressed);

#endif
