// SPDX-License-Identifier: Apache-2.0
// cudaMemcpy as the synchronisation, and null-stream work that orders two blocking streams.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void copied(float *host, int n) {
  float *p = nullptr;
  cudaMalloc(&p, n * sizeof(float));
  make<<<(n + 255) / 256, 256>>>(p, n);
  cudaMemcpy(host, p, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(p);
}

void through_the_null_stream(float *p, float *q, float *r, int n, cudaStream_t a, cudaStream_t b) {
  make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  make<<<(n + 255) / 256, 256>>>(r, n);
  use<<<(n + 255) / 256, 256, 0, b>>>(p, q, n);
}

void from_the_null_stream(float *p, float *q, int n, cudaStream_t a) {
  make<<<(n + 255) / 256, 256>>>(p, n);
  use<<<(n + 255) / 256, 256, 0, a>>>(p, q, n);
}
