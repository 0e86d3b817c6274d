// SPDX-License-Identifier: Apache-2.0
// CUDA's short vectors and dim3.
#pragma once
#pragma clang system_header
#include <host_defines.h>

#define GL_VECTOR(name, type, align2, align4)                                                                \
    struct name##1                                                                                           \
    {                                                                                                        \
        type x;                                                                                              \
    };                                                                                                       \
    struct __attribute__((aligned(align2))) name##2                                                          \
    {                                                                                                        \
        type x, y;                                                                                           \
    };                                                                                                       \
    struct name##3                                                                                           \
    {                                                                                                        \
        type x, y, z;                                                                                        \
    };                                                                                                       \
    struct __attribute__((aligned(align4))) name##4                                                          \
    {                                                                                                        \
        type x, y, z, w;                                                                                     \
    };                                                                                                       \
    typedef struct name##1 name##1;                                                                          \
    typedef struct name##2 name##2;                                                                          \
    typedef struct name##3 name##3;                                                                          \
    typedef struct name##4 name##4;
GL_VECTOR(char, signed char, 2, 4)
GL_VECTOR(uchar, unsigned char, 2, 4)
GL_VECTOR(short, short, 4, 8)
GL_VECTOR(ushort, unsigned short, 4, 8)
GL_VECTOR(int, int, 8, 16)
GL_VECTOR(uint, unsigned int, 8, 16)
GL_VECTOR(long, long, 16, 16)
GL_VECTOR(ulong, unsigned long, 16, 16)
GL_VECTOR(longlong, long long, 16, 16)
GL_VECTOR(ulonglong, unsigned long long, 16, 16)
GL_VECTOR(float, float, 8, 16)
GL_VECTOR(double, double, 16, 16)
#undef GL_VECTOR

struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    __host__ __device__ constexpr dim3(unsigned int gx = 1, unsigned int gy = 1, unsigned int gz = 1)
        : x(gx), y(gy), z(gz)
    {
    }
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    __host__ __device__ constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
#endif
};
typedef struct dim3 dim3;
