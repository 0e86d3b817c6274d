// SPDX-License-Identifier: Apache-2.0
//
// Beside the CUDA runtime API: its streams and memory are wrapped, its <<<>>> launches run under guards. The
// device's primary context is shared. Exit 77: there is no GPU.

#include <guardrt/guardrt.hpp>

#include <cstdio>
#include <vector>

__global__ void scale(float *values, float factor, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        values[i] *= factor;
}

static void require(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

static float compute(const grt::device &device, cudaStream_t native, float *memory, int count)
{
    grt::stream theirs = device.wrap_stream(native), ours = device.create_stream();
    grt_buffer *wrapped = nullptr;
    grt::check(grt_buffer_wrap(device.get(), memory, count * sizeof(float), nullptr, nullptr, &wrapped));
    grt::buffer<float> values(wrapped);
    for (int i = 0; i < 10; i++) {
        const grt::stream &on = i % 2 ? theirs : ours;
        auto guard = grt::acquire_update(on, values.all());
        scale<<<(count + 255) / 256, 256, 0, static_cast<cudaStream_t>(on.native())>>>(guard.pointer(), 2.0f,
                                                                                       count);
        require(cudaGetLastError());
    } // each guard is released after its launch
    float last = 0;
    grt::check(grt_download(ours.get(), &last, values.all().slice(count - 1, 1).bytes()));
    ours.synchronize();
    theirs.synchronize();
    return last;
}

int main()
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::printf("skipped: no CUDA device\n");
        return 77;
    }
    const int count = 1 << 20;
    cudaStream_t stream;
    float *memory = nullptr;
    require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    require(cudaMalloc(&memory, count * sizeof(float)));
    std::vector<float> ones(count, 1.0f);
    require(cudaMemcpy(memory, ones.data(), count * sizeof(float), cudaMemcpyHostToDevice));
    require(cudaDeviceSynchronize());
    float last = 0;
    {
        grt::device device = grt::device::open(GRT_BACKEND_CUDA);
        last = compute(device, stream, memory, count);
    }
    require(cudaFree(memory));
    require(cudaStreamDestroy(stream));
    std::printf("%g\n", last);
    return last == 1024.0f ? 0 : 1;
}
