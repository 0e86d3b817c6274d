// SPDX-License-Identifier: Apache-2.0
// Work on one stream runs in the order in which it was enqueued.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void same_stream_ok(float *p, float *q, int n, cudaStream_t a) {
  make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  use<<<(n + 255) / 256, 256, 0, a>>>(p, q, n);
}

void same_stream_bad(float *p, float *q, int n, cudaStream_t a, cudaStream_t b) {
  make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  use<<<(n + 255) / 256, 256, 0, b>>>(p, q, n);  // expect: missing-wait
}
