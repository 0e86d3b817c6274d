// SPDX-License-Identifier: Apache-2.0
// The text form of the IR (format: docs/ir.md): the cache entry, the output of `guardlint lower`, the golden
// files of the front-end tests, and what crosses from the front end's process to the analysis.
#ifndef GL_IR_TEXT_H
#define GL_IR_TEXT_H

#include "base/diag.h"
#include "ir/ir.h"

// Writes one unit with every declaration, record and global it uses. Returns false when writing failed (errno
// tells why).
bool gl_ir_print_unit(struct gl_ir_program *program, const struct gl_ir_unit *unit, FILE *stream);
void gl_ir_print_func(const struct gl_ir_func *func, FILE *stream);

// Reads the units in `text` (NUL-terminated at text[size]) into the program, joining them by USR with what is
// there. `name` is for messages; instructions without a position get one in this file, so that hand-written IR
// can carry expectations on its lines. On malformed text: a diagnostic with line and column, false, and
// the program must not be analysed.
bool gl_ir_parse(struct gl_ir_program *program, const char *name, const char *text, size_t size,
                 struct gl_diags *diags);

#endif
