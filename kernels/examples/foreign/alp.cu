// SPDX-License-Identifier: Apache-2.0
// ALP without exceptions, launched with nvcc's syntax under guards.
#include "../../alp.cu"

#include "foreign.h"

// The guards die at the end of the scope: after the enqueue, on every way out.
static void decode(const grt::stream &stream, grt::view<double> values)
{
    auto updating = grt::acquire_update(stream, values);
    gk_alp_f64<<<foreign::blocks(values.size() * sizeof(double)), gk::threads, 0, foreign::native(stream)>>>(
        updating.pointer(), values.size(), gk_alp_power(12), gk_alp_power(-14), nullptr, nullptr, nullptr, 0);
    foreign::check_launch();
}

bool foreign_alp(const foreign::stage &on)
{
    std::vector<double> encoded(foreign::count), expected(foreign::count);
    for (unsigned i = 0; i < foreign::count; i++) {
        const int64_t integer = i * 25;
        std::memcpy(&encoded[i], &integer, sizeof(integer));
        expected[i] = static_cast<double>(integer) * gk_alp_power(12) * gk_alp_power(-14);
    }
    auto values = on.upload(encoded);
    decode(on.decoding, values.all());
    return on.equals(values, expected);
}
