/* SPDX-License-Identifier: Apache-2.0 */
/* Finds memory by address, and finds accesses that nothing orders. */
#include "memory.h"

#include <stdlib.h>
#include <string.h>

enum { ACCESSES = 256, FREED = 64 };

/* ---- By address ---- */

/* Index of the first memory that begins above `address`. */
static size_t memory_above(const grt_checker *checker, uintptr_t address)
{
    size_t low = 0, high = checker->memory_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (checker->memories[middle]->base > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

grt_check_memory *grt_check_memory_find(grt_checker *checker, uintptr_t address)
{
    size_t above = memory_above(checker, address);
    if (above == 0)
        return NULL;
    grt_check_memory *memory = checker->memories[above - 1];
    return address - memory->base < memory->size ? memory : NULL;
}

grt_check_memory *grt_check_memory_find_freed(grt_checker *checker, uintptr_t address)
{
    for (size_t i = 0; i < FREED; i++) {
        grt_check_memory *memory = checker->freed[i];
        if (memory && address >= memory->base && address - memory->base < memory->size)
            return memory;
    }
    return NULL;
}

static bool checker_reserve(grt_checker *checker)
{
    if (checker->memory_count < checker->memory_capacity)
        return true;
    size_t capacity = checker->memory_capacity ? 2 * checker->memory_capacity : 16;
    grt_check_memory **grown = realloc(checker->memories, capacity * sizeof(grt_check_memory *));
    if (!grown)
        return false;
    checker->memories = grown;
    checker->memory_capacity = capacity;
    return true;
}

grt_check_memory *grt_check_memory_add(grt_checker *checker, grt_buffer *buffer)
{
    grt_check_memory *memory = calloc(1, sizeof(*memory));
    if (!memory || !checker_reserve(checker)) {
        free(memory);
        return NULL;
    }
    memory->base = (uintptr_t)buffer->memory;
    memory->size = buffer->size;
    memory->buffer = buffer;
    size_t at = memory_above(checker, memory->base);
    memmove(&checker->memories[at + 1], &checker->memories[at],
            (checker->memory_count - at) * sizeof(grt_check_memory *));
    checker->memories[at] = memory;
    checker->memory_count++;
    return memory;
}

static void memory_free(grt_check_memory *memory)
{
    if (memory)
        free(memory->accesses);
    free(memory);
}

void grt_check_memory_retire(grt_checker *checker, grt_check_memory *memory, const char *site)
{
    size_t at = 0;
    while (checker->memories[at] != memory)
        at++;
    checker->memory_count--;
    memmove(&checker->memories[at], &checker->memories[at + 1],
            (checker->memory_count - at) * sizeof(grt_check_memory *));
    memory->buffer = NULL;
    memory->freed_site = site;
    memory_free(checker->freed[checker->freed_next]);
    checker->freed[checker->freed_next] = memory;
    checker->freed_next = (checker->freed_next + 1) % FREED;
}

void grt_check_memory_clear(grt_checker *checker)
{
    for (size_t i = 0; i < FREED; i++)
        memory_free(checker->freed[i]);
    for (size_t i = 0; i < checker->memory_count; i++)
        memory_free(checker->memories[i]);
    free(checker->memories);
}

/* ---- Accesses ---- */

static bool access_follows(const grt_checker *checker, const check_access *later, const check_access *earlier)
{
    const grt_timeline *timeline = earlier->timeline;
    return timeline == later->timeline ||
           earlier->number <= grt_clock_at(&later->timeline->clock, timeline->slot) ||
           grt_check_access_over(checker, earlier);
}

bool grt_check_access_over(const grt_checker *checker, const check_access *access)
{
    return access->number <= access->timeline->completed ||
           access->number <= grt_clock_at(&checker->host, access->timeline->slot);
}

/* A later access that follows `earlier`, covers its bytes and conflicts at least as much makes it redundant.
 */
static bool access_supersedes(const check_access *later, const check_access *earlier)
{
    return later->begin <= earlier->begin && later->end >= earlier->end &&
           (later->write || (!earlier->write && later->timeline == earlier->timeline));
}

static void memory_push(grt_check_memory *memory, const check_access *access)
{
    if (memory->access_count == ACCESSES) {
        memory->access_count--;
        memmove(memory->accesses, memory->accesses + 1, memory->access_count * sizeof(*memory->accesses));
    }
    if (memory->access_count == memory->access_capacity) {
        size_t capacity = memory->access_capacity ? 2 * memory->access_capacity : 4;
        check_access *grown = realloc(memory->accesses, capacity * sizeof(*grown));
        if (!grown)
            return; /* an access not noted can only hide a report */
        memory->accesses = grown;
        memory->access_capacity = capacity;
    }
    memory->accesses[memory->access_count++] = *access;
}

const check_access *grt_check_memory_access(grt_checker *checker, grt_check_memory *memory,
                                            const check_access *access)
{
    static _Thread_local check_access conflict;
    bool found = false;
    size_t kept = 0;
    for (size_t i = 0; i < memory->access_count; i++) {
        check_access earlier = memory->accesses[i];
        bool follows = access_follows(checker, access, &earlier);
        bool overlaps = earlier.begin < access->end && access->begin < earlier.end;
        if (overlaps && !follows && !found && (earlier.write || access->write)) {
            conflict = earlier;
            found = true;
        }
        if (!follows || !access_supersedes(access, &earlier))
            memory->accesses[kept++] = earlier;
    }
    memory->access_count = kept;
    memory_push(memory, access);
    return found ? &conflict : NULL;
}
