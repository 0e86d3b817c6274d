/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides which stream runs next in seeded mode, and how a thread waits in either mode.
 *
 * Seeds alternate between two strategies: a random walk, and random priorities with a few random changes
 * (PCT: Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs", ASPLOS
 * 2010), which finds orders where one stream lags far behind.
 */
#include "host.h"

enum { CHANGE_EVERY = 16 };

/* splitmix64 (Steele, Lea, Flood, OOPSLA 2014). */
static uint64_t random_next(host_device *device)
{
    uint64_t z = device->random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void grt_host_schedule_seed(host_device *device, uint64_t seed)
{
    device->random = seed;
    device->by_priority = (seed & 1) != 0;
}

void grt_host_schedule_stream(host_stream *stream)
{
    stream->priority = (uint32_t)random_next(stream->device);
}

static host_stream *choose_random(host_device *device)
{
    host_stream *chosen = NULL;
    uint64_t seen = 0;
    for (host_stream *stream = grt_host.streams; stream; stream = stream->next)
        if (stream->device->seeded && grt_host_runnable(stream) && random_next(device) % ++seen == 0)
            chosen = stream;
    return chosen;
}

static host_stream *choose_first(host_device *device)
{
    host_stream *chosen = NULL;
    for (host_stream *stream = grt_host.streams; stream; stream = stream->next)
        if (stream->device->seeded && grt_host_runnable(stream) &&
            (!chosen || stream->priority > chosen->priority))
            chosen = stream;
    if (chosen && random_next(device) % CHANGE_EVERY == 0)
        chosen->priority = (uint32_t)random_next(device);
    return chosen;
}

bool grt_host_schedule_step(host_device *device)
{
    host_stream *chosen = device->by_priority ? choose_first(device) : choose_random(device);
    if (!chosen)
        return false;
    grt_host_step(chosen);
    return true;
}

/* Some other thread may still make progress. */
static bool any_running(void)
{
    for (const host_stream *stream = grt_host.streams; stream; stream = stream->next)
        if (stream->running || (stream->first && !stream->device->seeded))
            return true;
    return false;
}

bool grt_host_wait_until(host_device *device, bool (*done)(const void *object), const void *object)
{
    while (!done(object)) {
        if (device->seeded && grt_host_schedule_step(device))
            continue;
        if (device->seeded && !any_running())
            return false; /* nothing can run: it waits for an event nobody will reach */
        grt_host.sleepers++;
        pthread_cond_wait(&grt_host.progress, &grt_host.mutex);
        grt_host.sleepers--;
    }
    return true;
}
