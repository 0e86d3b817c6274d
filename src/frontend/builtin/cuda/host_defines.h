// SPDX-License-Identifier: Apache-2.0
// CUDA's function attributes, in and outside of CUDA sources.
#pragma once
#pragma clang system_header

#ifndef __CUDA__ // plain C or C++: the words have no meaning
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__
#ifndef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif
#endif
#ifndef __align__
#define __align__(n) __attribute__((aligned(n)))
#endif
#ifndef __device_builtin__
#define __device_builtin__
#define __cudart_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __builtin_align__(n) __attribute__((aligned(n)))
#endif
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB
