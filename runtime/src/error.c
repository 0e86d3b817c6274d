/* SPDX-License-Identifier: Apache-2.0 */
/* Names statuses, keeps the words of a failure for the thread that failed, and makes room for objects. */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DETAIL_SIZE = 256 };

static _Thread_local char detail[DETAIL_SIZE];

static const struct {
    const char *name;
    const char *text;
} statuses[] = {
#define X(name, value, text) [value] = {#name, text},
#include <guardrt/status.def>
#undef X
};

static bool status_known(grt_status status)
{
    return (unsigned)status < sizeof(statuses) / sizeof(statuses[0]);
}

void grt_error_note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(detail, sizeof(detail), format, args);
    va_end(args);
}

const char *grt_status_name(grt_status status)
{
    return status_known(status) ? statuses[status].name : "GRT_?";
}

const char *grt_status_text(grt_status status)
{
    return status_known(status) ? statuses[status].text : "unknown status";
}

const char *grt_error_detail(void)
{
    return detail;
}

uint32_t grt_version(void)
{
    return GRT_VERSION_MAJOR * 1000000u + GRT_VERSION_MINOR * 1000u + GRT_VERSION_PATCH;
}

void *grt_object_allocate(size_t size)
{
    size_t rounded = (size + GRT_CACHE_LINE - 1) / GRT_CACHE_LINE * GRT_CACHE_LINE;
    void *object = aligned_alloc(GRT_CACHE_LINE, rounded);
    if (object)
        memset(object, 0, rounded);
    return object;
}
