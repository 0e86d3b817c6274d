// SPDX-License-Identifier: Apache-2.0
// A start mark belongs before the kernel.
#include <cuda_runtime.h>

__global__ void busy(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += 1.f;
}

float milliseconds(float *p, int n, cudaStream_t stream) {
  cudaEvent_t start, stop;
  float ms = 0.f;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start, stream);
  busy<<<(n + 255) / 256, 256, 0, stream>>>(p, n);
  cudaEventRecord(stop, stream);
  cudaEventSynchronize(stop);
  cudaEventElapsedTime(&ms, start, stop);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  return ms;
}

class Timer {  // the constructor records, the destructor records and waits
  cudaEvent_t start_, stop_;
  cudaStream_t stream_;
  float *ms_;

 public:
  Timer(cudaStream_t stream, float *ms) : stream_(stream), ms_(ms) {
    cudaEventCreate(&start_);
    cudaEventCreate(&stop_);
    cudaEventRecord(start_, stream_);
  }
  Timer(const Timer &) = delete;
  ~Timer() {
    cudaEventRecord(stop_, stream_);
    cudaEventSynchronize(stop_);
    cudaEventElapsedTime(ms_, start_, stop_);
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
};

void timed(float *p, int n, cudaStream_t stream, float *ms) {
  Timer timer(stream, ms);
  busy<<<(n + 255) / 256, 256, 0, stream>>>(p, n);
}

void timed_in_scope(float *p, int n, cudaStream_t stream, float *ms) {
  {
    Timer timer(stream, ms);
    busy<<<(n + 255) / 256, 256, 0, stream>>>(p, n);
  }
  busy<<<(n + 255) / 256, 256, 0, stream>>>(p, n);
}
