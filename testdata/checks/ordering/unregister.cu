// SPDX-License-Identifier: Apache-2.0
// Unregistering host memory does not wait.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void unregister_ok(float *p, float *host, int n, cudaStream_t a) {
  cudaHostRegister(host, n * sizeof(float), 0);
  cudaMemcpyAsync(p, host, n * sizeof(float), cudaMemcpyHostToDevice, a);
  cudaStreamSynchronize(a);
  cudaHostUnregister(host);
}

void unregister_bad(float *p, float *host, int n, cudaStream_t a) {
  cudaHostRegister(host, n * sizeof(float), 0);
  cudaMemcpyAsync(p, host, n * sizeof(float), cudaMemcpyHostToDevice, a);
  cudaHostUnregister(host);  // expect: handle-destroyed-in-flight
}
