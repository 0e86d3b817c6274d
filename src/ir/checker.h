// SPDX-License-Identifier: Apache-2.0
// Inside of the checker: what its two files share.
#ifndef GL_IR_CHECKER_H
#define GL_IR_CHECKER_H

#include "ir/check.h"

// One mistake of the front end tends to show everywhere.
enum { GL_CHECK_FUNC_ERROR_MAX = 20, GL_CHECK_UNIT_ERROR_MAX = 100 };

struct gl_ir_checker {
    const struct gl_ir_func *func;
    struct gl_diags *diags;
    size_t errors;
};

// Reports a broken invariant at an instruction (NULL: of the function as a whole).
void gl_ir_check_fail(struct gl_ir_checker *checker, const struct gl_ir_block *block,
                      const struct gl_ir_instr *instr, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// check_life.c: variables are used between BEGIN and END only. The function's structure is sound.
void gl_ir_check_life(struct gl_ir_checker *checker);

#endif
