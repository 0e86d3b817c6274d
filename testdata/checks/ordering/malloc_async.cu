// SPDX-License-Identifier: Apache-2.0
// Memory of cudaMallocAsync is there when its stream gets there.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void malloc_async_ok(int n, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  float *p = nullptr;
  cudaMallocAsync(&p, n * sizeof(float), a);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  make<<<(n + 255) / 256, 256, 0, b>>>(p, n);
  cudaFreeAsync(p, b);
}

void malloc_async_bad(int n, cudaStream_t a, cudaStream_t b) {
  float *p = nullptr;
  cudaMallocAsync(&p, n * sizeof(float), a);
  make<<<(n + 255) / 256, 256, 0, b>>>(p, n);  // expect: missing-wait
  cudaFreeAsync(p, b);
}
