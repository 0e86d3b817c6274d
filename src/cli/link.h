// SPDX-License-Identifier: Apache-2.0
// The texts of many units → one checked program.
#ifndef GL_CLI_LINK_H
#define GL_CLI_LINK_H

#include "cli/workers.h"
#include "ir/ir.h"

// Some units of a list, by index.
struct gl_selection {
    const size_t *items;
    size_t count;
};

// Joins the selected units' IR. A unit that has none becomes an empty unit with its failure; so does one
// whose IR cannot be read or breaks the IR's invariants (its failure is then set in `lowered`). The caller
// destroys the program.
struct gl_ir_program *gl_link(const struct gl_unit_list *units, struct gl_lowered *lowered,
                              struct gl_selection selection, struct gl_strings *strings,
                              struct gl_arena *arena);

#endif
