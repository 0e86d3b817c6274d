/* SPDX-License-Identifier: Apache-2.0 */
/* Checked mode's record of one buffer: who accessed it, and which guard was released last. */
#ifndef GRT_CHECK_MEMORY_H
#define GRT_CHECK_MEMORY_H

#include "check.h"

typedef struct check_access {
    size_t begin;
    size_t end;
    grt_timeline *timeline;
    uint64_t number;
    bool write;
    bool loose; /* without a live guard or a declared access: no mark of the buffer covers it */
    const char *site;
} check_access;

struct grt_check_memory {
    uintptr_t base;
    size_t size;
    grt_buffer *buffer; /* NULL once destroyed */
    const char *freed_site;
    const char *acquire_site; /* of the guard released last */
    const char *release_site;
    grt_mode released_mode;
    check_access *accesses;
    size_t access_count;
    size_t access_capacity;
};

/* The live or freed memory that holds an address, or NULL. */
grt_check_memory *grt_check_memory_find(grt_checker *checker, uintptr_t address);
grt_check_memory *grt_check_memory_find_freed(grt_checker *checker, uintptr_t address);
/* NULL without memory: the buffer is then not checked. */
grt_check_memory *grt_check_memory_add(grt_checker *checker, grt_buffer *buffer);
/* The buffer ends; its record stays among the newest freed ones. */
void grt_check_memory_retire(grt_checker *checker, grt_check_memory *memory, const char *site);
void grt_check_memory_clear(grt_checker *checker);
/* Notes an access and drops what it supersedes. Returns the first earlier access it conflicts with and does
 * not follow, or NULL. The result is valid until the next access. */
const check_access *grt_check_memory_access(grt_checker *checker, grt_check_memory *memory,
                                            const check_access *access);
/* Does the host know that the access is over? */
bool grt_check_access_over(const grt_checker *checker, const check_access *access);

#endif
