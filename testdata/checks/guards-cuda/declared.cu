// SPDX-License-Identifier: Apache-2.0
// Classes known by rule.
#include "gpulib.h"

void scoped(const gpu::Buffer& b, float* out, int n, cudaStream_t s) {
  const float* in;
  {
    gpu::ReadLease l(b, s);
    in = l.pointer();
  }
  twice<<<n / 256, 256, 0, s>>>(in, out, n);  // expect: released-before-launch
}

void scoped_ok(const gpu::Buffer& b, float* out, int n, cudaStream_t s) {
  gpu::ReadLease l(b, s);
  twice<<<n / 256, 256, 0, s>>>(l.pointer(), out, n);
}

void temporary(const gpu::Buffer& b, float* out, int n, cudaStream_t s) {
  const float* in = gpu::ReadLease(b, s).pointer();  // expect: temporary-owner
  twice<<<n / 256, 256, 0, s>>>(in, out, n);
}

void temporary_from_factory(const gpu::Buffer& b, float* out, int n, cudaStream_t s) {
  const float* in = gpu::lease(b, s).pointer();  // expect: temporary-owner
  twice<<<n / 256, 256, 0, s>>>(in, out, n);
}

void temporary_in_the_launch_ok(const gpu::Buffer& b, float* out, int n, cudaStream_t s) {
  twice<<<n / 256, 256, 0, s>>>(gpu::lease(b, s).pointer(), out, n);
}

void lifetime_extended_ok(const gpu::Buffer& b, float* out, int n, cudaStream_t s) {
  const gpu::ReadLease& l = gpu::lease(b, s);
  twice<<<n / 256, 256, 0, s>>>(l.pointer(), out, n);
}

void unnamed(const gpu::Buffer& b, float* in, float* out, int n, cudaStream_t s) {
  gpu::ReadLease(b, s);  // expect: unnamed-guard
  twice<<<n / 256, 256, 0, s>>>(in, out, n);
}

void unnamed_factory(const gpu::Buffer& b, float* in, float* out, int n, cudaStream_t s) {
  gpu::lease(b, s);  // expect: unnamed-guard
  twice<<<n / 256, 256, 0, s>>>(in, out, n);
}

void reassigned(const gpu::Buffer& a, const gpu::Buffer& b, float* out, int n, cudaStream_t s) {
  gpu::ReadLease l(a, s);
  const float* in = l.pointer();
  l = gpu::ReadLease(b, s);
  twice<<<n / 256, 256, 0, s>>>(in, out, n);  // expect: guard-overwritten
}

void moved_on_ok(const gpu::Buffer& b, float* out, int n, cudaStream_t s) {
  gpu::ReadLease first(b, s);
  const float* in = first.pointer();
  gpu::ReadLease second = std::move(first);
  twice<<<n / 256, 256, 0, s>>>(in, out, n);
}

void early_return_ok(const gpu::Buffer& b, float* out, int n, cudaStream_t s) {
  gpu::ReadLease l(b, s);
  if (n == 0) return;
  twice<<<n / 256, 256, 0, s>>>(l.pointer(), out, n);
}

void owner_temporary(const gpu::Array& a, float* out, int n, cudaStream_t s) {
  const float* in = a.dense().data();  // expect: temporary-owner
  twice<<<n / 256, 256, 0, s>>>(in, out, n);
}

void owner_value_ok(const gpu::Array& a, float* in, float* out, cudaStream_t s) {
  int n = static_cast<int>(a.dense().size());  // a number, not a pointer
  twice<<<n / 256, 256, 0, s>>>(in, out, n);
}

void consumed(gpu::Array a, float* out, int n, cudaStream_t s) {
  float* in = a.data();
  gpu::consume(std::move(a));
  twice<<<n / 256, 256, 0, s>>>(in, out, n);  // expect: released-before-launch
}

void in_lambda(const gpu::Buffer& b, float* out, int n, cudaStream_t s) {
  auto take = [&](const gpu::Buffer& from) {
    gpu::ReadLease l(from, s);
    return l.pointer();
  };
  const float* in = take(b);
  twice<<<n / 256, 256, 0, s>>>(in, out, n);  // expect: released-before-launch
}

void in_lambda_ok(const gpu::Buffer& b, float* out, int n, cudaStream_t s) {
  gpu::ReadLease l(b, s);
  auto go = [&, in = l.pointer()](int count) { twice<<<count / 256, 256, 0, s>>>(in, out, count); };
  go(n);
}

void conditional_scope(const gpu::Buffer& b, float* out, int n, cudaStream_t s) {
  const float* in = out;
  if (gpu::ReadLease l(b, s); n > 3) in = l.pointer();
  if (n > 3) twice<<<n / 256, 256, 0, s>>>(in, out, n);  // expect: released-before-launch
}

void try_block_ok(const gpu::Buffer& b, float* out, int n, cudaStream_t s) {
  gpu::ReadLease l(b, s);
  try {
    if (n < 0) throw n;
    twice<<<n / 256, 256, 0, s>>>(l.pointer(), out, n);
  } catch (int) {
    twice<<<1, 256, 0, s>>>(l.pointer(), out, 1);
  }
}

template <class T>
void in_template(const gpu::Buffer& b, T* out, int n, cudaStream_t s) {
  const float* in = nullptr;
  {
    gpu::ReadLease l(b, s);
    in = l.pointer();
  }
  twice<<<n / 256, 256, 0, s>>>(in, out, n);  // expect: released-before-launch
}
