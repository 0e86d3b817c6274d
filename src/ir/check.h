// SPDX-License-Identifier: Apache-2.0
// The IR's invariants: every block ends in exactly one terminator, targets belong to the function, variables
// are used in their function only and between BEGIN and END on every path, argument counts fit, places fit
// types. Three things need no BEGIN and END: parameters, globals, and a temporary that no BEGIN of its
// function names (a scalar intermediate value without a destructor). What is still alive at RETURN and STOP
// needs no END: an object that is returned is handed to the caller.
#ifndef GL_IR_CHECK_H
#define GL_IR_CHECK_H

#include "base/diag.h"
#include "ir/ir.h"

// Adds an error for each broken invariant; returns true if there is none. Runs after lowering and parsing in
// every test, and on IR that comes from outside.
bool gl_ir_check_unit(const struct gl_ir_unit *unit, struct gl_diags *diags);
bool gl_ir_check_func(const struct gl_ir_func *func, struct gl_diags *diags);

#endif
