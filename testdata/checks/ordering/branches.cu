// SPDX-License-Identifier: Apache-2.0
// A wait under a condition counts where the same condition holds.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void branches_ok(int n, bool async, cudaStream_t a) {
  float *p = nullptr;
  cudaMalloc(&p, n * sizeof(float));
  if (async) make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  if (async) cudaStreamSynchronize(a);
  cudaFree(p);
}

void branches_bad(int n, bool async, bool wait, cudaStream_t a) {
  float *p = nullptr;
  cudaMalloc(&p, n * sizeof(float));
  if (async) make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  if (wait) cudaStreamSynchronize(a);
  cudaFree(p);  // expect: freed-in-flight
}
