// SPDX-License-Identifier: Apache-2.0
// Open addressing, at most half full; links are a list in one array.
#include "rules/index.h"

#include "base/arena.h"
#include "base/strings.h"

#include <string.h>

static struct gl_index_slot *slot_find(const struct gl_index *index, const char *name, uint64_t hash)
{
    size_t mask = index->capacity - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        struct gl_index_slot *slot = &index->slots[i];
        if (!slot->name || (slot->hash == hash && strcmp(slot->name, name) == 0))
            return slot;
    }
}

static void slots_grow(struct gl_index *index)
{
    struct gl_index grown = *index;
    grown.capacity = index->capacity ? index->capacity * 2 : 256;
    grown.slots = gl_xmalloc(grown.capacity * sizeof *grown.slots);
    memset(grown.slots, 0, grown.capacity * sizeof *grown.slots);
    for (size_t i = 0; i < index->capacity; i++) {
        const struct gl_index_slot *old = &index->slots[i];
        if (old->name)
            *slot_find(&grown, old->name, old->hash) = *old;
    }
    free(index->slots);
    *index = grown;
}

static uint64_t name_hash(const char *name)
{
    return gl_hash_bytes(name, strlen(name), 0);
}

void gl_index_add(struct gl_index *index, const char *name, size_t value)
{
    if ((index->count + 1) * 2 > index->capacity)
        slots_grow(index);
    uint64_t hash = name_hash(name);
    struct gl_index_slot *slot = slot_find(index, name, hash);
    if (!slot->name) {
        *slot = (struct gl_index_slot){name, hash, GL_INDEX_END};
        index->count++;
    }
    GL_VEC_PUSH(&index->links, (struct gl_index_link){value, slot->head});
    slot->head = index->links.count - 1;
}

size_t gl_index_find(const struct gl_index *index, const char *name)
{
    if (!index->capacity)
        return GL_INDEX_END;
    const struct gl_index_slot *slot = slot_find(index, name, name_hash(name));
    return slot->name ? slot->head : GL_INDEX_END;
}

void gl_index_free(struct gl_index *index)
{
    free(index->slots);
    GL_VEC_FREE(&index->links);
    *index = (struct gl_index){0};
}

const char *gl_name_last_component(const char *name)
{
    const char *last = name;
    for (const char *at = name; *at; at++) {
        if (at == last && strncmp(at, "operator", 8) == 0)
            break; // what follows belongs to the operator ("operator ns::T")
        if (at[0] == ':' && at[1] == ':')
            last = at + 2;
    }
    return last;
}

bool gl_name_is_pattern(const char *name)
{
    const char *star = strchr(name, '*');
    if (!star)
        return false;
    const char *last = gl_name_last_component(name);
    return star < last || strncmp(last, "operator", 8) != 0 || strcmp(last, "operator *") == 0;
}

bool gl_name_matches(const char *pattern, const char *name)
{
    const char *star = NULL, *resume = NULL; // the last '*' and where in the name it ends so far
    while (*name) {
        if (*pattern == '*') {
            star = pattern++;
            resume = name;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star && *resume != ':') {
            pattern = star + 1;
            name = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}
