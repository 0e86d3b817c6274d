// SPDX-License-Identifier: Apache-2.0
#include <guardrt/guardrt.hpp>

int main()
{
    grt::device device = grt::device::open(GRT_BACKEND_HOST);
    grt::stream stream = device.create_stream();
    grt::buffer<float> buffer(stream, 100);
    auto guard = grt::acquire_read(stream, buffer.all());
    if (guard.pointer() != buffer.all().address() || buffer.size() != 100)
        return 1;
    try {
        buffer.all().slice(1, 100);
    } catch (const grt::error &caught) {
        return caught.status() == GRT_OUT_OF_RANGE ? 0 : 2;
    }
    return 3;
}
