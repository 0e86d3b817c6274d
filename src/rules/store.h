// SPDX-License-Identifier: Apache-2.0
// How the rules of a run are kept: the files, the rules in the order in which they were read, and their
// indexes.
#ifndef GL_RULES_STORE_H
#define GL_RULES_STORE_H

#include "rules/entries.h"
#include "rules/index.h"
#include "rules/rules.h"

#include <limits.h>

struct gl_positions {
    GL_VEC(size_t) list; // in gl_rules.calls
};

struct gl_rules {
    struct gl_strings *strings;
    struct gl_arena arena; // all that lives as long as the rules
    struct gl_slot_table slots;
    GL_VEC(struct gl_ruleset_file *) files;
    GL_VEC(struct gl_call_rule *) calls;
    GL_VEC(struct gl_type_rule *) types;
    struct gl_positions patterns[UCHAR_MAX + 1]; // calls whose name is a pattern, by its first character
    struct gl_index by_name;                     // calls, exact names
    struct gl_index by_method;                   // calls, last component of methods' exact names
    struct gl_index type_by_name;
};

// Checks what the key tables cannot say (names, duplicates) and, if all is right, adds the file's rules.
bool gl_rules_bind(struct gl_rules *rules, const char *path, const struct gl_file_entry *entry,
                   struct gl_diags *diags);

// What a file holds outside the arena.
void gl_ruleset_file_free(struct gl_ruleset_file *file);

#endif
