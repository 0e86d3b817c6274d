// SPDX-License-Identifier: Apache-2.0
// cudaStreamSynchronize: the host waits for all work of the stream.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void stream_synchronize_ok(int n, cudaStream_t s, cudaStream_t t) {
  float *p = nullptr;
  cudaMalloc(&p, n * sizeof(float));
  make<<<(n + 255) / 256, 256, 0, s>>>(p, n);
  cudaStreamSynchronize(s);
  cudaFree(p);
}

void stream_synchronize_bad(int n, cudaStream_t s, cudaStream_t t) {
  float *p = nullptr;
  cudaMalloc(&p, n * sizeof(float));
  make<<<(n + 255) / 256, 256, 0, s>>>(p, n);
  cudaStreamSynchronize(t);
  cudaFree(p);  // expect: freed-in-flight
}
