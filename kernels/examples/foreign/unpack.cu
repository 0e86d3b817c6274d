// SPDX-License-Identifier: Apache-2.0
// Bit-unpacking with a frame of reference, launched with nvcc's syntax under guards.
#define GK_UNPACK_CHOSEN
#include "../../unpack.cu"
GK_UNPACK(u32, 32, 11)

#include "foreign.h"

// The guards die at the end of the scope: after the enqueue, on every way out.
static void decode(const grt::stream &stream, grt::view<uint32_t> packed, grt::view<uint32_t> out,
                   uint32_t reference)
{
    auto reading = grt::acquire_read(stream, packed);
    auto writing = grt::acquire_write(stream, out);
    const unsigned blocks =
        static_cast<unsigned>((GK_BLOCKS(out.size()) * 32 + gk::threads - 1) / gk::threads);
    gk_unpack_u32_w11<<<blocks, gk::threads, 0, foreign::native(stream)>>>(
        reading.pointer(), writing.pointer(), out.size(), reference, 11);
    foreign::check_launch();
}

bool foreign_unpack(const foreign::stage &on)
{
    std::vector<uint32_t> values(foreign::count), packed(gk_packed_bytes(foreign::count, 11) / 4);
    for (unsigned i = 0; i < foreign::count; i++)
        values[i] = 100000 + i * 13 % 2048;
    gk_encode_pack(GK_U32, 11, 100000, values.data(), foreign::count, packed.data());
    auto from = on.upload(packed);
    auto to = on.room<uint32_t>(foreign::count);
    decode(on.decoding, from.all(), to.all(), 100000);
    return on.equals(to, values);
}
