/* SPDX-License-Identifier: Apache-2.0 */
/* Checked mode's state of a device, and what is reported when a device or the process ends. */
#include "check.h"
#include "memory.h"
#include "report.h"

#include <stdlib.h>

/* All checkers, for the report of leaks when the process ends without closing its devices. */
static struct {
    grt_lock lock;
    grt_checker *first;
    bool at_exit;
} checkers;

static void leaks_at_exit(void)
{
    grt_lock_take(&checkers.lock);
    grt_checker *checker = checkers.first;
    grt_lock_drop(&checkers.lock);
    for (; checker; checker = checker->next) {
        grt_device_lock(checker->device);
        grt_check_leaks(checker->device);
        grt_device_unlock(checker->device);
    }
}

grt_status grt_check_device_begin(grt_device *device, grt_check_mode mode)
{
    if (!grt_check_wanted(mode))
        return GRT_OK;
    grt_checker *checker = calloc(1, sizeof(*checker));
    if (!checker)
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for checked mode");
    checker->device = device;
    device->checker = checker;
    device->checked = true;
    grt_lock_take(&checkers.lock);
    if (!checkers.at_exit)
        checkers.at_exit = atexit(leaks_at_exit) == 0;
    checker->next = checkers.first;
    checkers.first = checker;
    grt_lock_drop(&checkers.lock);
    return GRT_OK;
}

void grt_check_device_end(grt_device *device)
{
    grt_checker *checker = device->checker;
    if (!checker)
        return;
    grt_lock_take(&checkers.lock);
    grt_checker **link = &checkers.first;
    while (*link != checker)
        link = &(*link)->next;
    *link = checker->next;
    grt_lock_drop(&checkers.lock);
    grt_check_memory_clear(checker);
    grt_clock_clear(&checker->host);
    free(checker);
    device->checker = NULL;
    device->checked = false;
}

void grt_check_leaks(grt_device *device)
{
    grt_checker *checker = device->checker;
    for (size_t i = 0; i < checker->memory_count; i++) {
        for (const grt_guard *guard = checker->memories[i]->buffer->guards; guard; guard = guard->next) {
            grt_check_report report = {.check = GRT_CHECK_GUARD_LEAK,
                                       .message = "the guard is never released",
                                       .acquire_site = guard->site,
                                       .address = (uintptr_t)guard->pointer,
                                       .size = guard->view.size};
            grt_check_report_send(&report);
        }
    }
}
