// SPDX-License-Identifier: Apache-2.0
// The label table: open addressing; rounds instead of clearing.
#include "ir/labels.h"

#include "base/arena.h"
#include "base/strings.h"

#include <stdlib.h>
#include <string.h>

static struct gl_label_slot *slot_find(const struct gl_labels *labels, const char *text, size_t length)
{
    size_t mask = labels->capacity - 1;
    for (size_t i = gl_hash_bytes(text, length, 0) & mask;; i = (i + 1) & mask) {
        struct gl_label_slot *slot = &labels->slots[i];
        if (slot->round != labels->round || (slot->length == length && memcmp(slot->text, text, length) == 0))
            return slot;
    }
}

void gl_labels_clear(struct gl_labels *labels)
{
    labels->round++;
    labels->count = 0;
    if (labels->round == 0) { // wrapped around: old slots could look used again
        for (size_t i = 0; i < labels->capacity; i++)
            labels->slots[i].round = 0;
        labels->round = 1;
    }
}

static void labels_grow(struct gl_labels *labels)
{
    struct gl_labels grown = {.capacity = labels->capacity ? labels->capacity * 2 : 64,
                              .count = labels->count,
                              .round = labels->round ? labels->round : 1};
    grown.slots = gl_xmalloc(grown.capacity * sizeof *grown.slots);
    memset(grown.slots, 0, grown.capacity * sizeof *grown.slots);
    for (size_t i = 0; i < labels->capacity; i++) {
        const struct gl_label_slot *old = &labels->slots[i];
        if (old->round == labels->round)
            *slot_find(&grown, old->text, old->length) = *old;
    }
    free(labels->slots);
    *labels = grown;
}

unsigned *gl_labels_put(struct gl_labels *labels, const char *text, size_t length, unsigned fresh)
{
    if ((labels->count + 1) * 2 > labels->capacity)
        labels_grow(labels);
    struct gl_label_slot *slot = slot_find(labels, text, length);
    if (slot->round != labels->round) {
        *slot = (struct gl_label_slot){text, length, labels->round, fresh};
        labels->count++;
    }
    return &slot->value;
}

unsigned *gl_labels_get(const struct gl_labels *labels, const char *text, size_t length)
{
    if (!labels->capacity)
        return NULL;
    struct gl_label_slot *slot = slot_find(labels, text, length);
    return slot->round == labels->round ? &slot->value : NULL;
}

void gl_labels_free(struct gl_labels *labels)
{
    free(labels->slots);
    *labels = (struct gl_labels){0};
}
