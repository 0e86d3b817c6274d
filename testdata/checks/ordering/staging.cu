// SPDX-License-Identifier: Apache-2.0
// A plain copy is done with pageable memory when it returns; pinned memory is read when the stream gets there.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void staging_ok(float *p, cudaStream_t a) {
  float table[2] = {1.f, 2.f};
  cudaMemcpyAsync(p, table, sizeof table, cudaMemcpyHostToDevice, a);
  table[0] = 3.f;
}

void staging_bad(float *p, int n, cudaStream_t a) {
  float *pinned = nullptr;
  cudaMallocHost(&pinned, n * sizeof(float));
  pinned[0] = 1.f;
  cudaMemcpyAsync(p, pinned, n * sizeof(float), cudaMemcpyHostToDevice, a);
  pinned[0] = 2.f;  // expect: host-memory-lifetime
  cudaStreamSynchronize(a);
  cudaFreeHost(pinned);
}
