// SPDX-License-Identifier: Apache-2.0
// A fork and a join through helpers, over arrays of streams.
#include <cuda_runtime.h>

__global__ void part(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
__global__ void all(const float *p, float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, p[i]);
}

static void fork(cudaStream_t from, const cudaStream_t *to, int count, cudaEvent_t event) {
  cudaEventRecord(event, from);
  for (int i = 0; i < count; ++i) cudaStreamWaitEvent(to[i], event, 0);
}

static void join(const cudaStream_t *from, int count, cudaStream_t to, const cudaEvent_t *events) {
  for (int i = 0; i < count; ++i) cudaEventRecord(events[i], from[i]);
  for (int i = 0; i < count; ++i) cudaStreamWaitEvent(to, events[i], 0);
}

void fan_out(const float *in, float *out, float *sum, int n, int count, cudaStream_t stream,
             const cudaStream_t *workers, const cudaEvent_t *events, cudaEvent_t start) {
  cudaMemsetAsync(out, 0, n * count * sizeof(float), stream);
  fork(stream, workers, count, start);
  for (int i = 0; i < count; ++i)
    part<<<(n + 255) / 256, 256, 0, workers[i]>>>(in + i * n, out + i * n, n);
  join(workers, count, stream, events);
  all<<<(n * count + 255) / 256, 256, 0, stream>>>(out, sum, n * count);
}

void offset_as_argument(float *data, int n, int count, const cudaStream_t *workers);

__global__ void part_at(float *data, int offset, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[offset + i] = i;
}

void offset_as_argument(float *data, int n, int count, const cudaStream_t *workers) {
  for (int i = 0; i < count; ++i)
    part_at<<<(n + 255) / 256, 256, 0, workers[i]>>>(data, i * n, n);
}
