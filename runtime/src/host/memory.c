/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory in stream order. What a stream has freed, it may be given again at once, while its earlier work on
 * the memory still runs: another stream that uses the memory must wait for that, exactly as with a driver's
 * pool.
 */
#include "host.h"

#include <stdlib.h>
#include <string.h>

enum { POISON = 0xdb };

/* A block lies before its memory. */
static host_block *block_of(void *memory)
{
    return (host_block *)(void *)((char *)memory - HOST_ALIGNMENT);
}

static void *memory_of(host_block *block)
{
    return (char *)block + HOST_ALIGNMENT;
}

void grt_host_memory_poison(void *memory)
{
    memset(memory, POISON, block_of(memory)->size);
}

void grt_host_memory_end(void *memory)
{
    grt_host_memory_poison(memory);
    free(block_of(memory));
}

static host_block *kept_take(host_stream *stream, size_t size)
{
    for (host_block **link = &stream->blocks; *link; link = &(*link)->next) {
        host_block *block = *link;
        if (block->size != size)
            continue;
        *link = block->next;
        stream->block_count--;
        return block;
    }
    return NULL;
}

void *grt_host_memory_take(host_stream *stream, size_t size)
{
    _Static_assert(sizeof(host_block) <= HOST_ALIGNMENT, "the block fits before the memory");
    size_t rounded = (size + HOST_ALIGNMENT - 1) / HOST_ALIGNMENT * HOST_ALIGNMENT;
    host_block *block = stream ? kept_take(stream, rounded) : NULL;
    if (block)
        return memory_of(block);
    block = rounded >= size ? aligned_alloc(HOST_ALIGNMENT, rounded + HOST_ALIGNMENT) : NULL;
    if (!block)
        return NULL;
    block->size = rounded; /* for good: a kept block's poisoning may still read it */
    return memory_of(block);
}

void grt_host_memory_keep(host_stream *stream, void *memory)
{
    host_block *block = block_of(memory);
    block->next = stream->blocks;
    stream->blocks = block;
    stream->block_count++;
}

void grt_host_memory_release(host_stream *stream)
{
    while (stream->blocks) {
        host_block *block = stream->blocks;
        stream->blocks = block->next;
        free(block);
    }
    stream->block_count = 0;
}
