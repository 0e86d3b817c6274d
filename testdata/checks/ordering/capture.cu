// SPDX-License-Identifier: Apache-2.0
// Captured work runs when the graph does: what it uses must live as long as the graph.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void use(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = p[i];
}

void capture_ok(float *p, cudaStream_t a) {
  float table[2] = {1.f, 2.f};
  cudaGraph_t graph;
  cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal);
  cudaMemcpyAsync(p, table, sizeof table, cudaMemcpyHostToDevice, a);
  cudaStreamEndCapture(a, &graph);
  cudaGraphDestroy(graph);
}

cudaGraph_t capture_bad(float *p, cudaStream_t a) {
  float table[2] = {1.f, 2.f};
  cudaGraph_t graph;
  cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal);
  cudaMemcpyAsync(p, table, sizeof table, cudaMemcpyHostToDevice, a);  // expect: host-memory-lifetime
  cudaStreamEndCapture(a, &graph);
  return graph;
}
