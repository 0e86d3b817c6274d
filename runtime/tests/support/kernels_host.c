/* SPDX-License-Identifier: Apache-2.0 */
/* The twins of kernels.cu. */
#include "kernels.h"

#include <stdatomic.h>
#include <time.h>

static atomic_bool holding = true;

void test_kernels_hold(bool hold)
{
    atomic_store(&holding, hold);
}

static void hold(uint32_t micros)
{
    struct timespec time = {.tv_sec = micros / 1000000, .tv_nsec = micros % 1000000 * 1000L};
    if (micros > 0 && atomic_load(&holding))
        nanosleep(&time, NULL);
}

static uint32_t *words(void *const *arguments, int at)
{
    return *(uint32_t *const *)arguments[at];
}

static uint32_t word(void *const *arguments, int at)
{
    return *(const uint32_t *)arguments[at];
}

static void word_fill(const grt_config *config, void *const *arguments)
{
    (void)config;
    uint32_t *to = words(arguments, 0), value = word(arguments, 1), count = word(arguments, 2);
    hold(word(arguments, 3));
    for (uint32_t i = 0; i < count; i++)
        to[i] = value;
}

static void word_copy(const grt_config *config, void *const *arguments)
{
    (void)config;
    uint32_t *to = words(arguments, 0), count = word(arguments, 2);
    const uint32_t *from = words(arguments, 1);
    hold(word(arguments, 3));
    for (uint32_t i = 0; i < count; i++)
        to[i] = from[i];
}

static void word_add(const grt_config *config, void *const *arguments)
{
    (void)config;
    uint32_t *to = words(arguments, 0), value = word(arguments, 1), count = word(arguments, 2);
    hold(word(arguments, 3));
    for (uint32_t i = 0; i < count; i++)
        to[i] += value;
}

static void word_sum3(const grt_config *config, void *const *arguments)
{
    (void)config;
    uint32_t *to = words(arguments, 0), count = word(arguments, 4);
    const uint32_t *a = words(arguments, 1), *b = words(arguments, 2), *c = words(arguments, 3);
    for (uint32_t i = 0; i < count; i++)
        to[i] = a[i] + b[i] + c[i];
}

static void word_nothing(const grt_config *config, void *const *arguments)
{
    (void)config;
    (void)arguments;
}

const test_kernel test_kernel_table[] = {
    {"word_fill", word_fill, {8, 4, 4, 4}}, {"word_copy", word_copy, {8, 8, 4, 4}},
    {"word_add", word_add, {8, 4, 4, 4}},   {"word_sum3", word_sum3, {8, 8, 8, 8, 4}},
    {"word_nothing", word_nothing, {0}},
};

const size_t test_kernel_count = sizeof(test_kernel_table) / sizeof(test_kernel_table[0]);

static const grt_host_entry entries[] = {
    {"word_fill", word_fill}, {"word_copy", word_copy},       {"word_add", word_add},
    {"word_sum3", word_sum3}, {"word_nothing", word_nothing},
};

#ifdef TEST_KERNELS_IMAGE
/* The compiled kernels, taken in as they are. */
__asm__(".section .rodata\n"
        ".balign 16\n"
        "test_kernels_image:\n"
        ".incbin \"" TEST_KERNELS_IMAGE "\"\n"
        ".byte 0\n"
        ".previous\n");
extern const char test_kernels_image[];
#else
static const char *const test_kernels_image = NULL;
#endif

grt_module_desc test_kernels(void)
{
    return (grt_module_desc){
        .image = test_kernels_image, .host = entries, .host_count = sizeof(entries) / sizeof(entries[0])};
}
