// SPDX-License-Identifier: Apache-2.0
// Order is transitive: a stream that has waited passes it on with its own events.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void event_chain_ok(float *p, float *q, int n, cudaStream_t a, cudaStream_t b, cudaStream_t c, cudaEvent_t e, cudaEvent_t f) {
  make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  cudaEventRecord(f, b);
  cudaStreamWaitEvent(c, f, 0);
  use<<<(n + 255) / 256, 256, 0, c>>>(p, q, n);
}

void event_chain_bad(float *p, float *q, int n, cudaStream_t a, cudaStream_t b, cudaStream_t c, cudaEvent_t e, cudaEvent_t f) {
  make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  cudaEventRecord(e, a);
  cudaEventRecord(f, b);  // expect: event-wrong-stream
  cudaStreamWaitEvent(b, e, 0);
  cudaStreamWaitEvent(c, f, 0);
  use<<<(n + 255) / 256, 256, 0, c>>>(p, q, n);
}
