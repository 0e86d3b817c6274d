// SPDX-License-Identifier: Apache-2.0
// Events recorded once before the loop, so that the first wait for each has nothing to wait for.
#include <cuda_runtime.h>

__global__ void fill(float *p, int n, int round) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = round;
}
__global__ void drain(const float *p, float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, p[i]);
}

void ping_pong(float *buffer, float *sum, int n, int rounds, cudaStream_t a, cudaStream_t b, cudaEvent_t full,
               cudaEvent_t empty) {
  cudaEventRecord(empty, b);
  for (int round = 0; round < rounds; ++round) {
    cudaStreamWaitEvent(a, empty, 0);
    fill<<<(n + 255) / 256, 256, 0, a>>>(buffer, n, round);
    cudaEventRecord(full, a);
    cudaStreamWaitEvent(b, full, 0);
    drain<<<(n + 255) / 256, 256, 0, b>>>(buffer, sum, n);
    cudaEventRecord(empty, b);
  }
}
