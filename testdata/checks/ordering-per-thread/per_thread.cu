// SPDX-License-Identifier: Apache-2.0
// With per-thread default streams stream 0 is an ordinary stream of the thread.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void per_thread_ok(float *p, float *q, int n, cudaStream_t a, cudaEvent_t e) {
  make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(0, e, 0);
  use<<<(n + 255) / 256, 256>>>(p, q, n);
}

void per_thread_bad(float *p, float *q, int n) {
  cudaStream_t a;
  cudaStreamCreate(&a);
  make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  use<<<(n + 255) / 256, 256>>>(p, q, n);  // expect: missing-wait
  cudaStreamDestroy(a);
}
