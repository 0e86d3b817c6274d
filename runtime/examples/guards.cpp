// SPDX-License-Identifier: Apache-2.0
//
// The correct pattern in C++: guards are scopes around the enqueue.

#include <guardrt/guardrt.hpp>

#include <cstdio>

namespace
{

void increment(const grt_config *, void *const *arguments)
{
    int *values = *static_cast<int *const *>(arguments[0]);
    int count = *static_cast<const int *>(arguments[1]);
    for (int i = 0; i < count; i++)
        values[i]++;
}

const grt_host_entry kernels[] = {{"increment", increment}};

// Another library's call, which takes a native stream and a pointer.
void library_call(const grt::stream &on, grt_kernel *kernel, int *values, int count)
{
    void *arguments[] = {&values, &count};
    const std::size_t sizes[] = {sizeof(values), sizeof(count)};
    grt::check(grt_launch_raw(on.get(), kernel, grt_config_linear(1, 1), 2, arguments, sizes));
}

int compute(const grt::device &device, grt_kernel *kernel)
{
    const int count = 1000;
    grt::stream first = device.create_stream(), second = device.create_stream();
    grt::buffer<int> values = grt::buffer<int>::pinned(device, count);
    {
        auto host = grt::acquire_host_write(values.all());
        for (int i = 0; i < count; i++)
            host.pointer()[i] = i;
    }
    grt::launch(first, kernel, grt_config_linear(count, 256), grt::updates(values.all()), count);
    {
        auto guard = grt::acquire_update(second, values.all());
        library_call(second, kernel, guard.pointer(), count);
    } // released after the enqueue
    auto host = grt::acquire_host_read(values.all());
    return host.pointer()[count - 1];
}

} // namespace

int main()
{
    grt::device device = grt::device::open(GRT_BACKEND_HOST);
    grt_module_desc desc{nullptr, kernels, 1};
    grt_module *module = nullptr;
    grt_kernel *kernel = nullptr;
    grt::check(grt_module_load(device.get(), &desc, &module));
    grt::check(grt_module_kernel(module, "increment", &kernel));
    int last = compute(device, kernel);
    std::printf("%d\n", last);
    grt::check(grt_module_unload(module));
    return last == 1001 ? 0 : 1;
}
