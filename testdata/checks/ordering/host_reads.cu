// SPDX-License-Identifier: Apache-2.0
// The host sees what a stream wrote once it has waited for it.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

float host_reads_ok(float *managed, int n, cudaStream_t a) {
  make<<<(n + 255) / 256, 256, 0, a>>>(managed, n);
  cudaStreamSynchronize(a);
  return managed[0];
}

float host_reads_bad(float *managed, int n, cudaStream_t a) {
  make<<<(n + 255) / 256, 256, 0, a>>>(managed, n);
  return managed[0];  // expect: missing-wait
}

void host_writes_bad(float *managed, float *q, int n, cudaStream_t a) {
  use<<<(n + 255) / 256, 256, 0, a>>>(managed, q, n);
  managed[0] = 1.f;  // expect: missing-wait
}
