// SPDX-License-Identifier: Apache-2.0
// Scaled add, launched with nvcc's syntax under guards.
#include "../../scaled_add.cu"

#include "foreign.h"

// The guards die at the end of the scope: after the enqueue, on every way out.
static void decode(const grt::stream &stream, grt::view<float> y, grt::view<float> x, float factor)
{
    auto updating = grt::acquire_update(stream, y);
    auto reading = grt::acquire_read(stream, x);
    gk_scaled_add_f32<<<foreign::blocks(y.size() * sizeof(float)), gk::threads, 0, foreign::native(stream)>>>(
        updating.pointer(), reading.pointer(), factor, y.size());
    foreign::check_launch();
}

bool foreign_scaled_add(const foreign::stage &on)
{
    std::vector<float> x(foreign::count), y(foreign::count), expected(foreign::count);
    for (unsigned i = 0; i < foreign::count; i++) {
        x[i] = static_cast<float>(i);
        y[i] = static_cast<float>(i % 7);
        expected[i] = std::fma(0.5f, x[i], y[i]);
    }
    auto from = on.upload(x);
    auto to = on.upload(y);
    decode(on.decoding, to.all(), from.all(), 0.5f);
    return on.equals(to, expected);
}
