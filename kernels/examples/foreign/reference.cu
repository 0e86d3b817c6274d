// SPDX-License-Identifier: Apache-2.0
// A frame of reference in place, launched with nvcc's syntax under guards.
#include "../../reference.cu"

#include "foreign.h"

// The guards die at the end of the scope: after the enqueue, on every way out.
static void decode(const grt::stream &stream, grt::view<uint64_t> values, uint64_t reference)
{
    auto updating = grt::acquire_update(stream, values);
    gk_reference_u64<<<foreign::blocks(values.size() * sizeof(uint64_t)), gk::threads, 0,
                       foreign::native(stream)>>>(updating.pointer(), reference, values.size());
    foreign::check_launch();
}

bool foreign_reference(const foreign::stage &on)
{
    std::vector<uint64_t> offsets(foreign::count), expected(foreign::count);
    for (uint64_t i = 0; i < foreign::count; i++) {
        offsets[i] = i * i;
        expected[i] = offsets[i] + 1700000000;
    }
    auto values = on.upload(offsets);
    decode(on.decoding, values.all(), 1700000000);
    return on.equals(values, expected);
}
