// SPDX-License-Identifier: Apache-2.0
// Names of one function's variables or blocks while it is parsed: slices of the text, mapped to small
// numbers.
#ifndef GL_IR_LABELS_H
#define GL_IR_LABELS_H

#include <stddef.h>
#include <stdint.h>

struct gl_label_slot {
    const char *text;
    size_t length;
    unsigned round; // the slot is in use if this is the table's round
    unsigned value;
};

// Zero-initialise to use.
struct gl_labels {
    struct gl_label_slot *slots;
    size_t capacity, count;
    unsigned round;
};

// Forgets all names, in constant time: a file has many small functions and perhaps a huge one.
void gl_labels_clear(struct gl_labels *labels);
// The slot's value; a new name gets `fresh`. The text must outlive the round.
unsigned *gl_labels_put(struct gl_labels *labels, const char *text, size_t length, unsigned fresh);
// NULL if the name is not there.
unsigned *gl_labels_get(const struct gl_labels *labels, const char *text, size_t length);
void gl_labels_free(struct gl_labels *labels);

#endif
