// SPDX-License-Identifier: Apache-2.0
// An event recorded after the work, and a wait for it, order another stream behind the work.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void event_ok(float *p, float *q, int n, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  use<<<(n + 255) / 256, 256, 0, b>>>(p, q, n);
}

void event_too_early_bad(float *p, float *q, int n, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  cudaEventRecord(e, a);  // expect: event-before-work
  make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  cudaStreamWaitEvent(b, e, 0);
  use<<<(n + 255) / 256, 256, 0, b>>>(p, q, n);
}

void event_on_other_stream_bad(float *p, float *q, int n, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  cudaEventRecord(e, b);  // expect: event-wrong-stream
  cudaStreamWaitEvent(b, e, 0);
  use<<<(n + 255) / 256, 256, 0, b>>>(p, q, n);
}

void event_never_bad(float *p, float *q, int n, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  cudaStreamWaitEvent(b, e, 0);  // expect: event-wrong-stream
  use<<<(n + 255) / 256, 256, 0, b>>>(p, q, n);
}

void event_no_wait_bad(float *p, float *q, int n, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  make<<<(n + 255) / 256, 256, 0, a>>>(p, n);
  cudaEventRecord(e, a);
  use<<<(n + 255) / 256, 256, 0, b>>>(p, q, n);  // expect: missing-wait
}
