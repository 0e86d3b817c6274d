// SPDX-License-Identifier: Apache-2.0
// 6-bit floats: storage and conversion.
#pragma once
#pragma clang system_header
#include <cuda_fp8.h>
#ifdef __cplusplus
typedef unsigned char __nv_fp6_storage_t;
struct __nv_fp6_e2m3 {
    __nv_fp6_storage_t __x;
    __nv_fp6_e2m3() = default;
    __host__ __device__ explicit __nv_fp6_e2m3(float);
    __host__ __device__ explicit __nv_fp6_e2m3(double);
    __host__ __device__ explicit operator float() const;
};
struct __nv_fp6x2_e2m3 {
    unsigned short __x;
    __nv_fp6x2_e2m3() = default;
    __host__ __device__ explicit __nv_fp6x2_e2m3(float2);
    __host__ __device__ explicit operator float2() const;
};
struct __nv_fp6x4_e2m3 {
    unsigned short __x;
    __nv_fp6x4_e2m3() = default;
    __host__ __device__ explicit __nv_fp6x4_e2m3(float4);
    __host__ __device__ explicit operator float4() const;
};
struct __nv_fp6_e3m2 {
    __nv_fp6_storage_t __x;
    __nv_fp6_e3m2() = default;
    __host__ __device__ explicit __nv_fp6_e3m2(float);
    __host__ __device__ explicit __nv_fp6_e3m2(double);
    __host__ __device__ explicit operator float() const;
};
struct __nv_fp6x2_e3m2 {
    unsigned short __x;
    __nv_fp6x2_e3m2() = default;
    __host__ __device__ explicit __nv_fp6x2_e3m2(float2);
    __host__ __device__ explicit operator float2() const;
};
struct __nv_fp6x4_e3m2 {
    unsigned short __x;
    __nv_fp6x4_e3m2() = default;
    __host__ __device__ explicit __nv_fp6x4_e3m2(float4);
    __host__ __device__ explicit operator float4() const;
};
#endif
