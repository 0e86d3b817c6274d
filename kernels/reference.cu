// SPDX-License-Identifier: Apache-2.0
//
// Frame of reference in place: values[i] += reference, modulo the type's range. Fused into unpacking it is
// free (unpack.cu); this one is for values that are already wide.
#include "device.cuh"

#define GK_REFERENCE(name, type)                                                                             \
    extern "C" __global__ void __launch_bounds__(gk::threads)                                                \
        gk_reference_##name(type *values, type reference, uint64_t count)                                    \
    {                                                                                                        \
        using lanes = gk::lanes<type>;                                                                       \
        const lanes::word all = lanes::spread(reference);                                                    \
        gk::change_in_place(values, count, [all](lanes::word word) { return lanes::add(word, all); });       \
    }

GK_REFERENCE(u8, uint8_t)
GK_REFERENCE(u16, uint16_t)
GK_REFERENCE(u32, uint32_t)
GK_REFERENCE(u64, uint64_t)
