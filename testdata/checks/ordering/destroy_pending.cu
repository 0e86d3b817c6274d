// SPDX-License-Identifier: Apache-2.0
// A stream or event may be destroyed with work pending; after that it is gone.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void destroy_pending_ok(float *p, float *q, int n, cudaStream_t b) {
  cudaStream_t a;
  cudaEvent_t e;
  cudaStreamCreate(&a);
  cudaEventCreate(&e);
  make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  cudaEventDestroy(e);
  cudaStreamDestroy(a);
  use<<<(n + 255) / 256, 256, 0, b>>>(p, q, n);
}

void destroy_pending_bad(float *p, int n) {
  cudaStream_t a;
  cudaStreamCreate(&a);
  cudaStreamDestroy(a);  // expect: handle-destroyed-in-flight
  make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
}

void event_destroyed_bad(float *p, float *q, int n, cudaStream_t a, cudaStream_t b) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  cudaEventRecord(e, a);
  cudaEventDestroy(e);  // expect: handle-destroyed-in-flight
  cudaStreamWaitEvent(b, e, 0);
  use<<<(n + 255) / 256, 256, 0, b>>>(p, q, n);
}
