// SPDX-License-Identifier: Apache-2.0
// Polling loops are waits.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}

void poll_event(int n, cudaStream_t stream, cudaEvent_t done) {
  float *p = nullptr;
  if (cudaMalloc(&p, n * sizeof(float)) != cudaSuccess) return;
  make<<<(n + 255) / 256, 256, 0, stream>>>(p, n);
  cudaEventRecord(done, stream);
  while (cudaEventQuery(done) == cudaErrorNotReady) {
  }
  cudaFree(p);
}

void poll_stream(int n, cudaStream_t stream) {
  float *p = nullptr;
  if (cudaMalloc(&p, n * sizeof(float)) != cudaSuccess) return;
  make<<<(n + 255) / 256, 256, 0, stream>>>(p, n);
  while (cudaStreamQuery(stream) != cudaSuccess) {
  }
  cudaFree(p);
}
