// SPDX-License-Identifier: Apache-2.0
// cudaMemcpy from or to the host returns when the default stream has caught up.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void blocking_copy_ok(int n, cudaStream_t s, float *host, float *q) {
  float *p = nullptr;
  cudaMalloc(&p, n * sizeof(float));
  make<<<(n + 255) / 256, 256, 0, s>>>(p, n);
  cudaMemcpy(host, p, n, cudaMemcpyDeviceToHost);
  cudaFree(p);
}

void blocking_copy_bad(int n, cudaStream_t s, float *host, float *q) {
  float *p = nullptr;
  cudaMalloc(&p, n * sizeof(float));
  make<<<(n + 255) / 256, 256, 0, s>>>(p, n);
  cudaMemcpy(q, p, n, cudaMemcpyDeviceToDevice);
  cudaFree(p);  // expect: freed-in-flight
}
