// SPDX-License-Identifier: Apache-2.0
//
// The benchmark's kernels: empty ones with 1 to 17 pointer parameters, one that holds a stream, one that
// writes and one that checks what it reads.

#define P(n) void *p##n
extern "C" __global__ void args_1(P(0))
{
}
extern "C" __global__ void args_2(P(0), P(1))
{
}
extern "C" __global__ void args_4(P(0), P(1), P(2), P(3))
{
}
extern "C" __global__ void args_8(P(0), P(1), P(2), P(3), P(4), P(5), P(6), P(7))
{
}
extern "C" __global__ void args_16(P(0), P(1), P(2), P(3), P(4), P(5), P(6), P(7), P(8), P(9), P(10), P(11),
                                   P(12), P(13), P(14), P(15))
{
}

__device__ static void hold(unsigned micros)
{
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - start < 1000ull * micros);
}

extern "C" __global__ void hold_bytes(unsigned *to, unsigned micros)
{
    hold(micros);
    to[0] += 1;
}

extern "C" __global__ void set_words(unsigned *to, unsigned value, unsigned count)
{
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        to[i] = value;
}

// Counts the words that are not `value` after holding the stream: a writer that came too early is seen.
extern "C" __global__ void check_words(unsigned *wrong, const unsigned *from, unsigned value, unsigned count,
                                       unsigned micros)
{
    hold(micros);
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        if (((volatile const unsigned *)from)[i] != value)
            atomicAdd(wrong, 1u);
}
