// SPDX-License-Identifier: Apache-2.0
// A wait uses the newest record at the moment of the wait.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void event_newest_ok(float *p, float *q, int n, cudaStream_t a, cudaStream_t b, cudaStream_t c, cudaEvent_t e) {
  make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  cudaEventRecord(e, c);
  use<<<(n + 255) / 256, 256, 0, b>>>(p, q, n);
}

void event_newest_bad(float *p, float *q, int n, cudaStream_t a, cudaStream_t b, cudaStream_t c, cudaEvent_t e) {
  make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  cudaEventRecord(e, a);
  cudaEventRecord(e, c);  // expect: event-wrong-stream
  cudaStreamWaitEvent(b, e, 0);
  use<<<(n + 255) / 256, 256, 0, b>>>(p, q, n);
}
