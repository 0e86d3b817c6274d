/* SPDX-License-Identifier: Apache-2.0 */
/* Launches: follow what conflicts, launch, publish. */
#include "check/check.h"
#include "kernel.h"
#include "order.h"
#include "stream.h"

enum { MAX_ARGUMENTS = 64, MAX_VALUE_BYTES = 4096, MODE_BITS = 3, HIDDEN_BIT = 8 };

/* What the driver gets: as kernelParams, with the sizes that the host backend needs to copy values. */
typedef struct launch_plan {
    size_t count;
    void *arguments[MAX_ARGUMENTS];
    size_t sizes[MAX_ARGUMENTS];
    void *addresses[MAX_ARGUMENTS];
} launch_plan;

static inline grt_mode arg_mode(const grt_arg *arg)
{
    return (grt_mode)((unsigned)arg->kind & MODE_BITS);
}

static inline bool arg_is_hidden(const grt_arg *arg)
{
    return ((unsigned)arg->kind & HIDDEN_BIT) != 0;
}

static grt_status plan_value(launch_plan *plan, const grt_arg *arg, size_t *value_bytes)
{
    *value_bytes += arg->as.value.size;
    if (GRT_UNLIKELY(arg->kind != GRT_ARG_VALUE || !arg->as.value.data || *value_bytes > MAX_VALUE_BYTES))
        return grt_fail(GRT_INVALID_ARGUMENT, "argument %zu is neither a view nor a value of reasonable size",
                        plan->count);
    union {
        const void *from;
        void *as_driver_wants; /* kernelParams is not const-correct; the driver only reads */
    } data = {arg->as.value.data};
    plan->arguments[plan->count] = data.as_driver_wants;
    plan->sizes[plan->count++] = arg->as.value.size;
    return GRT_OK;
}

static void plan_view(launch_plan *plan, const grt_arg *arg)
{
    plan->addresses[plan->count] = grt_view_pointer(&arg->as.view);
    plan->arguments[plan->count] = &plan->addresses[plan->count];
    plan->sizes[plan->count++] = sizeof(void *);
}

/* Walks the arguments once: each is made to be followed, and laid out for the driver. */
static grt_status launch_prepare(grt_stream *stream, size_t count, const grt_arg *args, launch_plan *plan)
{
    size_t value_bytes = 0;
    plan->count = 0;
    plan->arguments[0] = NULL; /* a kernel without arguments still gets a list */
    plan->sizes[0] = 0;
    for (size_t i = 0; i < count; i++) {
        grt_mode mode = arg_mode(&args[i]);
        grt_status status;
        if (mode) {
            status = grt_order_begin(stream, &args[i].as.view, mode);
            if (GRT_LIKELY(status == GRT_OK && !arg_is_hidden(&args[i])))
                plan_view(plan, &args[i]);
        } else {
            status = plan_value(plan, &args[i], &value_bytes);
        }
        if (GRT_UNLIKELY(status != GRT_OK))
            return status;
    }
    return GRT_OK;
}

GRT_COLD static void launch_poison(size_t count, const grt_arg *args)
{
    for (size_t i = 0; i < count; i++)
        if (arg_mode(&args[i]))
            grt_order_poison(&args[i].as.view, arg_mode(&args[i]));
}

/* The kernel is in the stream. If its end could not be recorded, its number still stands for it (frees must
 * follow it), but nobody may go on with what it writes. */
static grt_status launch_publish(grt_stream *stream, size_t count, const grt_arg *args)
{
    grt_status status = grt_stream_advance(stream);
    for (size_t i = 0; i < count; i++) {
        grt_mode mode = arg_mode(&args[i]);
        if (!mode)
            continue;
        grt_status published = grt_order_publish(stream, &args[i].as.view, mode);
        if (GRT_UNLIKELY(published != GRT_OK))
            status = published;
    }
    if (GRT_UNLIKELY(status != GRT_OK))
        launch_poison(count, args);
    return status;
}

static inline uint32_t at_least_one(uint32_t n)
{
    return n + (n == 0);
}

