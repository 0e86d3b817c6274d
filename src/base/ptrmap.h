// SPDX-License-Identifier: Apache-2.0
// A map from pointers to pointers. Zero-initialise to use; free with gl_ptrmap_free. Keys are not owned.
#ifndef GL_BASE_PTRMAP_H
#define GL_BASE_PTRMAP_H

#include <stddef.h>

struct gl_ptrmap {
    const void **keys;
    void **items;
    size_t count, capacity;
};

void *gl_ptrmap_get(const struct gl_ptrmap *map, const void *key); // NULL: not there
void gl_ptrmap_set(struct gl_ptrmap *map, const void *key, void *item);
void gl_ptrmap_free(struct gl_ptrmap *map);

#endif
