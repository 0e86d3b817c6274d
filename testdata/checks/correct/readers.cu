// SPDX-License-Identifier: Apache-2.0
// Readers on two streams; two halves of one buffer; a stream that waits for both.
#include <cuda_runtime.h>

__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}
__global__ void reads_only(float *p, float *q, int n) {  // no const, but it only reads p
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void two_readers(float *p, float *q, float *r, int n, cudaStream_t a, cudaStream_t b) {
  use<<<(n + 255) / 256, 256, 0, a>>>(p, q, n);
  reads_only<<<(n + 255) / 256, 256, 0, b>>>(p, r, n);
}

void halves(const float *p, float *q, int n, cudaStream_t a, cudaStream_t b) {
  use<<<(n + 255) / 256, 256, 0, a>>>(p, q, n / 2);
  use<<<(n + 255) / 256, 256, 0, b>>>(p, q + n / 2, n / 2);
}
