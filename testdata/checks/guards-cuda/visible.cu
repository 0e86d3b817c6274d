// SPDX-License-Identifier: Apache-2.0
// Classes whose definitions say what they do.
#include "gpulib.h"

void unique_temporary(float* out, int n, cudaStream_t s) {
  float* in = gpu::make_owned(64).get();  // expect: temporary-owner
  twice<<<n / 256, 256, 0, s>>>(in, out, n);
}

void unique_released_ok(float* out, int n, cudaStream_t s) {
  float* in = gpu::make_owned(64).release();
  twice<<<n / 256, 256, 0, s>>>(in, out, n);
  cudaStreamSynchronize(s);
  cudaFree(in);
}

void unique_scope(float* out, int n, cudaStream_t s) {
  float* in = nullptr;
  if (gpu::Owned o = gpu::make_owned(64)) in = o.get();
  twice<<<n / 256, 256, 0, s>>>(in, out, n);  // expect: released-before-launch
}

void unique_reset(float* out, int n, cudaStream_t s) {
  gpu::Owned o = gpu::make_owned(64);
  float* in = o.get();
  o.reset();
  twice<<<n / 256, 256, 0, s>>>(in, out, n);  // expect: guard-overwritten
}

void unique_moved_ok(float* out, int n, cudaStream_t s) {
  gpu::Owned o = gpu::make_owned(64);
  float* in = o.get();
  gpu::Owned other = std::move(o);
  twice<<<n / 256, 256, 0, s>>>(in, out, n);
  cudaStreamSynchronize(s);
}

void pair_dropped(const gpu::Buffer& b, float* out, int n, cudaStream_t s) {
  const float* in = gpu::open(b, s).ptr;  // expect: temporary-owner
  twice<<<n / 256, 256, 0, s>>>(in, out, n);
}

void pair_kept_ok(const gpu::Buffer& b, float* out, int n, cudaStream_t s) {
  auto [in, guard] = gpu::open(b, s);
  twice<<<n / 256, 256, 0, s>>>(in, out, n);
}

void pair_scope(const gpu::Buffer& b, float* out, int n, cudaStream_t s) {
  const float* in = nullptr;
  {
    auto [p, guard] = gpu::open(b, s);
    in = p;
  }
  twice<<<n / 256, 256, 0, s>>>(in, out, n);  // expect: released-before-launch
}

void regrown(gpu::OwnedBuffer& b, float* out, int n, int need, cudaStream_t s) {
  const float* in = b.get();
  if (need > n) b = gpu::OwnedBuffer(need);
  twice<<<n / 256, 256, 0, s>>>(in, out, n);  // expect: guard-overwritten
}

void regrown_ok(gpu::OwnedBuffer& b, float* out, int n, int need, cudaStream_t s) {
  if (need > n) b = gpu::OwnedBuffer(need);
  const float* in = b.get();
  twice<<<n / 256, 256, 0, s>>>(in, out, n);
}

void method_frees(float* out, int n, cudaStream_t s) {
  gpu::OwnedBuffer b(64);
  const float* in = b.get();
  b.reset();
  twice<<<n / 256, 256, 0, s>>>(in, out, n);  // expect: released-before-launch
}

struct Holder {
  gpu::OwnedBuffer buffer{64};
  int extra = 0;
};

void member_dies(float* out, int n, cudaStream_t s) {
  const float* in = nullptr;
  {
    Holder h;
    in = h.buffer.get();
  }
  twice<<<n / 256, 256, 0, s>>>(in, out, n);  // expect: released-before-launch
}

void member_lives_ok(float* out, int n, cudaStream_t s) {
  Holder h;
  twice<<<n / 256, 256, 0, s>>>(h.buffer.get(), out, n);
  cudaStreamSynchronize(s);
}

struct Timer {  // records at both ends, guards nothing
  cudaEvent_t start, stop;
  cudaStream_t stream;
  Timer(cudaEvent_t a, cudaEvent_t b, cudaStream_t s) : start(a), stop(b), stream(s) { cudaEventRecord(start, stream); }
  ~Timer() { cudaEventRecord(stop, stream); }
};

void timer_ok(const float* in, float* out, int n, cudaEvent_t a, cudaEvent_t b, cudaStream_t s) {
  {
    Timer t(a, b, s);
    twice<<<n / 256, 256, 0, s>>>(in, out, n);
  }
  twice<<<n / 256, 256, 0, s>>>(in, out, n);
}
