// SPDX-License-Identifier: Apache-2.0
// Interned strings: equal texts are the same pointer, so names compare with ==.
#ifndef GL_BASE_STRINGS_H
#define GL_BASE_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gl_strings;

struct gl_strings *gl_strings_create(void);
void gl_strings_destroy(struct gl_strings *strings);
// The one copy of `text` that this pool holds; it lives as long as the pool. Not thread safe.
const char *gl_intern(struct gl_strings *strings, const char *text);
const char *gl_intern_n(struct gl_strings *strings, const char *text, size_t length);

// The known word nearest to `word` by edit distance, or NULL if none is near enough to suggest.
const char *gl_nearest_word(const char *word, const char *const *known, size_t count);

uint64_t gl_hash_bytes(const void *data, size_t size, uint64_t seed);

#endif
