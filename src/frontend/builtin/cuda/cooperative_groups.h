// SPDX-License-Identifier: Apache-2.0
// Cooperative groups, as far as kernels name them.
#pragma once
#pragma clang system_header
#include <vector_types.h>

#ifdef __cplusplus
namespace cooperative_groups
{
struct thread_group {
    __device__ void sync() const;
    __device__ unsigned long long size() const;
    __device__ unsigned long long num_threads() const;
    __device__ unsigned long long thread_rank() const;
    __device__ bool is_valid() const;
};
struct thread_block : thread_group {
    static __device__ void sync();
    static __device__ unsigned thread_rank();
    static __device__ unsigned size();
    static __device__ unsigned num_threads();
    static __device__ dim3 group_index();
    static __device__ dim3 thread_index();
    static __device__ dim3 group_dim();
    static __device__ dim3 dim_threads();
};
struct grid_group : thread_group {
    __device__ dim3 group_dim() const;
    __device__ dim3 block_index() const;
    __device__ dim3 dim_blocks() const;
    __device__ unsigned long long block_rank() const;
    __device__ unsigned long long num_blocks() const;
};
struct cluster_group : thread_group {
    static __device__ void sync();
    static __device__ unsigned block_rank();
    static __device__ unsigned num_blocks();
    static __device__ dim3 block_index();
    static __device__ dim3 dim_blocks();
    template <class T> __device__ T *map_shared_rank(T *address, int rank) const;
};
struct multi_grid_group : thread_group {
};
template <unsigned Size, class Parent = void> struct thread_block_tile : thread_group {
    template <class P> __device__ thread_block_tile(const P &);
    template <class T> __device__ T shfl(T value, int lane) const;
    template <class T> __device__ T shfl_down(T value, unsigned delta) const;
    template <class T> __device__ T shfl_up(T value, unsigned delta) const;
    template <class T> __device__ T shfl_xor(T value, unsigned mask) const;
    __device__ int any(int predicate) const;
    __device__ int all(int predicate) const;
    __device__ unsigned ballot(int predicate) const;
    __device__ unsigned meta_group_rank() const;
    __device__ unsigned meta_group_size() const;
};
struct coalesced_group : thread_group {
    template <class T> __device__ T shfl(T value, unsigned lane) const;
    template <class T> __device__ T shfl_down(T value, unsigned delta) const;
    __device__ int any(int predicate) const;
    __device__ int all(int predicate) const;
    __device__ unsigned ballot(int predicate) const;
};
__device__ thread_block this_thread_block();
__device__ thread_group this_thread();
__device__ grid_group this_grid();
__device__ cluster_group this_cluster();
__device__ multi_grid_group this_multi_grid();
__device__ coalesced_group coalesced_threads();
template <unsigned Size, class Parent>
__device__ thread_block_tile<Size, Parent> tiled_partition(const Parent &group);
template <class Parent> __device__ thread_group tiled_partition(const Parent &group, unsigned size);
template <class Group> __device__ void sync(const Group &group);
template <class T> struct plus {
    __device__ T operator()(T a, T b) const;
};
template <class T> struct greater {
    __device__ T operator()(T a, T b) const;
};
template <class T> struct less {
    __device__ T operator()(T a, T b) const;
};
template <class Group, class T, class Op> __device__ T reduce(const Group &group, T value, Op op);
template <class Group, class T, class Op> __device__ T inclusive_scan(const Group &group, T value, Op op);
template <class Group, class T, class Op> __device__ T exclusive_scan(const Group &group, T value, Op op);
template <class Group, class T, class... A>
__device__ void memcpy_async(const Group &group, T *to, const T *from, A... args);
template <class Group> __device__ void wait(const Group &group);
template <unsigned Count, class Group> __device__ void wait_prior(const Group &group);
} // namespace cooperative_groups
#endif
