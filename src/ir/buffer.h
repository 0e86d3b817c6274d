// SPDX-License-Identifier: Apache-2.0
// A growing text, and how the text form writes its atoms into it.
#ifndef GL_IR_BUFFER_H
#define GL_IR_BUFFER_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

// Zero-initialise to use; free with GL_VEC_FREE. Not NUL-terminated.
struct gl_buffer {
    char *items;
    size_t count, capacity;
};

void gl_buffer_add(struct gl_buffer *buffer, const char *text, size_t length);
void gl_buffer_text(struct gl_buffer *buffer, const char *text);
void gl_buffer_uint(struct gl_buffer *buffer, uint64_t value);
void gl_buffer_int(struct gl_buffer *buffer, int64_t value);
// In double quotes, escaped so that any bytes come back: control characters and bytes that are no UTF-8 as
// \xHH.
void gl_buffer_quoted(struct gl_buffer *buffer, const char *text);
// Bare if it is a C identifier (ASCII, or '$'), else quoted.
void gl_buffer_word(struct gl_buffer *buffer, const char *text);
bool gl_ir_is_identifier(const char *text);

#endif
