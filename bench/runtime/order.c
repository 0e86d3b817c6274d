/* SPDX-License-Identifier: Apache-2.0 */
/* What ordering gives on a GPU: halves of one buffer at the same time, and a writer that waits for every
 * reader. */
#include "bench.h"

#include <stdio.h>

enum { HOLD_MICROS = 100, HALF_LAUNCHES = 50, READERS = 4, READER_WORDS = 1024 };

/* ---- Halves ---- */

static double time_halves(bench_rig *rig, grt_view left, grt_view right, bool both_streams)
{
    const grt_config config = {.block = {32, 1, 1}};
    uint32_t micros = HOLD_MICROS;
    REQUIRE(grt_device_synchronize(rig->device));
    double start = bench_now();
    for (int i = 0; i < HALF_LAUNCHES; i++) {
        REQUIRE(grt_launch(rig->streams[0], rig->hold, config, GRT_UPDATE(left), GRT_VALUE(micros)));
        REQUIRE(
            grt_launch(rig->streams[both_streams], rig->hold, config, GRT_UPDATE(right), GRT_VALUE(micros)));
    }
    REQUIRE(grt_device_synchronize(rig->device));
    return bench_now() - start;
}

void bench_halves(bench_rig *rig)
{
    grt_view whole = grt_buffer_view(rig->buffers[0]), left, right;
    REQUIRE(grt_split(whole, whole.size / 2, &left, &right));
    time_halves(rig, left, right, true); /* the second stream learns of the allocation */
    double one = time_halves(rig, left, right, false);
    double two = time_halves(rig, left, right, true);
    printf("halves of one buffer: one stream %.3f ms, two streams %.3f ms, ratio %.3f\n", 1e3 * one,
           1e3 * two, two / one);
}

/* ---- One writer, readers on their own streams, then the writer again ---- */

typedef struct readers {
    grt_stream *streams[READERS];
    grt_buffer *source;
    grt_buffer *wrong; /* one word a reader */
} readers;

static void readers_round(bench_rig *rig, readers *all, uint32_t value)
{
    const grt_config config = {.block = {128, 1, 1}};
    uint32_t count = READER_WORDS;
    REQUIRE(grt_launch(rig->streams[0], rig->set, config, GRT_WRITE(grt_buffer_view(all->source)),
                       GRT_VALUE(value), GRT_VALUE(count)));
    for (size_t i = 0; i < READERS; i++) {
        grt_view word;
        uint32_t micros = i == value % READERS ? 30 : 0; /* another reader is the slow one each round */
        REQUIRE(grt_view_slice(grt_buffer_view(all->wrong), 4 * i, 4, &word));
        REQUIRE(grt_launch(all->streams[i], rig->check, config, GRT_UPDATE(word),
                           GRT_READ(grt_buffer_view(all->source)), GRT_VALUE(value), GRT_VALUE(count),
                           GRT_VALUE(micros)));
    }
}

void bench_readers(bench_rig *rig, int rounds)
{
    readers all;
    uint32_t wrong[READERS] = {0}, total = 0;
    REQUIRE(grt_buffer_create(rig->streams[0], 4 * READER_WORDS, &all.source));
    REQUIRE(grt_buffer_create(rig->streams[0], sizeof(wrong), &all.wrong));
    REQUIRE(grt_fill(rig->streams[0], grt_buffer_view(all.wrong), 0));
    for (int i = 0; i < READERS; i++)
        REQUIRE(grt_stream_create(rig->device, 0, &all.streams[i]));
    for (int round = 1; round <= rounds; round++)
        readers_round(rig, &all, (uint32_t)round);
    REQUIRE(grt_download(rig->streams[0], wrong, grt_buffer_view(all.wrong)));
    REQUIRE(grt_stream_synchronize(rig->streams[0]));
    for (int i = 0; i < READERS; i++) {
        total += wrong[i];
        REQUIRE(grt_stream_destroy(all.streams[i]));
    }
    REQUIRE(grt_buffer_destroy(all.source));
    REQUIRE(grt_buffer_destroy(all.wrong));
    printf("one writer, %d readers, %d rounds: %u words read wrongly\n", READERS, rounds, total);
}
