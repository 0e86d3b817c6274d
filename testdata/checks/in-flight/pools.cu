// SPDX-License-Identifier: Apache-2.0
// Blocks that go back to a pool, or to a caching allocator, while work may still use them.
#include "pools.h"

#include <cstring>

__global__ void step(const float *in, float *scratch, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    scratch[i] = in[i];
    out[i] = scratch[i];
  }
}
__global__ void add(float *p, const float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += q[i];
}

void staged(StagingPool *pool, float *to, const float *from, size_t bytes, cudaStream_t s) {
  void *block = staging_take(pool, bytes);
  memcpy(block, from, bytes);
  cudaMemcpyAsync(to, block, bytes, cudaMemcpyHostToDevice, s);
  staging_give(pool, block);  // expect: freed-in-flight
}

void staged_ok(StagingPool *pool, float *to, const float *from, size_t bytes, cudaStream_t s) {
  void *block = staging_take(pool, bytes);
  memcpy(block, from, bytes);
  cudaMemcpyAsync(to, block, bytes, cudaMemcpyHostToDevice, s);
  cudaStreamSynchronize(s);
  staging_give(pool, block);
}

class Block {
  Scratch &pool_;
  void *block_;

 public:
  Block(Scratch &pool, size_t bytes) : pool_(pool), block_(pool.take(bytes)) {}
  Block(const Block &) = delete;
  ~Block() { pool_.give(block_); }
  float *get() const { return static_cast<float *>(block_); }
};

void round_robin(Scratch &pool, const float *in, float *out, int n, const cudaStream_t *streams, int count) {
  for (int i = 0; i < count; ++i) {
    Block scratch(pool, n * sizeof(float));
    step<<<(n + 255) / 256, 256, 0, streams[i]>>>(in + i * n, scratch.get(), out + i * n, n);  // expect: freed-in-flight
  }
}

void two_streams(Scratch &pool, const float *in, float *out, int n, cudaStream_t a, cudaStream_t b) {
  float *first = static_cast<float *>(pool.take(n));
  step<<<(n + 255) / 256, 256, 0, a>>>(in, first, out, n);
  pool.give(first);
  float *second = static_cast<float *>(pool.take(n));
  step<<<(n + 255) / 256, 256, 0, b>>>(in + n, second, out + n, n);  // expect: freed-in-flight
  pool.give(second);
}

void one_stream_ok(Scratch &pool, const float *in, float *out, int n, cudaStream_t s, int count) {
  for (int i = 0; i < count; ++i) {
    Block scratch(pool, n * sizeof(float));
    step<<<(n + 255) / 256, 256, 0, s>>>(in + i * n, scratch.get(), out + i * n, n);
  }
}

void pool_each_ok(Scratch *pools, const float *in, float *out, int n, const cudaStream_t *streams, int count) {
  for (int i = 0; i < count; ++i) {
    Block scratch(pools[i], n * sizeof(float));
    step<<<(n + 255) / 256, 256, 0, streams[i]>>>(in + i * n, scratch.get(), out + i * n, n);
  }
}

void untold(const float *q, int n, cudaStream_t home, cudaStream_t side, cudaEvent_t e) {
  Cached block(n, home);
  cudaMemsetAsync(block.data(), 0, n * sizeof(float), home);
  cudaEventRecord(e, home);
  cudaStreamWaitEvent(side, e, 0);
  add<<<(n + 255) / 256, 256, 0, side>>>(block.data(), q, n);  // expect: missing-wait
}

void told_ok(const float *q, int n, cudaStream_t home, cudaStream_t side, cudaEvent_t e) {
  Cached block(n, home);
  cudaMemsetAsync(block.data(), 0, n * sizeof(float), home);
  cudaEventRecord(e, home);
  cudaStreamWaitEvent(side, e, 0);
  block.also_used_on(side);
  add<<<(n + 255) / 256, 256, 0, side>>>(block.data(), q, n);
}

void waited_ok(const float *q, int n, cudaStream_t home, cudaStream_t side, cudaEvent_t e) {
  Cached block(n, home);
  cudaMemsetAsync(block.data(), 0, n * sizeof(float), home);
  cudaEventRecord(e, home);
  cudaStreamWaitEvent(side, e, 0);
  add<<<(n + 255) / 256, 256, 0, side>>>(block.data(), q, n);
  cudaEventRecord(e, side);
  cudaStreamWaitEvent(home, e, 0);
}
