// SPDX-License-Identifier: Apache-2.0
// Freed in a destructor at shutdown; errors on the way to the synchronisation.
#include <cuda_runtime.h>

__global__ void make(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}

class Engine {
  float *weights_ = nullptr, *scratch_ = nullptr;
  cudaStream_t stream_ = nullptr;

 public:
  explicit Engine(int n) {
    cudaStreamCreate(&stream_);
    cudaMalloc(&weights_, n * sizeof(float));
    cudaMalloc(&scratch_, n * sizeof(float));
  }
  Engine(const Engine &) = delete;
  ~Engine() {
    cudaFree(scratch_);
    cudaFree(weights_);
    cudaStreamDestroy(stream_);
  }
  void step(int n) { make<<<(n + 255) / 256, 256, 0, stream_>>>(weights_, n); }
};

cudaError_t checked(const float *in, float *out, int n, cudaStream_t stream) {
  float *p = nullptr;
  cudaError_t err = cudaMalloc(&p, n * sizeof(float));
  if (err != cudaSuccess) return err;
  err = cudaMemcpyAsync(p, in, n * sizeof(float), cudaMemcpyHostToDevice, stream);
  if (err == cudaSuccess) err = cudaMemcpyAsync(out, p, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
  if (err == cudaSuccess) err = cudaStreamSynchronize(stream);
  cudaFree(p);
  return err;
}

cudaError_t with_goto(const float *in, int n, cudaStream_t stream) {
  float *p = nullptr;
  cudaError_t err = cudaMalloc(&p, n * sizeof(float));
  if (err != cudaSuccess) return err;
  err = cudaMemcpyAsync(p, in, n * sizeof(float), cudaMemcpyHostToDevice, stream);
  if (err != cudaSuccess) goto out;
  make<<<(n + 255) / 256, 256, 0, stream>>>(p, n);
  err = cudaStreamSynchronize(stream);
out:
  cudaFree(p);
  return err;
}

void conditional(float *in, int n, bool async, cudaStream_t stream) {
  float *p = nullptr;
  cudaMalloc(&p, n * sizeof(float));
  if (async) make<<<(n + 255) / 256, 256, 0, stream>>>(p, n);
  in[0] = 0.f;
  if (async) cudaStreamSynchronize(stream);
  cudaFree(p);
}
