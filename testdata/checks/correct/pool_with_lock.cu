// SPDX-License-Identifier: Apache-2.0
// A lock guard around moving an object in and out of a pool.
#include <cuda_runtime.h>
#include <memory>
#include <mutex>
#include <vector>

struct FreeOnDevice {
  void operator()(float *p) const { cudaFree(p); }
};
using Buffer = std::unique_ptr<float[], FreeOnDevice>;

class Pool {
  std::mutex mutex_;
  std::vector<Buffer> free_;

 public:
  Buffer take() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (free_.empty()) return nullptr;
    Buffer last = std::move(free_.back());
    free_.pop_back();
    return last;
  }
  void give(Buffer buffer) {
    std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(std::move(buffer));
  }
};

__global__ void work(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}

void with_pool(Pool &pool, int n, cudaStream_t stream) {
  Buffer buffer = pool.take();
  work<<<(n + 255) / 256, 256, 0, stream>>>(buffer.get(), n);
  cudaStreamSynchronize(stream);
  pool.give(std::move(buffer));
}
