// SPDX-License-Identifier: Apache-2.0
// Hash map from a pair of pointers (the second may be NULL) to a pointer. For keys that compare by identity:
// interned strings, declarations, variables.
#ifndef GL_BASE_MAP_H
#define GL_BASE_MAP_H

#include <stddef.h>

struct gl_map_slot {
    const void *key, *scope;
    void *value;
};

// Zero-initialise to use; free with gl_map_free. Keys are never NULL.
struct gl_map {
    struct gl_map_slot *slots;
    size_t capacity; // a power of two, or 0
    size_t count;
};

// The value stored under the pair, or NULL.
void *gl_map_get(const struct gl_map *map, const void *key, const void *scope);
// Where the value of the pair is kept; NULL is stored there if the pair is new. Valid until the next
// gl_map_put.
void **gl_map_put(struct gl_map *map, const void *key, const void *scope);
void gl_map_free(struct gl_map *map);

#endif
