/* SPDX-License-Identifier: Apache-2.0 */
/* Statuses with the words of this thread's last failure. */
#ifndef GRT_ERROR_H
#define GRT_ERROR_H

#include <guardrt/guardrt.h>

#define GRT_LIKELY(x) __builtin_expect(!!(x), 1)
#define GRT_UNLIKELY(x) __builtin_expect(!!(x), 0)
/* Everything it calls in its file is inlined: for the few functions that a program calls at every launch. */
#define GRT_FLAT __attribute__((flatten))

void grt_error_note(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

/* Notes what went wrong for grt_error_detail(); its value is `status`. A macro, so that the compiler sees the status. */
#define grt_fail(status, ...) (grt_error_note(__VA_ARGS__), (status))

#endif
