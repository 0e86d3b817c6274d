// SPDX-License-Identifier: Apache-2.0
// What kernels use without including anything. Kernels run on the device and are not analysed; these
// declarations only make them parse.
#pragma once
#pragma clang system_header

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);
// The same for clang where it finds no toolkit, and so takes it for an old one.
extern "C" unsigned cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);

#ifndef __DEVICE_LAUNCH_PARAMETERS_H__ // the toolkit's
extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
#endif
extern const __device__ int warpSize;

#define GL_DEVICE static inline __device__
#define GL_BOTH static inline __host__ __device__

// ---- synchronisation -------------------------------------------------------------------------------------

__device__ void __syncthreads();
__device__ int __syncthreads_count(int);
__device__ int __syncthreads_and(int);
__device__ int __syncthreads_or(int);
__device__ void __syncwarp(unsigned mask = 0xffffffffu);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
__device__ void __trap();
__device__ void __brkpt();
__device__ void __nanosleep(unsigned);
__device__ void __prof_trigger(int);
__device__ long long clock64();
__device__ unsigned long long globaltimer();
__device__ size_t __cvta_generic_to_shared(const void *);
__device__ size_t __cvta_generic_to_global(const void *);
__device__ void *__cvta_shared_to_generic(size_t);
__device__ unsigned __isGlobal(const void *);
__device__ unsigned __isShared(const void *);
__device__ unsigned __isLocal(const void *);
__device__ unsigned __isConstant(const void *);

// ---- warps -----------------------------------------------------------------------------------------------

template <class T> __device__ T __shfl_sync(unsigned mask, T value, int lane, int width = 32);
template <class T> __device__ T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32);
template <class T> __device__ T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32);
template <class T> __device__ T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32);
template <class T> __device__ T __shfl(T value, int lane, int width = 32);
template <class T> __device__ T __shfl_up(T value, unsigned delta, int width = 32);
template <class T> __device__ T __shfl_down(T value, unsigned delta, int width = 32);
template <class T> __device__ T __shfl_xor(T value, int lane_mask, int width = 32);
__device__ int __all_sync(unsigned mask, int predicate);
__device__ int __any_sync(unsigned mask, int predicate);
__device__ unsigned __ballot_sync(unsigned mask, int predicate);
__device__ int __uni_sync(unsigned mask, int predicate);
__device__ int __all(int predicate);
__device__ int __any(int predicate);
__device__ unsigned __ballot(int predicate);
__device__ unsigned __activemask();
template <class T> __device__ unsigned __match_any_sync(unsigned mask, T value);
template <class T> __device__ unsigned __match_all_sync(unsigned mask, T value, int *predicate);
template <class T> __device__ T __reduce_add_sync(unsigned mask, T value);
template <class T> __device__ T __reduce_min_sync(unsigned mask, T value);
template <class T> __device__ T __reduce_max_sync(unsigned mask, T value);
template <class T> __device__ T __reduce_and_sync(unsigned mask, T value);
template <class T> __device__ T __reduce_or_sync(unsigned mask, T value);
template <class T> __device__ T __reduce_xor_sync(unsigned mask, T value);

// ---- memory ----------------------------------------------------------------------------------------------

template <class T> struct gl_same {
    using type = T;
};
#define GL_ATOMIC(name)                                                                                      \
    template <class T> __device__ T name(T *address, typename gl_same<T>::type value);                       \
    template <class T> __device__ T name##_block(T *address, typename gl_same<T>::type value);               \
    template <class T> __device__ T name##_system(T *address, typename gl_same<T>::type value);
GL_ATOMIC(atomicAdd)
GL_ATOMIC(atomicSub)
GL_ATOMIC(atomicExch)
GL_ATOMIC(atomicMin)
GL_ATOMIC(atomicMax)
GL_ATOMIC(atomicInc)
GL_ATOMIC(atomicDec)
GL_ATOMIC(atomicAnd)
GL_ATOMIC(atomicOr)
GL_ATOMIC(atomicXor)
#undef GL_ATOMIC
template <class T>
__device__ T atomicCAS(T *address, typename gl_same<T>::type compare, typename gl_same<T>::type value);
template <class T>
__device__ T atomicCAS_block(T *address, typename gl_same<T>::type compare, typename gl_same<T>::type value);
template <class T>
__device__ T atomicCAS_system(T *address, typename gl_same<T>::type compare, typename gl_same<T>::type value);
template <class T> __device__ T __ldg(const T *address);
template <class T> __device__ T __ldca(const T *address);
template <class T> __device__ T __ldcg(const T *address);
template <class T> __device__ T __ldcs(const T *address);
template <class T> __device__ T __ldlu(const T *address);
template <class T> __device__ T __ldcv(const T *address);
template <class T> __device__ void __stcg(T *address, typename gl_same<T>::type value);
template <class T> __device__ void __stcs(T *address, typename gl_same<T>::type value);
template <class T> __device__ void __stwb(T *address, typename gl_same<T>::type value);
template <class T> __device__ void __stwt(T *address, typename gl_same<T>::type value);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(size_t);
__device__ void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t fill = 0);

