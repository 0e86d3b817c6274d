// SPDX-License-Identifier: Apache-2.0
// A captured graph: its memory lives until the last launch is done.
#include <cuda_runtime.h>

__global__ void fill(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}

void captured(int n, cudaStream_t stream) {
  float *p = nullptr;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaMalloc(&p, n * sizeof(float));
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  fill<<<(n + 255) / 256, 256, 0, stream>>>(p, n);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiateWithFlags(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  cudaFree(p);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}
