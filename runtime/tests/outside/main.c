/* SPDX-License-Identifier: Apache-2.0 */
#include <guardrt/guardrt.h>

#include <stdio.h>

int main(void)
{
    grt_device *device;
    if (grt_version() != GRT_VERSION_MAJOR * 1000000 + GRT_VERSION_MINOR * 1000 + GRT_VERSION_PATCH)
        return 1;
    if (grt_device_open(GRT_BACKEND_HOST, 0, &device) != GRT_OK)
        return 2;
    puts(grt_device_describe(device).name);
    return grt_device_close(device) == GRT_OK ? 0 : 3;
}
