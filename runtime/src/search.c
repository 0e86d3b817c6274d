/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a test under many seeded orders of the host backend until one gives a wrong result. */
#include "error.h"

#include <stdlib.h>

enum { DEFAULT_SCHEDULES = 100 };

static uint64_t schedules_wanted(uint64_t schedules)
{
    const char *variable = getenv("GUARDRT_SCHEDULES");
    if (schedules == 0 && variable)
        schedules = strtoull(variable, NULL, 0);
    return schedules ? schedules : DEFAULT_SCHEDULES;
}

static grt_status search_run(grt_schedule_test *test, void *user, uint64_t seed, bool *out_right)
{
    grt_device_options options = {.struct_size = sizeof(options),
                                  .backend = GRT_BACKEND_HOST,
                                  .schedule = GRT_SCHEDULE_SEEDED,
                                  .seed = seed};
    grt_device *device;
    grt_status status = grt_device_open_with(&options, &device);
    if (status != GRT_OK)
        return status;
    *out_right = test(device, user);
    return grt_device_close(device);
}

grt_status grt_schedule_search(grt_schedule_test *test, void *user, uint64_t schedules, uint64_t *out_seed)
{
    if (!test || !out_seed)
        return grt_fail(GRT_INVALID_ARGUMENT, "test or out_seed is NULL");
    schedules = schedules_wanted(schedules);
    for (uint64_t seed = 1; seed <= schedules; seed++) {
        bool right = false;
        grt_status status = search_run(test, user, seed, &right);
        if (status != GRT_OK)
            return status;
        if (!right) {
            *out_seed = seed;
            return GRT_OK;
        }
    }
    *out_seed = 0;
    return GRT_OK;
}
