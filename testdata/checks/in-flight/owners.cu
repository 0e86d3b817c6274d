// SPDX-License-Identifier: Apache-2.0
// Owners whose end is seen: what their destructor or deleter does counts where it runs.
#include <cuda_runtime.h>
#include <memory>

struct View {
  const float *in;
  float *out;
};

__global__ void copy(View v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v.out[i] = v.in[i];
}
__device__ void bump(float *p) { *p += 1.f; }
__global__ void bump_all(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bump(&p[i]);
}

struct FreeDevice {
  void operator()(float *p) const { cudaFree(p); }
};
using Memory = std::unique_ptr<float[], FreeDevice>;
Memory make(int n);

void dies_in_flight(int n, cudaStream_t s) {
  Memory p = make(n);
  bump_all<<<(n + 255) / 256, 256, 0, s>>>(p.get(), n);  // expect: freed-in-flight
}

void dies_after_wait_ok(int n, cudaStream_t s) {
  Memory p = make(n);
  bump_all<<<(n + 255) / 256, 256, 0, s>>>(p.get(), n);
  cudaStreamSynchronize(s);
}

class AsyncMemory {
  float *p_ = nullptr;
  cudaStream_t s_;

 public:
  AsyncMemory(int n, cudaStream_t s) : s_(s) { cudaMallocAsync(&p_, n * sizeof(float), s_); }
  AsyncMemory(const AsyncMemory &) = delete;
  ~AsyncMemory() { cudaFreeAsync(p_, s_); }
  float *get() const { return p_; }
};

void freed_on_home_stream(int n, cudaStream_t home, cudaStream_t side, cudaEvent_t e) {
  AsyncMemory p(n, home);
  cudaEventRecord(e, home);
  cudaStreamWaitEvent(side, e, 0);
  bump_all<<<(n + 255) / 256, 256, 0, side>>>(p.get(), n);  // expect: free-wrong-stream
}

void freed_on_home_stream_ok(int n, cudaStream_t home) {
  AsyncMemory p(n, home);
  bump_all<<<(n + 255) / 256, 256, 0, home>>>(p.get(), n);
}

void through_struct(float *p, float *q, int n, cudaStream_t a, cudaStream_t b) {
  View v = {q, p};
  copy<<<(n + 255) / 256, 256, 0, a>>>(v, n);
  bump_all<<<(n + 255) / 256, 256, 0, b>>>(p, n);  // expect: missing-wait
}

void through_struct_ok(float *p, const float *q, float *r, int n, cudaStream_t a, cudaStream_t b) {
  View v = {q, p}, w = {q, r};
  copy<<<(n + 255) / 256, 256, 0, a>>>(v, n);
  copy<<<(n + 255) / 256, 256, 0, b>>>(w, n);
}

cudaError_t launch_graph_after_free(int n, cudaStream_t s) {
  float *p = nullptr;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaMalloc(&p, n * sizeof(float));
  cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
  bump_all<<<(n + 255) / 256, 256, 0, s>>>(p, n);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiateWithFlags(&exec, graph, 0);
  cudaFree(p);
  cudaGraphLaunch(exec, s);  // expect: released-before-launch
  cudaStreamSynchronize(s);
  cudaGraphExecDestroy(exec);
  return cudaGraphDestroy(graph);
}
