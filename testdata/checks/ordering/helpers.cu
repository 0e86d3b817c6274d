// SPDX-License-Identifier: Apache-2.0
// What helpers and methods record, wait for and launch counts as if it stood at the call.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

class Marker {
  cudaEvent_t event_;

 public:
  explicit Marker(cudaStream_t s) {
    cudaEventCreateWithFlags(&event_, cudaEventDisableTiming);
    cudaEventRecord(event_, s);
  }
  Marker(const Marker &) = delete;
  ~Marker() { cudaEventDestroy(event_); }
  void hold(cudaStream_t s) const { cudaStreamWaitEvent(s, event_, 0); }
};

static void produce(float *p, int n, cudaStream_t s) { make<<<(n + 255) / 256, 256, 0, s>>>(p, n); }

void helpers_ok(float *p, float *q, int n, cudaStream_t a, cudaStream_t b) {
  produce(p, n, a);
  Marker done(a);
  done.hold(b);
  use<<<(n + 255) / 256, 256, 0, b>>>(p, q, n);
}

void helpers_bad(float *p, float *q, int n, cudaStream_t a, cudaStream_t b) {
  Marker done(a);  // expect: event-before-work
  produce(p, n, a);
  done.hold(b);
  use<<<(n + 255) / 256, 256, 0, b>>>(p, q, n);
}
