// SPDX-License-Identifier: Apache-2.0
//
// y[i] = factor * x[i] + y[i]: the smallest kernel that reads one buffer and updates another.
#include "device.cuh"

namespace gk
{

// One rounding on every device and on the host: contraction would otherwise be the compiler's choice.
__device__ __forceinline__ float scale_add(float factor, float x, float y)
{
    return __fmaf_rn(factor, x, y);
}

__device__ __forceinline__ double scale_add(double factor, double x, double y)
{
    return __fma_rn(factor, x, y);
}

template <typename T>
__device__ __forceinline__ void scaled_add(T *__restrict__ y, const T *__restrict__ x, T factor,
                                           uint64_t count)
{
    const uint64_t first = static_cast<uint64_t>(blockIdx.x) * threads * accesses + threadIdx.x;
    // Views may start at any element; packs need both at the same place in their 16 bytes, so take them only
    // at 0.
    const uint64_t packs = is_aligned(x) && is_aligned(y) ? count / pack<T>::size : 0;
    pack<T> from[accesses];
    pack<T> to[accesses];
#pragma unroll
    for (unsigned k = 0; k < accesses; k++) {
        if (first + k * threads < packs) {
            from[k] = reinterpret_cast<const pack<T> *>(x)[first + k * threads];
            to[k] = reinterpret_cast<pack<T> *>(y)[first + k * threads];
        }
    }
#pragma unroll
    for (unsigned k = 0; k < accesses; k++) {
        if (first + k * threads >= packs)
            continue;
#pragma unroll
        for (unsigned j = 0; j < pack<T>::size; j++)
            to[k].at[j] = scale_add(factor, from[k].at[j], to[k].at[j]);
        reinterpret_cast<pack<T> *>(y)[first + k * threads] = to[k];
    }
    const uint64_t all = static_cast<uint64_t>(gridDim.x) * threads;
    for (uint64_t i = packs * pack<T>::size + static_cast<uint64_t>(blockIdx.x) * threads + threadIdx.x;
         i < count; i += all)
        y[i] = scale_add(factor, x[i], y[i]);
}

} // namespace gk

extern "C" __global__ void __launch_bounds__(gk::threads)
    gk_scaled_add_f32(float *y, const float *x, float factor, uint64_t count)
{
    gk::scaled_add(y, x, factor, count);
}

extern "C" __global__ void __launch_bounds__(gk::threads)
    gk_scaled_add_f64(double *y, const double *x, double factor, uint64_t count)
{
    gk::scaled_add(y, x, factor, count);
}
