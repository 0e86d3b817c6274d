// SPDX-License-Identifier: Apache-2.0
// cudaFreeAsync takes place when its own stream gets there.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void free_async_ok(int n, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  float *p = nullptr;
  cudaMallocAsync(&p, n * sizeof(float), a);
  make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  cudaFreeAsync(p, b);
}

void free_async_bad(int n, cudaStream_t a, cudaStream_t b) {
  float *p = nullptr;
  cudaMallocAsync(&p, n * sizeof(float), a);
  make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  cudaFreeAsync(p, b);  // expect: free-wrong-stream
}
