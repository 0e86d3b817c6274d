// SPDX-License-Identifier: Apache-2.0
// Host memory that asynchronous work uses.
#include "pools.h"

#include <cstring>
#include <memory>
#include <vector>

struct Uploader {
  void *pinned, *other;
  size_t bytes;
  cudaStream_t stream;
};

void refilled(Uploader *u, void *to, const void *first, const void *second) {
  memcpy(u->pinned, first, u->bytes);
  cudaMemcpyAsync(to, u->pinned, u->bytes, cudaMemcpyHostToDevice, u->stream);
  memcpy(u->pinned, second, u->bytes);  // expect: host-memory-lifetime
  cudaStreamSynchronize(u->stream);
}

void alternating_ok(Uploader *u, void *to, const void *first, const void *second) {
  memcpy(u->pinned, first, u->bytes);
  cudaMemcpyAsync(to, u->pinned, u->bytes, cudaMemcpyHostToDevice, u->stream);
  memcpy(u->other, second, u->bytes);
  cudaStreamSynchronize(u->stream);
}

void pinned_vector(float *to, int n, cudaStream_t s) {
  std::vector<float, PinnedAllocator<float>> host(n);
  cudaMemcpyAsync(to, host.data(), n * sizeof(float), cudaMemcpyHostToDevice, s);  // expect: freed-in-flight
}

void pinned_vector_ok(float *to, int n, cudaStream_t s) {
  std::vector<float, PinnedAllocator<float>> host(n);
  cudaMemcpyAsync(to, host.data(), n * sizeof(float), cudaMemcpyHostToDevice, s);
  cudaStreamSynchronize(s);
}

struct Progress {
  int step;
};
void report(void *progress);

void owned_by_function(int step, cudaStream_t s) {
  auto progress = std::make_unique<Progress>(Progress{step});
  cudaLaunchHostFunc(s, report, progress.get());  // expect: host-memory-lifetime
}

void handed_over_ok(int step, cudaStream_t s) {
  auto progress = std::make_unique<Progress>(Progress{step});
  if (cudaLaunchHostFunc(s, report, progress.get()) == cudaSuccess) progress.release();
}

int read_too_early(const int *device, int *pinned, cudaStream_t s) {
  cudaMemcpyAsync(pinned, device, sizeof(int), cudaMemcpyDeviceToHost, s);
  return *pinned;  // expect: missing-wait
}

int read_ok(const int *device, int *pinned, cudaStream_t s) {
  cudaMemcpyAsync(pinned, device, sizeof(int), cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  return *pinned;
}
