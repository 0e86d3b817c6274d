// SPDX-License-Identifier: Apache-2.0
// Pointer map: open addressing, capacity a power of two, no removal.
#include "base/ptrmap.h"

#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>

static size_t slot_of(const struct gl_ptrmap *map, const void *key)
{
    size_t at = ((uintptr_t)key >> 4) * 0x9e3779b97f4a7c15u >> 20 & (map->capacity - 1);
    while (map->keys[at] && map->keys[at] != key)
        at = (at + 1) & (map->capacity - 1);
    return at;
}

void *gl_ptrmap_get(const struct gl_ptrmap *map, const void *key)
{
    return map->capacity ? map->items[slot_of(map, key)] : NULL;
}

static void grow(struct gl_ptrmap *map)
{
    struct gl_ptrmap grown = {.capacity = map->capacity ? map->capacity * 2 : 64};
    grown.keys = calloc(grown.capacity, sizeof *grown.keys);
    grown.items = calloc(grown.capacity, sizeof *grown.items);
    if (!grown.keys || !grown.items)
        gl_out_of_memory(grown.capacity);
    for (size_t i = 0; i < map->capacity; i++)
        if (map->keys[i])
            gl_ptrmap_set(&grown, map->keys[i], map->items[i]);
    gl_ptrmap_free(map);
    *map = grown;
}

void gl_ptrmap_set(struct gl_ptrmap *map, const void *key, void *item)
{
    if (map->count * 2 >= map->capacity)
        grow(map);
    size_t at = slot_of(map, key);
    map->count += !map->keys[at];
    map->keys[at] = key;
    map->items[at] = item;
}

void gl_ptrmap_free(struct gl_ptrmap *map)
{
    free(map->keys);
    free(map->items);
    *map = (struct gl_ptrmap){0};
}
