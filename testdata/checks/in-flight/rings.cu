// SPDX-License-Identifier: Apache-2.0
// Rings of buffers and arrays of streams that are made in loops, with a wait left out.
#include <cuda_runtime.h>

__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void ring_refilled_too_early(float *const *buffers, const float *host, float *out, int n, int rounds,
                             cudaStream_t copy, cudaStream_t compute, const cudaEvent_t *filled) {
  for (int round = 0; round < rounds; ++round) {
    int slot = round % 2;
    cudaMemcpyAsync(buffers[slot], host + round * n, n * sizeof(float), cudaMemcpyHostToDevice, copy);  // expect: missing-wait
    cudaEventRecord(filled[slot], copy);
    cudaStreamWaitEvent(compute, filled[slot], 0);
    use<<<(n + 255) / 256, 256, 0, compute>>>(buffers[slot], out + round * n, n);
  }
}

void array_of_streams(const float *p, float *q, int n) {
  cudaStream_t streams[2];
  for (int i = 0; i < 2; ++i) cudaStreamCreate(&streams[i]);
  use<<<(n + 255) / 256, 256, 0, streams[0]>>>(p, q, n);
  use<<<(n + 255) / 256, 256, 0, streams[1]>>>(p, q, n);  // expect: missing-wait
  for (int i = 0; i < 2; ++i) cudaStreamDestroy(streams[i]);
}

void one_buffer_refilled_too_early(float *buffer, const float *host, float *out, int n, int rounds, cudaStream_t copy,
                                   cudaStream_t compute, cudaEvent_t filled) {
  for (int round = 0; round < rounds; ++round) {
    cudaMemcpyAsync(buffer, host + round * n, n * sizeof(float), cudaMemcpyHostToDevice, copy);  // expect: missing-wait
    cudaEventRecord(filled, copy);
    cudaStreamWaitEvent(compute, filled, 0);
    use<<<(n + 255) / 256, 256, 0, compute>>>(buffer, out + round * n, n);
  }
}
