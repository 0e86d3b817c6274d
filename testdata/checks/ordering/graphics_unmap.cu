// SPDX-License-Identifier: Apache-2.0
// cudaGraphicsUnmapResources on a stream comes after the work of that stream.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void graphics_unmap_ok(cudaGraphicsResource_t resource, int n, cudaStream_t a) {
  void *p;
  size_t bytes;
  cudaGraphicsMapResources(1, &resource, a);
  cudaGraphicsResourceGetMappedPointer(&p, &bytes, resource);
  make<<<(n + 255) / 256, 256, 0, a>>>(static_cast<float *>(p), n);
  cudaGraphicsUnmapResources(1, &resource, a);
}

void graphics_unmap_bad(cudaGraphicsResource_t resource, int n, cudaStream_t a, cudaStream_t b) {
  void *p;
  size_t bytes;
  cudaGraphicsMapResources(1, &resource, a);
  cudaGraphicsResourceGetMappedPointer(&p, &bytes, resource);
  make<<<(n + 255) / 256, 256, 0, a>>>(static_cast<float *>(p), n);
  cudaGraphicsUnmapResources(1, &resource, b);  // expect: handle-destroyed-in-flight
}
