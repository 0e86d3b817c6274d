// SPDX-License-Identifier: Apache-2.0
// A 16-bit float and its pair, shared by cuda_fp16.h and cuda_bf16.h:
//   GL_HALF(type, pair)          the types
//   GL_HALF_FUNCTIONS(type, pair)   arithmetic and comparisons
#pragma once
#pragma clang system_header
#include <vector_types.h>

#ifdef __cplusplus
#define GL_HALF(type, pair)                                                                                  \
    struct __attribute__((aligned(2))) type {                                                                \
        unsigned short __x;                                                                                  \
        type() = default;                                                                                    \
        __host__ __device__ type(float);                                                                     \
        __host__ __device__ type(double);                                                                    \
        __host__ __device__ type(int);                                                                       \
        __host__ __device__ type(unsigned);                                                                  \
        __host__ __device__ type(long);                                                                      \
        __host__ __device__ type(unsigned long);                                                             \
        __host__ __device__ type(long long);                                                                 \
        __host__ __device__ type(unsigned long long);                                                        \
        __host__ __device__ type(short);                                                                     \
        __host__ __device__ type(unsigned short);                                                            \
        __host__ __device__ type &operator=(float);                                                          \
        __host__ __device__ type &operator=(double);                                                         \
        __host__ __device__ type &operator=(int);                                                            \
        __host__ __device__ operator float() const;                                                          \
        __host__ __device__ explicit operator bool() const;                                                  \
    };                                                                                                       \
    struct __attribute__((aligned(4))) pair {                                                                \
        type x, y;                                                                                           \
        pair() = default;                                                                                    \
        __host__ __device__ pair(type a, type b) : x(a), y(b)                                                \
        {                                                                                                    \
        }                                                                                                    \
    };                                                                                                       \
    __host__ __device__ type operator+(const type &, const type &);                                          \
    __host__ __device__ type operator-(const type &, const type &);                                          \
    __host__ __device__ type operator*(const type &, const type &);                                          \
    __host__ __device__ type operator/(const type &, const type &);                                          \
    __host__ __device__ type operator-(const type &);                                                        \
    __host__ __device__ type &operator+=(type &, const type &);                                              \
    __host__ __device__ type &operator-=(type &, const type &);                                              \
    __host__ __device__ type &operator*=(type &, const type &);                                              \
    __host__ __device__ type &operator/=(type &, const type &);                                              \
    __host__ __device__ bool operator==(const type &, const type &);                                         \
    __host__ __device__ bool operator!=(const type &, const type &);                                         \
    __host__ __device__ bool operator<(const type &, const type &);                                          \
    __host__ __device__ bool operator>(const type &, const type &);                                          \
    __host__ __device__ bool operator<=(const type &, const type &);                                         \
    __host__ __device__ bool operator>=(const type &, const type &);                                         \
    __host__ __device__ pair operator+(const pair &, const pair &);                                          \
    __host__ __device__ pair operator-(const pair &, const pair &);                                          \
    __host__ __device__ pair operator*(const pair &, const pair &);                                          \
    __host__ __device__ pair operator/(const pair &, const pair &);                                          \
    __host__ __device__ pair &operator+=(pair &, const pair &);                                              \
    __host__ __device__ pair &operator*=(pair &, const pair &);

#define GL_HALF_FUNCTIONS(type, pair)                                                                        \
    __host__ __device__ type __hadd(type, type);                                                             \
    __host__ __device__ type __hsub(type, type);                                                             \
    __host__ __device__ type __hmul(type, type);                                                             \
    __host__ __device__ type __hdiv(type, type);                                                             \
    __host__ __device__ type __hfma(type, type, type);                                                       \
    __host__ __device__ type __hneg(type);                                                                   \
    __host__ __device__ type __habs(type);                                                                   \
    __host__ __device__ type __hmax(type, type);                                                             \
    __host__ __device__ type __hmin(type, type);                                                             \
    __host__ __device__ bool __heq(type, type);                                                              \
    __host__ __device__ bool __hne(type, type);                                                              \
    __host__ __device__ bool __hlt(type, type);                                                              \
    __host__ __device__ bool __hle(type, type);                                                              \
    __host__ __device__ bool __hgt(type, type);                                                              \
    __host__ __device__ bool __hge(type, type);                                                              \
    __host__ __device__ bool __hisnan(type);                                                                 \
    __host__ __device__ int __hisinf(type);                                                                  \
    __host__ __device__ pair __hadd2(pair, pair);                                                            \
    __host__ __device__ pair __hsub2(pair, pair);                                                            \
    __host__ __device__ pair __hmul2(pair, pair);                                                            \
    __host__ __device__ pair __h2div(pair, pair);                                                            \
    __host__ __device__ pair __hfma2(pair, pair, pair);                                                      \
    __host__ __device__ pair __hneg2(pair);                                                                  \
    __host__ __device__ pair __habs2(pair);                                                                  \
    __host__ __device__ pair __hmax2(pair, pair);                                                            \
    __host__ __device__ pair __hmin2(pair, pair);                                                            \
    __device__ type hexp(type);                                                                              \
    __device__ type hexp2(type);                                                                             \
    __device__ type hlog(type);                                                                              \
    __device__ type hlog2(type);                                                                             \
    __device__ type hsqrt(type);                                                                             \
    __device__ type hrsqrt(type);                                                                            \
    __device__ type hrcp(type);                                                                              \
    __device__ type hsin(type);                                                                              \
    __device__ type hcos(type);                                                                              \
    __device__ type htanh(type);                                                                             \
    __device__ type hfloor(type);                                                                            \
    __device__ type hceil(type);                                                                             \
    __device__ pair h2exp(pair);                                                                             \
    __device__ pair h2log(pair);                                                                             \
    __device__ pair h2sqrt(pair);                                                                            \
    __device__ pair h2rsqrt(pair);                                                                           \
    __device__ pair h2rcp(pair);
#endif
