// SPDX-License-Identifier: Apache-2.0
// The filter's three launches, launched with nvcc's syntax under guards.
#include "../../filter.cu"

#include "foreign.h"

// The guards die at the end of the scope: after the enqueue, on every way out.
static void decode(const grt::stream &stream, grt::view<uint32_t> mask, grt::view<uint32_t> values,
                   grt::view<uint64_t> sums, grt::view<uint64_t> selected, grt::view<uint32_t> out)
{
    // One set of guards around all three: nobody else comes between them.
    auto reading_mask = grt::acquire_read(stream, mask);
    auto reading_values = grt::acquire_read(stream, values);
    auto updating_sums = grt::acquire_update(stream, sums);
    auto writing_selected = grt::acquire_write(stream, selected);
    auto writing = grt::acquire_write(stream, out);
    const uint64_t count = values.size();
    uint64_t *const chunks = updating_sums.pointer();
    uint64_t *const tiles = chunks + 1; // the values are one chunk
    const unsigned blocks = static_cast<unsigned>((count + GK_FILTER_TILE - 1) / GK_FILTER_TILE);
    gk_filter_count<<<1, gk::threads, 0, foreign::native(stream)>>>(reading_mask.pointer(), chunks, tiles,
                                                                    count);
    gk_filter_sum<<<1, gk::filter_sum_threads, 0, foreign::native(stream)>>>(chunks,
                                                                             writing_selected.pointer(), 1);
    gk_filter_u32<<<blocks, gk::threads, 0, foreign::native(stream)>>>(
        reading_mask.pointer(), reading_values.pointer(), chunks, tiles, writing.pointer(), count,
        out.size());
    foreign::check_launch();
}

bool foreign_filter(const foreign::stage &on)
{
    std::vector<uint32_t> mask((foreign::count + 31) / 32), values(foreign::count), expected;
    for (uint32_t i = 0; i < foreign::count; i++) {
        values[i] = i * 3;
        if (i % 4 != 3)
            continue;
        mask[i / 32] |= uint32_t(1) << i % 32;
        expected.push_back(values[i]);
    }
    auto bits = on.upload(mask);
    auto from = on.upload(values);
    auto sums = on.room<uint64_t>(gk_filter_workspace(foreign::count) / 8);
    auto selected = on.room<uint64_t>(1);
    auto to = on.room<uint32_t>(expected.size());
    decode(on.decoding, bits.all(), from.all(), sums.all(), selected.all(), to.all());
    return on.equals(selected, std::vector<uint64_t>{expected.size()}) && on.equals(to, expected);
}
