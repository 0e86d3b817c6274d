// SPDX-License-Identifier: Apache-2.0
// A loop over all elements of an array of streams joins every one of them.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void array_of_streams_ok(float *p, float *q, int n, int k, const cudaStream_t *pool, cudaStream_t b, cudaEvent_t e) {
  for (int i = 0; i < k; ++i) make<<<(n + 255) / 256, 256, 0, pool[i]>>>(p + i * n, n);
  for (int i = 0; i < k; ++i) {
    cudaEventRecord(e, pool[i]);
    cudaStreamWaitEvent(b, e, 0);
  }
  use<<<(n + 255) / 256, 256, 0, b>>>(p, q, n);
}

void array_of_streams_bad(float *p, float *q, int n, int k, const cudaStream_t *pool, cudaStream_t b) {
  for (int i = 0; i < k; ++i) make<<<(n + 255) / 256, 256, 0, pool[i]>>>(p + i * n, n);
  use<<<(n + 255) / 256, 256, 0, b>>>(p, q, n);  // expect: missing-wait
}
