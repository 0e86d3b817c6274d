// SPDX-License-Identifier: Apache-2.0
// 4-bit floats: storage and conversion.
#pragma once
#pragma clang system_header
#include <cuda_fp8.h>
#ifdef __cplusplus
typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;
enum __nv_fp4_interpretation_t { __NV_E2M1 };
struct __nv_fp4_e2m1 {
    __nv_fp4_storage_t __x;
    __nv_fp4_e2m1() = default;
    __host__ __device__ explicit __nv_fp4_e2m1(float);
    __host__ __device__ explicit __nv_fp4_e2m1(double);
    __host__ __device__ explicit operator float() const;
};
struct __nv_fp4x2_e2m1 {
    unsigned short __x;
    __nv_fp4x2_e2m1() = default;
    __host__ __device__ explicit __nv_fp4x2_e2m1(float2);
    __host__ __device__ explicit operator float2() const;
};
struct __nv_fp4x4_e2m1 {
    unsigned short __x;
    __nv_fp4x4_e2m1() = default;
    __host__ __device__ explicit __nv_fp4x4_e2m1(float4);
    __host__ __device__ explicit operator float4() const;
};
#endif
