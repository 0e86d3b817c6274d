// SPDX-License-Identifier: Apache-2.0
//
// Zigzag decoding in place: 0, 1, 2, 3, … become 0, -1, 1, -2, … as two's complement of the same width.
#include "device.cuh"

namespace gk
{

// A lane is halved, and complemented where its lowest bit was set; a product of lanes of 0 and 1 has no
// carries.
template <typename T> __device__ __forceinline__ typename lanes<T>::word zigzag(typename lanes<T>::word word)
{
    return ((word >> 1) & lanes<T>::mask(lanes<T>::bits - 1)) ^ ((word & lanes<T>::mask(1)) * T(~T(0)));
}

} // namespace gk

#define GK_ZIGZAG(name, type)                                                                                \
    extern "C" __global__ void __launch_bounds__(gk::threads) gk_zigzag_##name(type *values, uint64_t count) \
    {                                                                                                        \
        gk::change_in_place(values, count,                                                                   \
                            [](gk::lanes<type>::word word) { return gk::zigzag<type>(word); });              \
    }

GK_ZIGZAG(u8, uint8_t)
GK_ZIGZAG(u16, uint16_t)
GK_ZIGZAG(u32, uint32_t)
GK_ZIGZAG(u64, uint64_t)
