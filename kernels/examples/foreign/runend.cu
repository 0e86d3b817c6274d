// SPDX-License-Identifier: Apache-2.0
// Run-end decoding, launched with nvcc's syntax under guards.
#include "../../runend.cu"

#include "foreign.h"

// The guards die at the end of the scope: after the enqueue, on every way out.
static void decode(const grt::stream &stream, grt::view<uint32_t> ends, grt::view<uint32_t> values,
                   grt::view<uint32_t> out)
{
    auto reading_ends = grt::acquire_read(stream, ends);
    auto reading_values = grt::acquire_read(stream, values);
    auto writing = grt::acquire_write(stream, out);
    const unsigned tile = gk::runend_tile<uint32_t>::size;
    const unsigned blocks = static_cast<unsigned>((out.size() + tile - 1) / tile);
    gk_runend_u32_u32<<<blocks, gk::threads, 0, foreign::native(stream)>>>(
        reading_ends.pointer(), reading_values.pointer(), writing.pointer(), ends.size(), 0, out.size(), 1);
    foreign::check_launch();
}

bool foreign_runend(const foreign::stage &on)
{
    const uint32_t run = 50;
    std::vector<uint32_t> ends, values, expected(foreign::count);
    for (uint32_t i = 0; i < foreign::count; i++) {
        if (i % run == 0) {
            ends.push_back(std::min(i + run, foreign::count));
            values.push_back(i * 1000003);
        }
        expected[i] = values.back();
    }
    auto run_ends = on.upload(ends);
    auto run_values = on.upload(values);
    auto to = on.room<uint32_t>(foreign::count);
    decode(on.decoding, run_ends.all(), run_values.all(), to.all());
    return on.equals(to, expected);
}
