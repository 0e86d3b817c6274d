// SPDX-License-Identifier: Apache-2.0
// Inside of the printer: what its two files share.
#ifndef GL_IR_PRINT_H
#define GL_IR_PRINT_H

#include "base/map.h"
#include "ir/buffer.h"
#include "ir/ir.h"
#include "ir/words.h"

// Zero-initialise, then set unit_path. Files get their index when a position first names them; index 0 is the
// unit's own path.
struct gl_ir_printer {
    struct gl_buffer out;
    const char *unit_path;
    const char *short_file; // positions in it are written without file index; NULL: none
    struct gl_map file_index;
    GL_VEC(const char *) files; // from index 1
};

void gl_ir_print_loc(struct gl_ir_printer *printer, const struct gl_ir_loc *loc);
// " [a b]", or nothing if no bit is set.
void gl_ir_print_flags(struct gl_buffer *out, const struct gl_flag_words *words, unsigned bits);
void gl_ir_print_files(const struct gl_ir_printer *printer, struct gl_buffer *out);
void gl_ir_printer_free(struct gl_ir_printer *printer);

// print_func.c
void gl_ir_print_func_text(struct gl_ir_printer *printer, const struct gl_ir_func *func);

#endif