// ---- textures and surfaces -------------------------------------------------------------------------------

template <class T> __device__ T tex1Dfetch(cudaTextureObject_t, int x);
template <class T> __device__ T tex1D(cudaTextureObject_t, float x);
template <class T> __device__ T tex2D(cudaTextureObject_t, float x, float y);
template <class T> __device__ T tex3D(cudaTextureObject_t, float x, float y, float z);
template <class T> __device__ T tex1DLod(cudaTextureObject_t, float x, float level);
template <class T> __device__ T tex2DLod(cudaTextureObject_t, float x, float y, float level);
template <class T> __device__ T tex3DLod(cudaTextureObject_t, float x, float y, float z, float level);
template <class T> __device__ T tex1DLayered(cudaTextureObject_t, float x, int layer);
template <class T> __device__ T tex2DLayered(cudaTextureObject_t, float x, float y, int layer);
template <class T> __device__ T tex2Dgather(cudaTextureObject_t, float x, float y, int component = 0);
template <class T> __device__ T texCubemap(cudaTextureObject_t, float x, float y, float z);
template <class T> __device__ void tex1Dfetch(T *, cudaTextureObject_t, int x);
template <class T> __device__ void tex2D(T *, cudaTextureObject_t, float x, float y);
template <class T> __device__ void tex3D(T *, cudaTextureObject_t, float x, float y, float z);
template <class T> __device__ void surf1Dread(T *, cudaSurfaceObject_t, int x, int mode = 0);
template <class T> __device__ void surf2Dread(T *, cudaSurfaceObject_t, int x, int y, int mode = 0);
template <class T> __device__ T surf1Dread(cudaSurfaceObject_t, int x, int mode = 0);
template <class T> __device__ T surf2Dread(cudaSurfaceObject_t, int x, int y, int mode = 0);
template <class T> __device__ T surf3Dread(cudaSurfaceObject_t, int x, int y, int z, int mode = 0);
template <class T> __device__ void surf1Dwrite(T, cudaSurfaceObject_t, int x, int mode = 0);
template <class T> __device__ void surf2Dwrite(T, cudaSurfaceObject_t, int x, int y, int mode = 0);
template <class T> __device__ void surf3Dwrite(T, cudaSurfaceObject_t, int x, int y, int z, int mode = 0);
template <class T>
__device__ void surf2DLayeredwrite(T, cudaSurfaceObject_t, int x, int y, int layer, int mode = 0);

// ---- arithmetic ------------------------------------------------------------------------------------------

