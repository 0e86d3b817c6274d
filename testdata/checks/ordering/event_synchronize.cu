// SPDX-License-Identifier: Apache-2.0
// cudaEventSynchronize: the host waits for what the newest record covers.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void event_synchronize_ok(int n, cudaStream_t s, cudaStream_t t, cudaEvent_t e) {
  float *p = nullptr;
  cudaMalloc(&p, n * sizeof(float));
  make<<<(n + 255) / 256, 256, 0, s>>>(p, n);
  cudaEventRecord(e, s);
  cudaEventSynchronize(e);
  cudaFree(p);
}

void event_synchronize_bad(int n, cudaStream_t s, cudaStream_t t, cudaEvent_t e) {
  float *p = nullptr;
  cudaMalloc(&p, n * sizeof(float));
  make<<<(n + 255) / 256, 256, 0, s>>>(p, n);
  cudaEventRecord(e, t);
  cudaEventSynchronize(e);
  cudaFree(p);  // expect: freed-in-flight
}
