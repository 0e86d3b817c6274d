// SPDX-License-Identifier: Apache-2.0
// Arena: many small allocations that are freed together. One arena is one lifetime, named by its owner.
#ifndef GL_BASE_ARENA_H
#define GL_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct gl_arena_chunk;

// Zero-initialise to use. Not thread safe; one owner at a time.
struct gl_arena {
    struct gl_arena_chunk *chunks; // newest first
    size_t used;                   // bytes used in the newest chunk
    size_t total;                  // bytes handed out since the last reset
};

// Returns `size` zeroed bytes, aligned for any type. Never NULL: running out of memory ends the process
// through gl_out_of_memory(), because the analyzer has no useful way to go on.
void *gl_arena_alloc(struct gl_arena *arena, size_t size);
void *gl_arena_copy(struct gl_arena *arena, const void *data, size_t size);
char *gl_arena_strdup(struct gl_arena *arena, const char *text);
char *gl_arena_strndup(struct gl_arena *arena, const char *text, size_t length);
char *gl_arena_printf(struct gl_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Frees everything that came from the arena; it may be used again afterwards.
void gl_arena_free(struct gl_arena *arena);

// Prints a message and ends the process with exit status 3 ("could not be analysed").
_Noreturn void gl_out_of_memory(size_t size);
// malloc/realloc that end the process the same way.
void *gl_xmalloc(size_t size);
void *gl_xrealloc(void *block, size_t size);
char *gl_xstrdup(const char *text);

#define GL_ARENA_NEW(arena, type) ((type *)gl_arena_alloc((arena), sizeof(type)))
#define GL_ARENA_ARRAY(arena, type, count) ((type *)gl_arena_alloc((arena), sizeof(type) * (count)))

#endif
