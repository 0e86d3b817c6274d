// SPDX-License-Identifier: Apache-2.0
// State guards that end too early, and streams that were read too early.
#include <cuda_runtime.h>
#include <optional>

class OnDevice {
  int old_ = -1;

 public:
  explicit OnDevice(int device) {
    cudaGetDevice(&old_);
    cudaSetDevice(device);
  }
  OnDevice(const OnDevice &) = delete;
  ~OnDevice() { cudaSetDevice(old_); }
};

cudaStream_t stream_of_current_device();

__global__ void fill(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = 0.f;
}

void ended_block(int device, int n) {
  cudaStream_t s;
  float *p;
  {
    OnDevice guard(device);
    cudaStreamCreate(&s);
    cudaMalloc(&p, n * sizeof(float));
  }
  fill<<<(n + 255) / 256, 256, 0, s>>>(p, n);  // expect: guard-scope-too-narrow
  cudaStreamSynchronize(s);
  cudaFree(p);
}

void ended_if(float *p, int n, int device, int here) {
  if (device != here) OnDevice guard(device);
  fill<<<(n + 255) / 256, 256>>>(p, n);  // expect: guard-scope-too-narrow
}

void optional_ok(float *p, int n, int device, int here) {
  std::optional<OnDevice> guard;
  if (device != here) guard.emplace(device);
  fill<<<(n + 255) / 256, 256>>>(p, n);
}

void whole_function_ok(float *p, int n, int device) {
  OnDevice guard(device);
  cudaStream_t s = stream_of_current_device();
  fill<<<(n + 255) / 256, 256, 0, s>>>(p, n);
}

void read_too_early(float *p, int n, int device) {
  cudaStream_t s = stream_of_current_device();  // expect: stale-stream
  OnDevice guard(device);
  fill<<<(n + 255) / 256, 256, 0, s>>>(p, n);
}

void nested_ok(float *p, int n, int device, int other) {
  OnDevice guard(device);
  {
    OnDevice inner(other);
    cudaDeviceSynchronize();
  }
  fill<<<(n + 255) / 256, 256>>>(p, n);
}

void second_guard_ok(float *p, int n, int device) {
  cudaStream_t s;
  {
    OnDevice guard(device);
    cudaStreamCreate(&s);
  }
  OnDevice again(device);
  fill<<<(n + 255) / 256, 256, 0, s>>>(p, n);
}
