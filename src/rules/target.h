// SPDX-License-Identifier: Apache-2.0
// The grammar of targets ("*arg3[]", "arg0->stream") and of conditions ("arg3 != 3"), as written in rule
// files.
#ifndef GL_RULES_TARGET_H
#define GL_RULES_TARGET_H

#include "rules/rules.h"

enum { GL_TARGET_MAX_STEPS = 8 };

// What is wrong with a text, and from which byte of it on.
struct gl_target_error {
    const char *message; // static, or in the arena
    const char *hint;    // or NULL
    size_t offset;
};

// Both fill *out (allocating from `arena`, interning fields) and return true, or fill *error.
bool gl_target_parse(struct gl_arena *arena, struct gl_strings *strings, const char *text,
                     struct gl_target *out, struct gl_target_error *error);
bool gl_condition_parse(const char *text, struct gl_condition *out, struct gl_target_error *error);

#endif
