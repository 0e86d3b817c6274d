/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <cuda_runtime.h>
#include <memory>
#include <utility>

namespace gpu {
class Buffer;
class ReadLease {
 public:
  ReadLease(const Buffer& b, cudaStream_t s);
  ReadLease(ReadLease&&) noexcept;
  ReadLease& operator=(ReadLease&&) noexcept;
  ~ReadLease();
  const float* pointer() const;
};
class Array {
 public:
  explicit Array(size_t n);
  Array(Array&&) noexcept;
  Array& operator=(Array&&) noexcept;
  ~Array();
  float* data();
  size_t size() const;
  Array dense() const;
};
ReadLease lease(const Buffer& b, cudaStream_t s);
void consume(Array a);

// Everything of these is visible: no rule says what they do.
struct Closer {
  void operator()(float* p) const { cudaFree(p); }
};
using Owned = std::unique_ptr<float[], Closer>;
Owned make_owned(size_t n);

struct EventGuard {
  cudaEvent_t event;
  cudaStream_t stream;
  EventGuard(cudaEvent_t e, cudaStream_t s) : event(e), stream(s) {}
  EventGuard(EventGuard&& o) noexcept : event(std::exchange(o.event, nullptr)), stream(o.stream) {}
  EventGuard(const EventGuard&) = delete;
  ~EventGuard() {
    if (event) cudaEventRecord(event, stream);
  }
};

struct Access {
  const float* ptr;
  EventGuard guard;
};
Access open(const Buffer& b, cudaStream_t s);

class OwnedBuffer {
  float* data_ = nullptr;
  size_t n_ = 0;

 public:
  OwnedBuffer() = default;
  explicit OwnedBuffer(size_t n) : n_(n) { cudaMalloc(&data_, n * sizeof(float)); }
  OwnedBuffer(OwnedBuffer&& o) noexcept : data_(std::exchange(o.data_, nullptr)), n_(o.n_) {}
  OwnedBuffer& operator=(OwnedBuffer&& o) noexcept {
    if (this != &o) {
      cudaFree(data_);
      data_ = std::exchange(o.data_, nullptr);
    }
    return *this;
  }
  ~OwnedBuffer() { cudaFree(data_); }
  float* get() const { return data_; }
  void reset() {
    cudaFree(data_);
    data_ = nullptr;
  }
};
}  // namespace gpu

__global__ void twice(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}
