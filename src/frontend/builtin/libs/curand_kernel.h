// SPDX-License-Identifier: Apache-2.0
// cuRAND in kernels.
#pragma once
#pragma clang system_header
#include <curand.h>
#ifdef __cplusplus
struct curandStateXORWOW {
    unsigned int d, v[5];
};
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
};
struct curandStateMRG32k3a {
    double s[6];
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW_t curandState_t;
typedef curandStateXORWOW_t curandState;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
template <class S>
__device__ void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                            S *state);
template <class S> __device__ unsigned curand(S *state);
template <class S> __device__ uint4 curand4(S *state);
template <class S> __device__ float curand_uniform(S *state);
template <class S> __device__ double curand_uniform_double(S *state);
template <class S> __device__ float4 curand_uniform4(S *state);
template <class S> __device__ double2 curand_uniform2_double(S *state);
template <class S> __device__ float curand_normal(S *state);
template <class S> __device__ double curand_normal_double(S *state);
template <class S> __device__ float2 curand_normal2(S *state);
template <class S> __device__ float4 curand_normal4(S *state);
template <class S> __device__ float curand_log_normal(S *state, float mean, float stddev);
template <class S> __device__ unsigned curand_poisson(S *state, double lambda);
#endif
