// SPDX-License-Identifier: Apache-2.0
// Zigzag decoding in place: host twin of zigzag.cu and its launch.
#include "library.h"

#define TWIN(name, type)                                                                                     \
    static void twin_##name(const grt_config *config, void *const *arguments)                                \
    {                                                                                                        \
        (void)config;                                                                                        \
        type *values = GK_ARGUMENT(type *, 0);                                                               \
        uint64_t count = GK_ARGUMENT(uint64_t, 1);                                                           \
        for (uint64_t i = 0; i < count; i++)                                                                 \
            values[i] = (type)((values[i] >> 1) ^ (values[i] & 1 ? (type) - 1 : 0));                         \
    }

TWIN(u8, uint8_t)
TWIN(u16, uint16_t)
TWIN(u32, uint32_t)
TWIN(u64, uint64_t)

static const grt_host_entry entries[] = {{"gk_zigzag_u8", twin_u8},
                                         {"gk_zigzag_u16", twin_u16},
                                         {"gk_zigzag_u32", twin_u32},
                                         {"gk_zigzag_u64", twin_u64}};
GK_TABLE(zigzag, entries);

grt_status gk_zigzag(gk_library *library, grt_stream *stream, gk_type type, grt_view values)
{
    if (!gk_is_unsigned(type) || !gk_view_fits(values, type))
        return GRT_INVALID_ARGUMENT;
    uint64_t count = values.size / gk_type_size(type);
    if (count == 0)
        return GRT_OK;
    grt_kernel *kernel;
    grt_status status = gk_kernel_get(library, GK_ID_zigzag, type, &kernel);
    if (status != GRT_OK)
        return status;
    return grt_launch(stream, kernel, gk_config_packs(values.size), GRT_UPDATE(values), GRT_VALUE(count));
}
