// SPDX-License-Identifier: Apache-2.0
// ALP decoding in place: host twins of alp.cu and its launch.
#include "library.h"

#define TWIN(name, type, integer)                                                                            \
    static void patch_##name(void *const *arguments, type *values, uint64_t count)                           \
    {                                                                                                        \
        const uint32_t *starts = GK_ARGUMENT(const uint32_t *, 4);                                           \
        const uint16_t *positions = GK_ARGUMENT(const uint16_t *, 5);                                        \
        const type *exceptions = GK_ARGUMENT(const type *, 6);                                               \
        uint32_t exception_count = GK_ARGUMENT(uint32_t, 7);                                                 \
        for (uint64_t block = 0; block < GK_BLOCKS(count); block++) {                                        \
            uint32_t end = starts[block + 1] < exception_count ? starts[block + 1] : exception_count;        \
            for (uint64_t i = starts[block]; i < end; i++) {                                                 \
                uint64_t at = block * GK_BLOCK + positions[i] % GK_BLOCK;                                    \
                if (at < count)                                                                              \
                    values[at] = exceptions[i];                                                              \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    static void twin_##name(const grt_config *config, void *const *arguments)                                \
    {                                                                                                        \
        (void)config;                                                                                        \
        union {                                                                                              \
            integer encoded;                                                                                 \
            type decoded;                                                                                    \
        } *values = GK_ARGUMENT(void *, 0);                                                                  \
        uint64_t count = GK_ARGUMENT(uint64_t, 1);                                                           \
        type up = GK_ARGUMENT(type, 2);                                                                      \
        type down = GK_ARGUMENT(type, 3);                                                                    \
        for (uint64_t i = 0; i < count; i++)                                                                 \
            values[i].decoded = (type)values[i].encoded * up * down;                                         \
        if (GK_ARGUMENT(uint32_t, 7) != 0)                                                                   \
            patch_##name(arguments, &values->decoded, count);                                                \
    }

TWIN(f32, float, int32_t)
TWIN(f64, double, int64_t)

static const grt_host_entry entries[] = {{"gk_alp_f32", twin_f32}, {"gk_alp_f64", twin_f64}};
GK_TABLE(alp, entries);

unsigned gk_alp_digits(gk_type type)
{
    return type == GK_F32 ? 10 : 18;
}

double gk_alp_power(int exponent)
{
    static const double up[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                                1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
    static const double down[] = {1e0,   1e-1,  1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7,  1e-8, 1e-9,
                                  1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17, 1e-18};
    return exponent < 0 ? down[-exponent] : up[exponent];
}

static bool exceptions_fit(const gk_exceptions *exceptions, gk_type type, uint64_t count)
{
    return gk_view_fits(exceptions->starts, GK_U32) && gk_view_fits(exceptions->positions, GK_U16) &&
           gk_view_fits(exceptions->values, type) &&
           exceptions->starts.size / sizeof(uint32_t) >= GK_BLOCKS(count) + 1 &&
           exceptions->positions.size / sizeof(uint16_t) == exceptions->values.size / gk_type_size(type) &&
           exceptions->positions.size / sizeof(uint16_t) <= UINT32_MAX;
}

grt_status gk_alp(gk_library *library, grt_stream *stream, gk_type type, unsigned exponent, unsigned factor,
                  const gk_exceptions *exceptions, grt_view values)
{
    if ((type != GK_F32 && type != GK_F64) || exponent > gk_alp_digits(type) || factor > exponent ||
        !gk_view_fits(values, type))
        return GRT_INVALID_ARGUMENT;
    uint64_t count = values.size / gk_type_size(type);
    if (exceptions && !exceptions_fit(exceptions, type, count))
        return GRT_INVALID_ARGUMENT;
    if (count == 0)
        return GRT_OK;
    grt_kernel *kernel;
    grt_status status = gk_kernel_get(library, GK_ID_alp, type == GK_F32 ? 0 : 1, &kernel);
    if (status != GRT_OK)
        return status;
    gk_number up = gk_number_real(type, gk_alp_power((int)factor));
    gk_number down = gk_number_real(type, gk_alp_power(-(int)exponent));
    const void *none = NULL;
    uint32_t exception_count = exceptions ? (uint32_t)(exceptions->positions.size / sizeof(uint16_t)) : 0;
    bool any = exception_count != 0;
    return grt_launch(stream, kernel, gk_config_packs(values.size), GRT_UPDATE(values), GRT_VALUE(count),
                      gk_number_argument(&up, type), gk_number_argument(&down, type),
                      any ? GRT_READ(exceptions->starts) : GRT_VALUE(none),
                      any ? GRT_READ(exceptions->positions) : GRT_VALUE(none),
                      any ? GRT_READ(exceptions->values) : GRT_VALUE(none), GRT_VALUE(exception_count));
}
