// SPDX-License-Identifier: Apache-2.0
// Complex numbers as float2 and double2.
#pragma once
#pragma clang system_header
#include <vector_functions.h>
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
#define GL_COMPLEX(real, type, vector, suffix)                                                               \
    static inline __host__ __device__ real cuCreal##suffix(type x)                                           \
    {                                                                                                        \
        return x.x;                                                                                          \
    }                                                                                                        \
    static inline __host__ __device__ real cuCimag##suffix(type x)                                           \
    {                                                                                                        \
        return x.y;                                                                                          \
    }                                                                                                        \
    __host__ __device__ type cuConj##suffix(type x);                                                         \
    __host__ __device__ type cuCadd##suffix(type x, type y);                                                 \
    __host__ __device__ type cuCsub##suffix(type x, type y);                                                 \
    __host__ __device__ type cuCmul##suffix(type x, type y);                                                 \
    __host__ __device__ type cuCdiv##suffix(type x, type y);                                                 \
    __host__ __device__ type cuCfma##suffix(type x, type y, type z);                                         \
    __host__ __device__ real cuCabs##suffix(type x);
GL_COMPLEX(float, cuFloatComplex, float2, f)
GL_COMPLEX(double, cuDoubleComplex, double2, )
#undef GL_COMPLEX
static inline __host__ __device__ cuFloatComplex make_cuFloatComplex(float r, float i)
{
    return make_float2(r, i);
}
static inline __host__ __device__ cuDoubleComplex make_cuDoubleComplex(double r, double i)
{
    return make_double2(r, i);
}
static inline __host__ __device__ cuComplex make_cuComplex(float r, float i)
{
    return make_float2(r, i);
}
