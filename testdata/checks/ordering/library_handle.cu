// SPDX-License-Identifier: Apache-2.0
// Work of a library handle runs on the stream that was set on it.
#include <cublas_v2.h>
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void library_handle_ok(cublasHandle_t h, const float *x, float *y, int n, cudaStream_t a) {
  const float one = 1.f;
  cublasSetStream(h, a);
  make<<<(n + 255) / 256, 256, 0, a>>>(y, n);
  cublasSaxpy(h, n, &one, x, 1, y, 1);
}

void library_handle_bad(cublasHandle_t h, float *x, float *y, int n, cudaStream_t a, cudaStream_t b) {
  const float one = 1.f;
  cublasSetStream(h, b);
  make<<<(n + 255) / 256, 256, 0, a>>>(x, n);
  cublasSaxpy(h, n, &one, x, 1, y, 1);  // expect: missing-wait
}