#define GL_FLOAT_1(name) __device__ float name(float);
#define GL_FLOAT_2(name) __device__ float name(float, float);
#define GL_FLOAT_3(name) __device__ float name(float, float, float);
#define GL_DOUBLE_1(name) __device__ double name(double);
#define GL_DOUBLE_2(name) __device__ double name(double, double);
#define GL_DOUBLE_3(name) __device__ double name(double, double, double);
GL_FLOAT_1(__sinf)
GL_FLOAT_1(__cosf)
GL_FLOAT_1(__tanf)
GL_FLOAT_1(__expf)
GL_FLOAT_1(__exp10f)
GL_FLOAT_1(__logf)
GL_FLOAT_1(__log2f)
GL_FLOAT_1(__log10f)
GL_FLOAT_1(__saturatef)
GL_FLOAT_1(__frcp_rn)
GL_FLOAT_1(__frcp_rz)
GL_FLOAT_1(__frcp_ru)
GL_FLOAT_1(__frcp_rd)
GL_FLOAT_1(__fsqrt_rn)
GL_FLOAT_1(__fsqrt_rz)
GL_FLOAT_1(__frsqrt_rn)
GL_FLOAT_2(__powf)
GL_FLOAT_2(__fdividef)
GL_FLOAT_2(__fadd_rn)
GL_FLOAT_2(__fadd_rz)
GL_FLOAT_2(__fadd_ru)
GL_FLOAT_2(__fadd_rd)
GL_FLOAT_2(__fsub_rn)
GL_FLOAT_2(__fsub_rz)
GL_FLOAT_2(__fmul_rn)
GL_FLOAT_2(__fmul_rz)
GL_FLOAT_2(__fmul_ru)
GL_FLOAT_2(__fmul_rd)
GL_FLOAT_2(__fdiv_rn)
GL_FLOAT_2(__fdiv_rz)
GL_FLOAT_3(__fmaf_rn)
GL_FLOAT_3(__fmaf_rz)
GL_FLOAT_3(__fmaf_ieee_rn)
GL_DOUBLE_2(__dadd_rn)
GL_DOUBLE_2(__dsub_rn)
GL_DOUBLE_2(__dmul_rn)
GL_DOUBLE_2(__ddiv_rn)
GL_DOUBLE_1(__drcp_rn)
GL_DOUBLE_1(__dsqrt_rn)
GL_DOUBLE_3(__fma_rn)
#undef GL_FLOAT_1
#undef GL_FLOAT_2
#undef GL_FLOAT_3
#undef GL_DOUBLE_1
#undef GL_DOUBLE_2
#undef GL_DOUBLE_3
__device__ void __sincosf(float, float *, float *);
__device__ int __mul24(int, int);
__device__ unsigned __umul24(unsigned, unsigned);
__device__ int __mulhi(int, int);
__device__ unsigned __umulhi(unsigned, unsigned);
__device__ long long __mul64hi(long long, long long);
__device__ unsigned long long __umul64hi(unsigned long long, unsigned long long);
__device__ int __clz(int);
__device__ int __clzll(long long);
__device__ int __ffs(int);
__device__ int __ffsll(long long);
__device__ int __popc(unsigned);
__device__ int __popcll(unsigned long long);
__device__ unsigned __brev(unsigned);
__device__ unsigned long long __brevll(unsigned long long);
__device__ unsigned __byte_perm(unsigned, unsigned, unsigned);
__device__ unsigned __funnelshift_l(unsigned, unsigned, unsigned);
__device__ unsigned __funnelshift_r(unsigned, unsigned, unsigned);
__device__ unsigned __funnelshift_lc(unsigned, unsigned, unsigned);
__device__ unsigned __funnelshift_rc(unsigned, unsigned, unsigned);
__device__ unsigned __usad(unsigned, unsigned, unsigned);
__device__ unsigned __sad(int, int, unsigned);
__device__ int __dp4a(int, int, int);
__device__ unsigned __dp4a(unsigned, unsigned, unsigned);
__device__ int __dp2a_lo(int, int, int);
__device__ int __dp2a_hi(int, int, int);
#define GL_SIMD_1(name) __device__ unsigned name(unsigned);
#define GL_SIMD_2(name) __device__ unsigned name(unsigned, unsigned);
GL_SIMD_1(__vabs4)
GL_SIMD_1(__vneg4)
GL_SIMD_1(__vabs2)
GL_SIMD_2(__vadd2)
GL_SIMD_2(__vadd4)
GL_SIMD_2(__vsub2)
GL_SIMD_2(__vsub4)
GL_SIMD_2(__vsubss4)
GL_SIMD_2(__vaddss4)
GL_SIMD_2(__vaddus4)
GL_SIMD_2(__vmaxs4)
GL_SIMD_2(__vmaxu4)
GL_SIMD_2(__vmins4)
GL_SIMD_2(__vminu4)
GL_SIMD_2(__vabsdiffu4)
GL_SIMD_2(__vcmpeq4)
GL_SIMD_2(__vcmpne4)
GL_SIMD_2(__vcmpgts4)
GL_SIMD_2(__vcmpltu4)
GL_SIMD_2(__vcmpleu4)
GL_SIMD_2(__vcmpgeu4)
GL_SIMD_2(__vcmpgtu4)
GL_SIMD_2(__vseteq4)
GL_SIMD_2(__vsetne4)
GL_SIMD_2(__vsadu4)
#undef GL_SIMD_1
#undef GL_SIMD_2

// ---- reinterpreting and rounding -------------------------------------------------------------------------

