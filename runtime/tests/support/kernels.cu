// SPDX-License-Identifier: Apache-2.0
//
// The test kernels for CUDA. Each first holds its stream for `micros`, long enough that work which failed to
// wait for it is sure to come too early; kernels_host.c has the twins.

__device__ static void hold(unsigned micros)
{
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - start < 1000ull * micros);
}

extern "C" __global__ void word_fill(unsigned *to, unsigned value, unsigned count, unsigned micros)
{
    hold(micros);
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        to[i] = value;
}

extern "C" __global__ void word_copy(unsigned *to, const unsigned *from, unsigned count, unsigned micros)
{
    hold(micros);
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        to[i] = from[i];
}

extern "C" __global__ void word_add(unsigned *to, unsigned value, unsigned count, unsigned micros)
{
    hold(micros);
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        to[i] += value;
}

extern "C" __global__ void word_sum3(unsigned *to, const unsigned *a, const unsigned *b, const unsigned *c,
                                     unsigned count)
{
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        to[i] = a[i] + b[i] + c[i];
}

extern "C" __global__ void word_nothing()
{
}
