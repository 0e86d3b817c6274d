/* SPDX-License-Identifier: Apache-2.0 */
/* Counts driver calls, fails chosen ones, and passes the others on. */
#include "shim.h"
#include "next.h"

#include <stdatomic.h>
#include <string.h>

#define NEVER INT64_MAX

typedef struct shim_call {
    const char *name;
    void *next;
    atomic_uint_least64_t count;
    atomic_int_least64_t fail_in; /* calls before one fails */
    atomic_int result;
    atomic_bool forever;
} shim_call;

enum {
#define X(name, arguments) INDEX_##name,
#include "cuda/symbols.def"
#undef X
    CALLS
};

static shim_call calls[CALLS] = {
#define X(symbol, arguments) [INDEX_##symbol] = {.name = #symbol, .fail_in = NEVER},
#include "cuda/symbols.def"
#undef X
};

/* Counts down to failure over all functions together. */
static atomic_int_least64_t all_fail_in = NEVER;
static atomic_int all_result;
static atomic_bool all_forever;

static bool due(atomic_int_least64_t *fail_in, const atomic_bool *forever)
{
    int64_t left = atomic_load(fail_in);
    if (left == NEVER)
        return false;
    if (left > 0) {
        atomic_fetch_sub(fail_in, 1);
        return false;
    }
    if (!atomic_load(forever))
        atomic_store(fail_in, NEVER);
    return true;
}

/* Objects end, and contexts are bound, whatever the state of the context is. */
static bool never_fails(const char *name)
{
    static const char *const parts[] = {"Destroy",       "Release",        "Unload",
                                        "Free",          "CtxPop",         "CtxGetCurrent",
                                        "CtxSetCurrent", "CtxPushCurrent", "cuGetErrorName"};
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (strstr(name, parts[i]))
            return true;
    return false;
}

/* The result to return at once, or 0 to go on. */
static int shim_enter(shim_call *call)
{
    atomic_fetch_add(&call->count, 1);
    if (due(&call->fail_in, &call->forever))
        return atomic_load(&call->result);
    if (!never_fails(call->name) && due(&all_fail_in, &all_forever))
        return atomic_load(&all_result);
    return 0;
}

/*
 * One wrapper for each function, by its number of arguments. All are integers or pointers, which travel alike
 * in the 64-bit C calling conventions of x86-64 and AArch64, so the wrappers pass them on as words.
 */
typedef uintptr_t word;
#define P0 void
#define P1 word a
#define P2 P1, word b
#define P3 P2, word c
#define P4 P3, word d
#define P11 P4, word e, word f, word g, word h, word i, word j, word k
#define A0
#define A1 a
#define A2 A1, b
#define A3 A2, c
#define A4 A3, d
#define A11 A4, e, f, g, h, i, j, k
#define X(name, arguments)                                                                                   \
    static int wrap_##name(P##arguments)                                                                     \
    {                                                                                                        \
        int result = shim_enter(&calls[INDEX_##name]);                                                       \
        union {                                                                                              \
            void *object;                                                                                    \
            int (*function)(P##arguments);                                                                   \
        } next = {calls[INDEX_##name].next};                                                                 \
        return result ? result : next.function(A##arguments);                                                \
    }
#include "cuda/symbols.def"
#undef X

static void *wrapper(int index)
{
    switch (index) {
#define X(name, arguments)                                                                                   \
    case INDEX_##name: {                                                                                     \
        union {                                                                                              \
            int (*function)(P##arguments);                                                                   \
            void *object;                                                                                    \
        } wrapped = {wrap_##name};                                                                           \
        return wrapped.object;                                                                               \
    }
#include "cuda/symbols.def"
#undef X
    default:
        return NULL;
    }
}

/* What the runtime looks for in a driver library. */
__attribute__((visibility("default"))) int cuGetProcAddress_v2(const char *symbol, void **out_function,
                                                               int version, uint64_t flags, int *out_status)
{
    (void)flags;
    for (int i = 0; i < CALLS; i++) {
        if (strcmp(calls[i].name, symbol) != 0)
            continue;
        calls[i].next = next_find(symbol, version);
        *out_function = calls[i].next ? wrapper(i) : NULL;
        *out_status = 0;
        return calls[i].next ? 0 : NEXT_NOT_FOUND;
    }
    return NEXT_NOT_FOUND;
}

/* ---- Control ---- */

static uint64_t shim_count(const char *name)
{
    uint64_t count = 0;
    for (int i = 0; i < CALLS; i++)
        if (!name || strcmp(calls[i].name, name) == 0)
            count += atomic_load(&calls[i].count);
    return count;
}

static void shim_fail(const char *name, uint64_t after, int result, bool forever)
{
    if (!name) {
        atomic_store(&all_result, result);
        atomic_store(&all_forever, forever);
        atomic_store(&all_fail_in, (int64_t)after);
        return;
    }
    for (int i = 0; i < CALLS; i++) {
        if (strcmp(calls[i].name, name) != 0)
            continue;
        atomic_store(&calls[i].result, result);
        atomic_store(&calls[i].forever, forever);
        atomic_store(&calls[i].fail_in, (int64_t)after);
    }
}

static void shim_reset(void)
{
    atomic_store(&all_fail_in, NEVER);
    for (int i = 0; i < CALLS; i++) {
        atomic_store(&calls[i].fail_in, NEVER);
        atomic_store(&calls[i].count, 0);
    }
}

__attribute__((visibility("default")))
const shim_control shim_control_table = {shim_count, shim_fail, shim_reset};
