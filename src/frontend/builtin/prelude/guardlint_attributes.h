// SPDX-License-Identifier: Apache-2.0
// The words of CUDA's language that are attributes (`__noinline__` is clang's own keyword).
#pragma once
#pragma clang system_header

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __launch_bounds__(...) __attribute__((annotate("launch_bounds")))
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#ifndef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif
#ifndef __grid_constant__
#define __grid_constant__
#endif
