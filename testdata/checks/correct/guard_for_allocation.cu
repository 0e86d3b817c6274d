// SPDX-License-Identifier: Apache-2.0
// A device guard that is needed for the allocation only.
#include <cuda_runtime.h>

class DeviceGuard {
  int old_ = -1;

 public:
  explicit DeviceGuard(int device) {
    cudaGetDevice(&old_);
    cudaSetDevice(device);
  }
  DeviceGuard(const DeviceGuard &) = delete;
  ~DeviceGuard() { cudaSetDevice(old_); }
};

__global__ void fill(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = 0.f;
}

float *allocate(int device, int n, cudaStream_t stream_of_device) {
  float *p = nullptr;
  {
    DeviceGuard guard(device);
    cudaMalloc(&p, n * sizeof(float));
  }
  fill<<<(n + 255) / 256, 256, 0, stream_of_device>>>(p, n);
  return p;
}

void peer(float *p, const float *q, int n, int device, cudaStream_t stream) {
  {
    DeviceGuard guard(device);
    cudaDeviceEnablePeerAccess(0, 0);
  }
  cudaMemcpyAsync(p, q, n * sizeof(float), cudaMemcpyDeviceToDevice, stream);
}
