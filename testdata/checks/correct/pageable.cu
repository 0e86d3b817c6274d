// SPDX-License-Identifier: Apache-2.0
// Pageable memory is staged by a copy: it may go, or be used again, at once.
#include <cuda_runtime.h>
#include <cstdlib>
#include <cstring>
#include <vector>

void from_the_stack(float *device, cudaStream_t stream) {
  float table[4] = {1.f, 2.f, 3.f, 4.f};
  cudaMemcpyAsync(device, table, sizeof table, cudaMemcpyHostToDevice, stream);
}

void from_the_heap(float *device, int n, cudaStream_t stream) {
  float *host = static_cast<float *>(malloc(n * sizeof(float)));
  memset(host, 0, n * sizeof(float));
  cudaMemcpyAsync(device, host, n * sizeof(float), cudaMemcpyHostToDevice, stream);
  host[0] = 1.f;
  free(host);
}

void from_a_vector(float *device, int n, cudaStream_t stream) {
  std::vector<float> host(n);
  cudaMemcpyAsync(device, host.data(), n * sizeof(float), cudaMemcpyHostToDevice, stream);
}

int result_on_the_stack(const int *device, cudaStream_t stream) {
  int result = 0;
  cudaMemcpyAsync(&result, device, sizeof result, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  return result;
}