__device__ float __int_as_float(int);
__device__ int __float_as_int(float);
__device__ float __uint_as_float(unsigned);
__device__ unsigned __float_as_uint(float);
__device__ double __longlong_as_double(long long);
__device__ long long __double_as_longlong(double);
__device__ int __double2hiint(double);
__device__ int __double2loint(double);
__device__ double __hiloint2double(int, int);
#define GL_ROUND(name, from, to)                                                                             \
    __device__ to name##_rn(from);                                                                           \
    __device__ to name##_rz(from);                                                                           \
    __device__ to name##_ru(from);                                                                           \
    __device__ to name##_rd(from);
GL_ROUND(__float2int, float, int)
GL_ROUND(__float2uint, float, unsigned)
GL_ROUND(__float2ll, float, long long)
GL_ROUND(__float2ull, float, unsigned long long)
GL_ROUND(__double2int, double, int)
GL_ROUND(__double2uint, double, unsigned)
GL_ROUND(__double2ll, double, long long)
GL_ROUND(__double2ull, double, unsigned long long)
GL_ROUND(__double2float, double, float)
GL_ROUND(__int2float, int, float)
GL_ROUND(__uint2float, unsigned, float)
GL_ROUND(__ll2float, long long, float)
GL_ROUND(__ull2float, unsigned long long, float)
GL_ROUND(__ll2double, long long, double)
GL_ROUND(__ull2double, unsigned long long, double)
#undef GL_ROUND
__device__ double __int2double_rn(int);
__device__ double __uint2double_rn(unsigned);

// ---- names that nvcc makes known everywhere --------------------------------------------------------------

GL_BOTH int min(int a, int b)
{
    return a < b ? a : b;
}
GL_BOTH unsigned min(unsigned a, unsigned b)
{
    return a < b ? a : b;
}
GL_BOTH long min(long a, long b)
{
    return a < b ? a : b;
}
GL_BOTH unsigned long min(unsigned long a, unsigned long b)
{
    return a < b ? a : b;
}
GL_BOTH long long min(long long a, long long b)
{
    return a < b ? a : b;
}
GL_BOTH unsigned long long min(unsigned long long a, unsigned long long b)
{
    return a < b ? a : b;
}
GL_BOTH float min(float a, float b)
{
    return a < b ? a : b;
}
GL_BOTH double min(double a, double b)
{
    return a < b ? a : b;
}
GL_BOTH int max(int a, int b)
{
    return a > b ? a : b;
}
GL_BOTH unsigned max(unsigned a, unsigned b)
{
    return a > b ? a : b;
}
GL_BOTH long max(long a, long b)
{
    return a > b ? a : b;
}
GL_BOTH unsigned long max(unsigned long a, unsigned long b)
{
    return a > b ? a : b;
}
GL_BOTH long long max(long long a, long long b)
{
    return a > b ? a : b;
}
GL_BOTH unsigned long long max(unsigned long long a, unsigned long long b)
{
    return a > b ? a : b;
}
GL_BOTH float max(float a, float b)
{
    return a > b ? a : b;
}
GL_BOTH double max(double a, double b)
{
    return a > b ? a : b;
}
GL_BOTH unsigned umin(unsigned a, unsigned b)
{
    return a < b ? a : b;
}
GL_BOTH unsigned umax(unsigned a, unsigned b)
{
    return a > b ? a : b;
}
__host__ __device__ float rsqrtf(float);
__host__ __device__ double rsqrt(double);
__host__ __device__ float rsqrt(float);
__host__ __device__ float rcbrtf(float);
__host__ __device__ double rcbrt(double);
__host__ __device__ float sinpif(float);
__host__ __device__ float cospif(float);
__host__ __device__ double sinpi(double);
__host__ __device__ double cospi(double);
__host__ __device__ void sincospif(float, float *, float *);
__host__ __device__ void sincospi(double, double *, double *);
__host__ __device__ float normcdff(float);
__host__ __device__ double normcdf(double);
__host__ __device__ float normcdfinvf(float);
__host__ __device__ double normcdfinv(double);
__host__ __device__ float erfcxf(float);
__host__ __device__ float erfinvf(float);
__host__ __device__ double erfinv(double);
__host__ __device__ float erfcinvf(float);
__host__ __device__ float norm3df(float, float, float);
__host__ __device__ float rnorm3df(float, float, float);
__host__ __device__ float rhypotf(float, float);
__host__ __device__ float fdividef(float, float);
#undef GL_DEVICE
#undef GL_BOTH
