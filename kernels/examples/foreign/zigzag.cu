// SPDX-License-Identifier: Apache-2.0
// Zigzag in place, launched with nvcc's syntax under guards.
#include "../../zigzag.cu"

#include "foreign.h"

// The guards die at the end of the scope: after the enqueue, on every way out.
static void decode(const grt::stream &stream, grt::view<uint32_t> values)
{
    auto updating = grt::acquire_update(stream, values);
    gk_zigzag_u32<<<foreign::blocks(values.size() * sizeof(uint32_t)), gk::threads, 0,
                    foreign::native(stream)>>>(updating.pointer(), values.size());
    foreign::check_launch();
}

bool foreign_zigzag(const foreign::stage &on)
{
    std::vector<uint32_t> expected(foreign::count);
    for (uint32_t i = 0; i < foreign::count; i++)
        expected[i] = i % 2 ? 0 - i * 7 : i * 7;
    std::vector<uint32_t> encoded = expected;
    gk_encode_zigzag(GK_U32, encoded.data(), foreign::count);
    auto values = on.upload(encoded);
    decode(on.decoding, values.all());
    return on.equals(values, expected);
}
