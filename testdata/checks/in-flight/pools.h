// SPDX-License-Identifier: Apache-2.0
// Pools and owners that are only declared; pools.yaml says what they do.
#pragma once
#include <cuda_runtime.h>

struct StagingPool;
void *staging_take(StagingPool *pool, size_t bytes);  // pinned memory
void staging_give(StagingPool *pool, void *block);    // may be taken again at once

class Scratch {  // device memory, a block may be taken again at once
 public:
  void *take(size_t bytes);
  void give(void *block);
};

class Cached {  // reused in the order of its home stream
  float *data_;

 public:
  Cached(size_t count, cudaStream_t home);
  Cached(const Cached &) = delete;
  ~Cached();
  float *data() const { return data_; }
  void also_used_on(cudaStream_t stream);
};

template <class T>
struct PinnedAllocator {
  using value_type = T;
  T *allocate(size_t count);
  void deallocate(T *block, size_t count);
};
