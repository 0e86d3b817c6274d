// SPDX-License-Identifier: Apache-2.0
// Buffers freed by a callback, or by another function after a third one has synchronised.
#include <cuda_runtime.h>

struct Job {
  float *buffer;
  cudaStream_t stream;
};

__global__ void work(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}

void free_job(void *user) { delete static_cast<Job *>(user); }

void start(Job *job, int n) { work<<<(n + 255) / 256, 256, 0, job->stream>>>(job->buffer, n); }
void finish(Job *job) { cudaStreamSynchronize(job->stream); }
void drop(Job *job) { cudaFree(job->buffer); }

void run(Job *job, int n) {
  start(job, n);
  finish(job);
  drop(job);
}

void run_with_callback(int n, cudaStream_t stream) {
  Job *job = new Job{nullptr, stream};
  cudaMallocAsync(&job->buffer, n * sizeof(float), stream);
  work<<<(n + 255) / 256, 256, 0, stream>>>(job->buffer, n);
  cudaFreeAsync(job->buffer, stream);
  cudaLaunchHostFunc(stream, free_job, job);
}
