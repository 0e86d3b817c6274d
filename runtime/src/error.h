/* SPDX-License-Identifier: Apache-2.0 */
/* Statuses with the words of this thread's last failure. */
#ifndef GRT_ERROR_H
#define GRT_ERROR_H

#include <guardrt/guardrt.h>

#define GRT_LIKELY(x) __builtin_expect(!!(x), 1)
#define GRT_UNLIKELY(x) __builtin_expect(!!(x), 0)
/* For the few functions that run at every launch: they lie together in memory. After the driver's own code
 * they are cold in the caches, so what they do seldom is kept out of them (GRT_COLD), and what they touch
 * begins a cache line. */
#define GRT_HOT __attribute__((hot))
#define GRT_COLD __attribute__((cold, noinline))
#define GRT_FLAT __attribute__((hot, flatten))
#define GRT_CACHE_LINE 64

void grt_error_note(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

/* Notes what went wrong for grt_error_detail(); its value is `status`. A macro, so that the compiler sees the
 * status. */
#define grt_fail(status, ...) (grt_error_note(__VA_ARGS__), (status))

/* Zeroed memory for an object of the runtime, at the beginning of a cache line; to be freed with free(). */
void *grt_object_allocate(size_t size);

#endif
