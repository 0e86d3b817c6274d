// SPDX-License-Identifier: Apache-2.0
// The parts of `if (init; variable or condition)` and of switch.
#ifndef GL_FRONTEND_CONDITION_H
#define GL_FRONTEND_CONDITION_H

#include "frontend/lower.h"

struct gl_condition_parts {
    CXCursor init, variable, condition;
    struct gl_kids rest; // then, else; or the body
};

struct gl_condition_parts gl_lower_split_condition(struct gl_lower *lower, CXCursor stmt);
// Declares what the parentheses declare.
void gl_lower_condition_prologue(struct gl_lower *lower, const struct gl_condition_parts *parts);

#endif
