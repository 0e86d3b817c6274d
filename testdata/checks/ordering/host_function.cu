// SPDX-License-Identifier: Apache-2.0
// A host function runs when the stream gets there; its argument must live until then.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void note(void *user);

void host_function_ok(int step, cudaStream_t a) {
  int local = step;
  cudaLaunchHostFunc(a, note, &local);
  cudaStreamSynchronize(a);
}

void host_function_bad(int step, cudaStream_t a) {
  int local = step;
  cudaLaunchHostFunc(a, note, &local);  // expect: host-memory-lifetime
}
