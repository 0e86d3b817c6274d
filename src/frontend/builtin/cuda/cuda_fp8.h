// SPDX-License-Identifier: Apache-2.0
// 8-bit floats: storage and conversion.
#pragma once
#pragma clang system_header
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#ifdef __cplusplus
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
#define GL_FP8(type)                                                                                         \
    struct type {                                                                                            \
        __nv_fp8_storage_t __x;                                                                              \
        type() = default;                                                                                    \
        __host__ __device__ explicit type(float);                                                            \
        __host__ __device__ explicit type(double);                                                           \
        __host__ __device__ explicit type(__half);                                                           \
        __host__ __device__ explicit type(__nv_bfloat16);                                                    \
        __host__ __device__ explicit type(int);                                                              \
        __host__ __device__ explicit operator float() const;                                                 \
        __host__ __device__ explicit operator __half() const;                                                \
        __host__ __device__ explicit operator __nv_bfloat16() const;                                         \
    };
GL_FP8(__nv_fp8_e4m3)
GL_FP8(__nv_fp8_e5m2)
GL_FP8(__nv_fp8_e8m0)
#undef GL_FP8
#define GL_FP8_MANY(type, storage)                                                                           \
    struct type {                                                                                            \
        storage __x;                                                                                         \
        type() = default;                                                                                    \
        __host__ __device__ explicit type(float2);                                                           \
        __host__ __device__ explicit type(float4);                                                           \
        __host__ __device__ explicit operator float2() const;                                                \
        __host__ __device__ explicit operator float4() const;                                                \
    };
GL_FP8_MANY(__nv_fp8x2_e4m3, __nv_fp8x2_storage_t)
GL_FP8_MANY(__nv_fp8x2_e5m2, __nv_fp8x2_storage_t)
GL_FP8_MANY(__nv_fp8x4_e4m3, __nv_fp8x4_storage_t)
GL_FP8_MANY(__nv_fp8x4_e5m2, __nv_fp8x4_storage_t)
#undef GL_FP8_MANY
__host__ __device__ __nv_fp8_storage_t __nv_cvt_float_to_fp8(float, __nv_saturation_t,
                                                             __nv_fp8_interpretation_t);
__host__ __device__ __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t, __nv_fp8_interpretation_t);
#endif
