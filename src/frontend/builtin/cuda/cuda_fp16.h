// SPDX-License-Identifier: Apache-2.0
// half and half2.
#pragma once
#pragma clang system_header
#include <gl_half.h>

#ifdef __cplusplus
struct __half_raw {
    unsigned short x;
};
GL_HALF(__half, __half2)
GL_HALF_FUNCTIONS(__half, __half2)
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
__host__ __device__ __half __float2half(float);
__host__ __device__ __half __float2half_rn(float);
__host__ __device__ __half __float2half_rz(float);
__host__ __device__ __half __double2half(double);
__host__ __device__ float __half2float(__half);
__host__ __device__ __half2 __float2half2_rn(float);
__host__ __device__ __half2 __floats2half2_rn(float, float);
__host__ __device__ __half2 __float22half2_rn(float2);
__host__ __device__ float2 __half22float2(__half2);
__host__ __device__ float __low2float(__half2);
__host__ __device__ float __high2float(__half2);
__host__ __device__ __half __low2half(__half2);
__host__ __device__ __half __high2half(__half2);
__host__ __device__ __half2 __half2half2(__half);
__host__ __device__ __half2 __halves2half2(__half, __half);
__host__ __device__ __half2 __lows2half2(__half2, __half2);
__host__ __device__ __half2 __highs2half2(__half2, __half2);
__host__ __device__ __half2 __lowhigh2highlow(__half2);
__host__ __device__ __half2 make_half2(__half, __half);
__host__ __device__ int __half2int_rn(__half);
__host__ __device__ int __half2int_rz(__half);
__host__ __device__ unsigned short __half2ushort_rn(__half);
__host__ __device__ __half __int2half_rn(int);
__host__ __device__ __half __uint2half_rn(unsigned);
__host__ __device__ __half __short2half_rn(short);
__host__ __device__ __half __ushort2half_rn(unsigned short);
__host__ __device__ short __half_as_short(__half);
__host__ __device__ unsigned short __half_as_ushort(__half);
__host__ __device__ __half __short_as_half(short);
__host__ __device__ __half __ushort_as_half(unsigned short);
#else
typedef struct __half {
    unsigned short x;
} __half;
typedef struct __half2 {
    __half x, y;
} __half2;
typedef __half half;
#endif
