// SPDX-License-Identifier: Apache-2.0
// Hash table from a name to the values filed under it, newest first; and the matching of name patterns.
#ifndef GL_RULES_INDEX_H
#define GL_RULES_INDEX_H

#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gl_index_slot {
    const char *name; // not copied; NULL: free
    uint64_t hash;
    size_t head; // first link
};

struct gl_index_link {
    size_t value;
    size_t next;
};

// Zero-initialise to use.
struct gl_index {
    struct gl_index_slot *slots;
    size_t capacity; // a power of two, or 0
    size_t count;
    GL_VEC(struct gl_index_link) links;
};

#define GL_INDEX_END ((size_t)-1)

void gl_index_add(struct gl_index *index, const char *name, size_t value);
// The newest link of the name, or GL_INDEX_END; older ones follow by links.items[link].next.
size_t gl_index_find(const struct gl_index *index, const char *name);
void gl_index_free(struct gl_index *index);

// "ns::Class::method" -> "method", also if the method is an operator.
const char *gl_name_last_component(const char *name);
// Whether the name is a pattern: '*' in an operator's name is none, except in "operator *", a conversion to
// any type.
bool gl_name_is_pattern(const char *name);
// '*' matches any run of characters but ':'.
bool gl_name_matches(const char *pattern, const char *name);

#endif
