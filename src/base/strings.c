// SPDX-License-Identifier: Apache-2.0
// String interning (open addressing over an arena) and the "did you mean" distance.
#include "base/strings.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct entry {
    const char *text;
    size_t length;
    uint64_t hash;
};

struct gl_strings {
    struct gl_arena arena;
    struct entry *slots;
    size_t capacity; // a power of two
    size_t count;
};

uint64_t gl_hash_bytes(const void *data, size_t size, uint64_t seed)
{
    return XXH3_64bits_withSeed(data, size, seed);
}

struct gl_strings *gl_strings_create(void)
{
    struct gl_strings *strings = gl_xmalloc(sizeof *strings);
    *strings = (struct gl_strings){.capacity = 1024};
    strings->slots = gl_xmalloc(strings->capacity * sizeof *strings->slots);
    memset(strings->slots, 0, strings->capacity * sizeof *strings->slots);
    return strings;
}

void gl_strings_destroy(struct gl_strings *strings)
{
    if (!strings)
        return;
    gl_arena_free(&strings->arena);
    free(strings->slots);
    free(strings);
}

static struct entry *slot_find(const struct gl_strings *strings, const char *text, size_t length, uint64_t hash)
{
    size_t mask = strings->capacity - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        struct entry *slot = &strings->slots[i];
        if (!slot->text)
            return slot;
        if (slot->hash == hash && slot->length == length && memcmp(slot->text, text, length) == 0)
            return slot;
    }
}

static void slots_grow(struct gl_strings *strings)
{
    struct gl_strings grown = *strings;
    grown.capacity *= 2;
    grown.slots = gl_xmalloc(grown.capacity * sizeof *grown.slots);
    memset(grown.slots, 0, grown.capacity * sizeof *grown.slots);
    for (size_t i = 0; i < strings->capacity; i++) {
        const struct entry *old = &strings->slots[i];
        if (old->text)
            *slot_find(&grown, old->text, old->length, old->hash) = *old;
    }
    free(strings->slots);
    *strings = grown;
}

const char *gl_intern_n(struct gl_strings *strings, const char *text, size_t length)
{
    uint64_t hash = gl_hash_bytes(text, length, 0);
    struct entry *slot = slot_find(strings, text, length, hash);
    if (slot->text)
        return slot->text;
    *slot = (struct entry){gl_arena_strndup(&strings->arena, text, length), length, hash};
    const char *interned = slot->text;
    if (++strings->count * 2 > strings->capacity)
        slots_grow(strings);
    return interned;
}

const char *gl_intern(struct gl_strings *strings, const char *text)
{
    return gl_intern_n(strings, text, strlen(text));
}

// Levenshtein distance over two rows; words longer than the rows are never near anything.
static size_t word_distance(const char *a, const char *b)
{
    enum { LONGEST = 64 };
    size_t la = strlen(a), lb = strlen(b);
    if (la >= LONGEST || lb >= LONGEST)
        return LONGEST;
    size_t row[LONGEST + 1];
    for (size_t j = 0; j <= lb; j++)
        row[j] = j;
    for (size_t i = 1; i <= la; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t change = diagonal + (a[i - 1] != b[j - 1]);
            size_t shift = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
            diagonal = row[j];
            row[j] = change < shift ? change : shift;
        }
    }
    return row[lb];
}

const char *gl_nearest_word(const char *word, const char *const *known, size_t count)
{
    const char *best = NULL;
    size_t best_distance = strlen(word) / 3 + 2; // farther than this is no typing mistake
    for (size_t i = 0; i < count; i++) {
        size_t distance = word_distance(word, known[i]);
        if (distance < best_distance) {
            best_distance = distance;
            best = known[i];
        }
    }
    return best;
}
