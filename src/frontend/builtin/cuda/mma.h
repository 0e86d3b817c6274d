// SPDX-License-Identifier: Apache-2.0
// Warp matrix functions, as far as kernels name them.
#pragma once
#pragma clang system_header
#include <cuda_fp16.h>
#ifdef __cplusplus
namespace nvcuda
{
namespace wmma
{
enum layout_t { mem_row_major, mem_col_major };
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision
{
struct tf32;
struct u4;
struct s4;
struct b1;
} // namespace precision
template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment {
    static constexpr int num_elements = 16;
    T x[16];
};
template <class F, class V> __device__ void fill_fragment(F &fragment, const V &value);
template <class F, class T> __device__ void load_matrix_sync(F &fragment, const T *from, unsigned stride);
template <class F, class T>
__device__ void load_matrix_sync(F &fragment, const T *from, unsigned stride, layout_t layout);
template <class F, class T>
__device__ void store_matrix_sync(T *to, const F &fragment, unsigned stride, layout_t layout);
template <class D, class A, class B, class C>
__device__ void mma_sync(D &d, const A &a, const B &b, const C &c);
} // namespace wmma
} // namespace nvcuda
#endif
