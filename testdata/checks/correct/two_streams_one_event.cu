// SPDX-License-Identifier: Apache-2.0
// Allocated on one stream and freed on another that has waited for its event.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}

void hand_over(int n, cudaStream_t producer, cudaStream_t consumer, cudaEvent_t made) {
  float *p = nullptr;
  cudaMallocAsync(&p, n * sizeof(float), producer);
  make<<<(n + 255) / 256, 256, 0, producer>>>(p, n);
  cudaEventRecord(made, producer);
  cudaStreamWaitEvent(consumer, made, 0);
  make<<<(n + 255) / 256, 256, 0, consumer>>>(p, n);
  cudaFreeAsync(p, consumer);
}
