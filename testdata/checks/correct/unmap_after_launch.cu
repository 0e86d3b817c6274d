// SPDX-License-Identifier: Apache-2.0
// Unmapped right after the launch on the same stream: later graphics work is ordered behind it.
#include <cuda_runtime.h>

__global__ void shade(float *pixels, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) pixels[i] = 1.f;
}

cudaError_t draw(cudaGraphicsResource_t resource, int n, cudaStream_t stream) {
  void *pixels = nullptr;
  size_t bytes = 0;
  cudaError_t err = cudaGraphicsMapResources(1, &resource, stream);
  if (err != cudaSuccess) return err;
  err = cudaGraphicsResourceGetMappedPointer(&pixels, &bytes, resource);
  if (err == cudaSuccess) shade<<<(n + 255) / 256, 256, 0, stream>>>(static_cast<float *>(pixels), n);
  cudaGraphicsUnmapResources(1, &resource, stream);
  return err;
}
