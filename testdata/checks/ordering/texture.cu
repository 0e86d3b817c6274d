// SPDX-License-Identifier: Apache-2.0
// Destroying a texture object does not wait.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

__global__ void sample(cudaTextureObject_t t, float *q, int n);

void texture_ok(const cudaResourceDesc &r, const cudaTextureDesc &d, float *q, int n, cudaStream_t a) {
  cudaTextureObject_t t = 0;
  cudaCreateTextureObject(&t, &r, &d, nullptr);
  sample<<<(n + 255) / 256, 256, 0, a>>>(t, q, n);
  cudaStreamSynchronize(a);
  cudaDestroyTextureObject(t);
}

void texture_bad(const cudaResourceDesc &r, const cudaTextureDesc &d, float *q, int n, cudaStream_t a) {
  cudaTextureObject_t t = 0;
  cudaCreateTextureObject(&t, &r, &d, nullptr);
  sample<<<(n + 255) / 256, 256, 0, a>>>(t, q, n);
  cudaDestroyTextureObject(t);  // expect: handle-destroyed-in-flight
}
