// SPDX-License-Identifier: Apache-2.0
// Runs the foreign launches of all kernels on a CUDA device; says so when there is none.
#include "foreign.h"

#include <cstdio>

#define GK_KERNEL(name, parameters) bool foreign_##name(const foreign::stage &on);
#include "kernels.def"
#undef GK_KERNEL

static const struct {
    const char *name;
    bool (*run)(const foreign::stage &on);
} examples[] = {
#define GK_KERNEL(name, parameters) {#name, foreign_##name},
#include "kernels.def"
#undef GK_KERNEL
};

int main()
{
    grt_device *opened = nullptr;
    if (grt_device_open(GRT_BACKEND_CUDA, 0, &opened) != GRT_OK) {
        std::printf("GPU: skipped, no CUDA device (%s)\n", grt_error_detail());
        return 77;
    }
    bool right = true;
    try {
        foreign::stage on{grt::device(opened), {}, {}};
        on.decoding = on.device.create_stream();
        on.copying = on.device.create_stream();
        for (const auto &example : examples) {
            bool is_right = example.run(on);
            std::printf("%s: %s\n", example.name, is_right ? "right" : "WRONG");
            right &= is_right;
        }
    } catch (const std::exception &error) {
        std::printf("%s\n", error.what());
        return 1;
    }
    return right ? 0 : 1;
}
