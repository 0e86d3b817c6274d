// SPDX-License-Identifier: Apache-2.0
// Work on the legacy default stream orders the blocking streams before and after it.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void default_stream_between_ok(float *p, float *q, float *r, int n, cudaStream_t a, cudaStream_t b) {
  make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  make<<<(n + 255) / 256, 256>>>(r, n);
  use<<<(n + 255) / 256, 256, 0, b>>>(p, q, n);
}

void default_stream_between_bad(float *p, float *q, float *r, int n, cudaStream_t a) {
  cudaStream_t b;
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  make<<<(n + 255) / 256, 256>>>(r, n);
  use<<<(n + 255) / 256, 256, 0, b>>>(p, q, n);  // expect: missing-wait
  cudaStreamDestroy(b);
}
