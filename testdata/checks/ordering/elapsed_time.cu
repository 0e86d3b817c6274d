// SPDX-License-Identifier: Apache-2.0
// cudaEventElapsedTime succeeds only when both events are complete.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void elapsed_time_ok(int n, cudaStream_t s, cudaEvent_t start, cudaEvent_t e) {
  float *p = nullptr;
  cudaMalloc(&p, n * sizeof(float));
  make<<<(n + 255) / 256, 256, 0, s>>>(p, n);
  cudaEventRecord(e, s);
  float ms;
  while (cudaEventElapsedTime(&ms, start, e) == cudaErrorNotReady) {
  }
  cudaFree(p);
}

void elapsed_time_bad(int n, cudaStream_t s, cudaEvent_t start, cudaEvent_t e) {
  float *p = nullptr;
  cudaMalloc(&p, n * sizeof(float));
  make<<<(n + 255) / 256, 256, 0, s>>>(p, n);
  cudaEventRecord(e, s);
  cudaFree(p);  // expect: freed-in-flight
}
