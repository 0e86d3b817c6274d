// SPDX-License-Identifier: Apache-2.0
// Arena allocation: chunks in a list, newest first; large requests get a chunk of their own.
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gl_arena_chunk {
    struct gl_arena_chunk *next;
    size_t capacity;
    alignas(max_align_t) unsigned char bytes[];
};

enum { CHUNK_BYTES = 64 * 1024 };

_Noreturn void gl_out_of_memory(size_t size)
{
    fprintf(stderr, "guardlint: out of memory (asked for %zu bytes)\n", size);
    exit(3);
}

void *gl_xmalloc(size_t size)
{
    void *block = malloc(size ? size : 1);
    if (!block)
        gl_out_of_memory(size);
    return block;
}

void *gl_xrealloc(void *block, size_t size)
{
    void *moved = realloc(block, size ? size : 1);
    if (!moved)
        gl_out_of_memory(size);
    return moved;
}

char *gl_xstrdup(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(gl_xmalloc(size), text, size);
}

static void chunk_add(struct gl_arena *arena, size_t size)
{
    size_t capacity = size > CHUNK_BYTES ? size : CHUNK_BYTES;
    struct gl_arena_chunk *chunk = gl_xmalloc(sizeof *chunk + capacity);
    chunk->next = arena->chunks;
    chunk->capacity = capacity;
    arena->chunks = chunk;
    arena->used = 0;
}

void *gl_arena_alloc(struct gl_arena *arena, size_t size)
{
    const size_t align = alignof(max_align_t);
    size = (size + align - 1) / align * align;
    if (!arena->chunks || arena->chunks->capacity - arena->used < size)
        chunk_add(arena, size);
    void *block = arena->chunks->bytes + arena->used;
    arena->used += size;
    arena->total += size;
    return memset(block, 0, size);
}

void *gl_arena_copy(struct gl_arena *arena, const void *data, size_t size)
{
    void *block = gl_arena_alloc(arena, size);
    return size ? memcpy(block, data, size) : block;
}

char *gl_arena_strndup(struct gl_arena *arena, const char *text, size_t length)
{
    char *copy = gl_arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *gl_arena_strdup(struct gl_arena *arena, const char *text)
{
    return gl_arena_strndup(arena, text, strlen(text));
}

char *gl_arena_printf(struct gl_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        return gl_arena_strdup(arena, "");
    char *text = gl_arena_alloc(arena, (size_t)length + 1);
    va_start(args, format);
    vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    return text;
}

void gl_arena_free(struct gl_arena *arena)
{
    while (arena->chunks) {
        struct gl_arena_chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
    arena->used = arena->total = 0;
}
