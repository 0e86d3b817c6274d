// SPDX-License-Identifier: Apache-2.0
// Rings of buffers and arrays of streams that are made in loops.
#include <cuda_runtime.h>

__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void ring(float *const *buffers, const float *host, float *out, int n, int rounds, cudaStream_t copy,
          cudaStream_t compute, const cudaEvent_t *filled, const cudaEvent_t *drained) {
  for (int i = 0; i < 2; ++i) cudaEventRecord(drained[i], compute);
  for (int round = 0; round < rounds; ++round) {
    int slot = round % 2;
    cudaStreamWaitEvent(copy, drained[slot], 0);
    cudaMemcpyAsync(buffers[slot], host + round * n, n * sizeof(float), cudaMemcpyHostToDevice, copy);
    cudaEventRecord(filled[slot], copy);
    cudaStreamWaitEvent(compute, filled[slot], 0);
    use<<<(n + 255) / 256, 256, 0, compute>>>(buffers[slot], out + round * n, n);
    cudaEventRecord(drained[slot], compute);
  }
}

void array_of_streams(const float *p, float *q, int n) {
  cudaStream_t streams[2];
  for (int i = 0; i < 2; ++i) cudaStreamCreate(&streams[i]);
  use<<<(n + 255) / 256, 256, 0, streams[0]>>>(p, q, n);
  cudaStreamSynchronize(streams[0]);
  use<<<(n + 255) / 256, 256, 0, streams[1]>>>(p, q, n);
  for (int i = 0; i < 2; ++i) cudaStreamDestroy(streams[i]);
}
