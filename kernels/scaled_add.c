// SPDX-License-Identifier: Apache-2.0
// Scaled add: host twin of scaled_add.cu and its launch.
#include "library.h"

#include <math.h>

#define TWIN(name, type, fused)                                                                              \
    static void twin_##name(const grt_config *config, void *const *arguments)                                \
    {                                                                                                        \
        (void)config;                                                                                        \
        type *y = GK_ARGUMENT(type *, 0);                                                                    \
        const type *x = GK_ARGUMENT(const type *, 1);                                                        \
        type factor = GK_ARGUMENT(type, 2);                                                                  \
        uint64_t count = GK_ARGUMENT(uint64_t, 3);                                                           \
        for (uint64_t i = 0; i < count; i++)                                                                 \
            y[i] = fused(factor, x[i], y[i]);                                                                \
    }

TWIN(f32, float, fmaf)
TWIN(f64, double, fma)

static const grt_host_entry entries[] = {{"gk_scaled_add_f32", twin_f32}, {"gk_scaled_add_f64", twin_f64}};
GK_TABLE(scaled_add, entries);

grt_status gk_scaled_add(gk_library *library, grt_stream *stream, gk_type type, grt_view y, grt_view x,
                         double factor)
{
    if ((type != GK_F32 && type != GK_F64) || x.size != y.size || !gk_view_fits(x, type) ||
        !gk_view_fits(y, type))
        return GRT_INVALID_ARGUMENT;
    uint64_t count = y.size / gk_type_size(type);
    if (count == 0)
        return GRT_OK;
    grt_kernel *kernel;
    grt_status status = gk_kernel_get(library, GK_ID_scaled_add, type == GK_F32 ? 0 : 1, &kernel);
    if (status != GRT_OK)
        return status;
    gk_number by = gk_number_real(type, factor);
    return grt_launch(stream, kernel, gk_config_packs(y.size), GRT_UPDATE(y), GRT_READ(x),
                      gk_number_argument(&by, type), GRT_VALUE(count));
}