static inline grt_status launch_locked(grt_stream *stream, grt_kernel *kernel, const grt_config *config,
                                       size_t count, const grt_arg *args)
{
    grt_device *device = stream->device;
    launch_plan plan;
    grt_status status = launch_prepare(stream, count, args, &plan);
    if (GRT_UNLIKELY(status != GRT_OK))
        return status;
    status = device->ops->launch(device->driver, stream->native, kernel->function, config, plan.count,
                                 plan.arguments, plan.sizes);
    if (GRT_UNLIKELY(status != GRT_OK)) {
        launch_poison(count, args);
        return status;
    }
    device->stats.launches++;
    return launch_publish(stream, count, args);
}

GRT_COLD static grt_status launch_checked(const char *site, grt_stream *stream, grt_kernel *kernel,
                                          const grt_config *config, size_t count, const grt_arg *args)
{
    uint64_t sums[MAX_ARGUMENTS];
    for (size_t i = 0; i < count; i++) {
        grt_mode mode = arg_mode(&args[i]);
        grt_status status = mode ? grt_order_begin(stream, &args[i].as.view, mode) : GRT_OK;
        if (status != GRT_OK)
            return status;
    }
    grt_check_launch(stream, site, count, args);
    grt_check_launch_begin(stream, count, args, sums);
    grt_status status = launch_locked(stream, kernel, config, count, args);
    if (status == GRT_OK)
        grt_check_launch_end(stream, site, count, args, sums);
    return status;
}

/* Called when a launch found a buffer of a device with another lock. */
GRT_COLD static grt_status launch_join_devices(grt_stream *stream, size_t count, const grt_arg *args)
{
    for (size_t i = 0; i < count; i++) {
        if (!arg_mode(&args[i]) || !args[i].as.view.buffer)
            continue;
        grt_status status = grt_device_join(stream->device, args[i].as.view.buffer->device);
        if (status != GRT_OK)
            return status;
    }
    return GRT_OK;
}

static inline grt_status launch_under_lock(const char *site, grt_stream *stream, grt_kernel *kernel,
                                           const grt_config *config, size_t count, const grt_arg *args)
{
    grt_device_lock(stream->device);
    grt_status status = grt_device_checked(stream->device)
                            ? launch_checked(site, stream, kernel, config, count, args)
                            : launch_locked(stream, kernel, config, count, args);
    grt_device_unlock(stream->device);
    return status;
}

GRT_FLAT grt_status grt_launch_at(const char *site, grt_stream *stream, grt_kernel *kernel, grt_config config,
                                  size_t count, const grt_arg *args)
{
    if (GRT_UNLIKELY(!stream || !kernel || count > MAX_ARGUMENTS || (count > 0 && !args)))
        return grt_fail(GRT_INVALID_ARGUMENT,
                        "stream, kernel or args is NULL, or there are more than %d arguments", MAX_ARGUMENTS);
    grt_status status;
    do
        status = launch_under_lock(site, stream, kernel, &config, count, args);
    while (GRT_UNLIKELY(status == GRT_APART) &&
           (status = launch_join_devices(stream, count, args)) == GRT_OK);
    return status;
}

grt_status grt_launch_raw_at(const char *site, grt_stream *stream, grt_kernel *kernel, grt_config config,
                             size_t count, void *const *arguments, const size_t *sizes)
{
    if (!stream || !kernel || count > MAX_ARGUMENTS || (count > 0 && (!arguments || !sizes)))
        return grt_fail(GRT_INVALID_ARGUMENT, "an argument is NULL, or there are more than %d",
                        MAX_ARGUMENTS);
    grt_device *device = stream->device;
    grt_device_lock(device);
    if (grt_device_checked(device))
        grt_check_raw(stream, site, count, arguments, sizes);
    grt_status status = device->ops->launch(device->driver, stream->native, kernel->function, &config, count,
                                            arguments, sizes);
    device->stats.launches += status == GRT_OK;
    grt_device_unlock(device);
    return status;
}

grt_config grt_config_linear(uint64_t items, uint32_t block)
{
    block = at_least_one(block);
    uint64_t blocks = (items + block - 1) / block;
    return (grt_config){.grid = {at_least_one((uint32_t)blocks), 1, 1}, .block = {block, 1, 1}};
}
