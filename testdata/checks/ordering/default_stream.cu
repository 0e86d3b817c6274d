// SPDX-License-Identifier: Apache-2.0
// The legacy default stream and blocking streams wait for each other; non-blocking streams do not take part.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void default_stream_ok(float *p, float *q, float *r, int n) {
  cudaStream_t s;
  cudaStreamCreate(&s);
  make<<<(n + 255) / 256, 256, 0, s>>>(p, n);
  use<<<(n + 255) / 256, 256>>>(p, q, n);
  use<<<(n + 255) / 256, 256, 0, s>>>(q, r, n);
  cudaStreamDestroy(s);
}

void default_stream_bad(float *p, float *q, int n) {
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  make<<<(n + 255) / 256, 256, 0, s>>>(p, n);
  use<<<(n + 255) / 256, 256>>>(p, q, n);  // expect: missing-wait
  cudaStreamDestroy(s);
}
