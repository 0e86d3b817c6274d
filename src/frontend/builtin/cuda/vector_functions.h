// SPDX-License-Identifier: Apache-2.0
// make_float4 and its like.
#pragma once
#pragma clang system_header
#include <vector_types.h>

#define GL_MAKE(name, type)                                                                                  \
    static inline __host__ __device__ name##1 make_##name##1(type x)                                         \
    {                                                                                                        \
        name##1 v = {x};                                                                                     \
        return v;                                                                                            \
    }                                                                                                        \
    static inline __host__ __device__ name##2 make_##name##2(type x, type y)                                 \
    {                                                                                                        \
        name##2 v = {x, y};                                                                                  \
        return v;                                                                                            \
    }                                                                                                        \
    static inline __host__ __device__ name##3 make_##name##3(type x, type y, type z)                         \
    {                                                                                                        \
        name##3 v = {x, y, z};                                                                               \
        return v;                                                                                            \
    }                                                                                                        \
    static inline __host__ __device__ name##4 make_##name##4(type x, type y, type z, type w)                 \
    {                                                                                                        \
        name##4 v = {x, y, z, w};                                                                            \
        return v;                                                                                            \
    }
GL_MAKE(char, signed char)
GL_MAKE(uchar, unsigned char)
GL_MAKE(short, short)
GL_MAKE(ushort, unsigned short)
GL_MAKE(int, int)
GL_MAKE(uint, unsigned int)
GL_MAKE(long, long)
GL_MAKE(ulong, unsigned long)
GL_MAKE(longlong, long long)
GL_MAKE(ulonglong, unsigned long long)
GL_MAKE(float, float)
GL_MAKE(double, double)
#undef GL_MAKE
