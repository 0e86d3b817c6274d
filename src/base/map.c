// SPDX-License-Identifier: Apache-2.0
// The pointer map: open addressing, at most half full, never shrinks.
#include "base/map.h"

#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static size_t pair_hash(const void *key, const void *scope)
{
    uint64_t mixed = ((uint64_t)(uintptr_t)key ^ ((uint64_t)(uintptr_t)scope << 17)) * 0x9e3779b97f4a7c15u;
    return (size_t)(mixed ^ (mixed >> 32));
}

// The pair's slot, or the free one where it would go. The map has free slots.
static struct gl_map_slot *slot_find(const struct gl_map *map, const void *key, const void *scope)
{
    size_t mask = map->capacity - 1;
    for (size_t i = pair_hash(key, scope) & mask;; i = (i + 1) & mask) {
        struct gl_map_slot *slot = &map->slots[i];
        if (!slot->key || (slot->key == key && slot->scope == scope))
            return slot;
    }
}

static void map_grow(struct gl_map *map)
{
    struct gl_map grown = {.capacity = map->capacity ? map->capacity * 2 : 16, .count = map->count};
    grown.slots = gl_xmalloc(grown.capacity * sizeof *grown.slots);
    memset(grown.slots, 0, grown.capacity * sizeof *grown.slots);
    for (size_t i = 0; i < map->capacity; i++) {
        if (map->slots[i].key)
            *slot_find(&grown, map->slots[i].key, map->slots[i].scope) = map->slots[i];
    }
    free(map->slots);
    *map = grown;
}

void *gl_map_get(const struct gl_map *map, const void *key, const void *scope)
{
    return map->capacity ? slot_find(map, key, scope)->value : NULL;
}

void **gl_map_put(struct gl_map *map, const void *key, const void *scope)
{
    if ((map->count + 1) * 2 > map->capacity)
        map_grow(map);
    struct gl_map_slot *slot = slot_find(map, key, scope);
    if (!slot->key) {
        *slot = (struct gl_map_slot){key, scope, NULL};
        map->count++;
    }
    return &slot->value;
}

void gl_map_free(struct gl_map *map)
{
    free(map->slots);
    *map = (struct gl_map){0};
}
