// SPDX-License-Identifier: Apache-2.0
// cudaDeviceSynchronize: the host waits for all work of the device.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void device_synchronize_ok(int n, cudaStream_t s) {
  float *p = nullptr;
  cudaMalloc(&p, n * sizeof(float));
  make<<<(n + 255) / 256, 256, 0, s>>>(p, n);
  cudaDeviceSynchronize();
  cudaFree(p);
}

void device_synchronize_bad(int n, cudaStream_t s) {
  float *p = nullptr;
  cudaMalloc(&p, n * sizeof(float));
  make<<<(n + 255) / 256, 256, 0, s>>>(p, n);
  cudaGetLastError();
  cudaFree(p);  // expect: freed-in-flight
}
