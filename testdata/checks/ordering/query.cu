// SPDX-License-Identifier: Apache-2.0
// A query that succeeds says that the work is done; a loop that polls is a wait.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void query_ok(int n, cudaStream_t s) {
  float *p = nullptr;
  cudaMalloc(&p, n * sizeof(float));
  make<<<(n + 255) / 256, 256, 0, s>>>(p, n);
  while (cudaStreamQuery(s) == cudaErrorNotReady) {
  }
  cudaFree(p);
}

void query_bad(int n, cudaStream_t s) {
  float *p = nullptr;
  cudaMalloc(&p, n * sizeof(float));
  make<<<(n + 255) / 256, 256, 0, s>>>(p, n);
  if (cudaStreamQuery(s) == cudaErrorNotReady) cudaGetLastError();
  cudaFree(p);  // expect: freed-in-flight
}
