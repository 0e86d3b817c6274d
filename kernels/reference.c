// SPDX-License-Identifier: Apache-2.0
// Frame of reference in place: host twin of reference.cu and its launch.
#include "library.h"

#define TWIN(name, type)                                                                                     \
    static void twin_##name(const grt_config *config, void *const *arguments)                                \
    {                                                                                                        \
        (void)config;                                                                                        \
        type *values = GK_ARGUMENT(type *, 0);                                                               \
        type reference = GK_ARGUMENT(type, 1);                                                               \
        uint64_t count = GK_ARGUMENT(uint64_t, 2);                                                           \
        for (uint64_t i = 0; i < count; i++)                                                                 \
            values[i] = (type)(values[i] + reference);                                                       \
    }

TWIN(u8, uint8_t)
TWIN(u16, uint16_t)
TWIN(u32, uint32_t)
TWIN(u64, uint64_t)

static const grt_host_entry entries[] = {{"gk_reference_u8", twin_u8},
                                         {"gk_reference_u16", twin_u16},
                                         {"gk_reference_u32", twin_u32},
                                         {"gk_reference_u64", twin_u64}};
GK_TABLE(reference, entries);

grt_status gk_reference(gk_library *library, grt_stream *stream, gk_type type, uint64_t reference,
                        grt_view values)
{
    if (!gk_is_unsigned(type) || !gk_view_fits(values, type))
        return GRT_INVALID_ARGUMENT;
    uint64_t count = values.size / gk_type_size(type);
    if (count == 0)
        return GRT_OK;
    grt_kernel *kernel;
    grt_status status = gk_kernel_get(library, GK_ID_reference, type, &kernel);
    if (status != GRT_OK)
        return status;
    gk_number added = gk_number_integer(type, reference);
    return grt_launch(stream, kernel, gk_config_packs(values.size), GRT_UPDATE(values),
                      gk_number_argument(&added, type), GRT_VALUE(count));
}
