/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vector clocks. Work B follows work A = (timeline, number) when B's stream has, through waits, or the host
 * has, through synchronising before B was enqueued, a component of at least that number.
 *
 * Where a clock cannot grow for want of memory it stays too low: at worst a wait that exists is reported as
 * missing.
 */
#include "check.h"

#include <stdlib.h>

void grt_clock_clear(grt_clock *clock)
{
    free(clock->numbers);
    *clock = (grt_clock){0};
}

uint64_t grt_clock_at(const grt_clock *clock, uint32_t slot)
{
    return slot < clock->count ? clock->numbers[slot] : 0;
}

void grt_clock_raise(grt_clock *clock, uint32_t slot, uint64_t number)
{
    if (slot >= clock->count) {
        uint64_t *grown = realloc(clock->numbers, (slot + 8u) * sizeof(*grown));
        if (!grown)
            return;
        for (uint32_t i = clock->count; i < slot + 8u; i++)
            grown[i] = 0;
        clock->numbers = grown;
        clock->count = slot + 8u;
    }
    if (number > clock->numbers[slot])
        clock->numbers[slot] = number;
}

void grt_clock_join(grt_clock *clock, const grt_clock *other)
{
    for (uint32_t slot = other->count; slot > 0; slot--)
        if (other->numbers[slot - 1] > 0)
            grt_clock_raise(clock, slot - 1, other->numbers[slot - 1]);
}

void grt_check_record(grt_timeline *timeline, grt_event *event)
{
    for (uint32_t slot = 0; slot < event->clock.count; slot++)
        event->clock.numbers[slot] = 0;
    grt_clock_join(&event->clock, &timeline->clock);
    grt_clock_raise(&event->clock, timeline->slot, timeline->issued);
}

void grt_check_complete(grt_timeline *timeline, const grt_event *event)
{
    grt_clock *host = &timeline->device->checker->host;
    grt_clock_raise(host, timeline->slot, timeline->completed);
    if (event)
        grt_clock_join(host, &event->clock);
}

void grt_check_host_follows(grt_stream *stream)
{
    grt_timeline *timeline = stream->lane.timeline;
    grt_clock *host = &stream->device->checker->host;
    grt_clock_join(host, &timeline->clock);
    /* Work enqueued without a number of its own has the next one; it is over too, so that number is used up.
     */
    timeline->issued++;
    grt_clock_raise(host, timeline->slot, timeline->issued);
}
