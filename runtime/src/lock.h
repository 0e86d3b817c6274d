/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mutex for short sections. It is taken twice for each guard and once for each launch, so an uncontended
 * pair costs one atomic read-modify-write; waiters sleep in the kernel, because a holder may be inside a
 * driver call.
 *
 * Dropping it is a plain store followed by a plain load of the number of waiters. The processor may do the
 * load first; the rare waiter makes up for it: after announcing itself it has the kernel run a barrier on all
 * threads of the process (membarrier), so that either it sees the store or the holder sees it. Without
 * membarrier the store is a full exchange.
 */
#ifndef GRT_LOCK_H
#define GRT_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct grt_lock {
    _Atomic uint32_t state; /* 0 free, 1 held */
    _Atomic uint32_t waiters;
} grt_lock;

/* Set before main, where the kernel offers membarrier. */
extern bool grt_lock_has_barrier __attribute__((visibility("hidden")));

void grt_lock_contended(grt_lock *lock);
void grt_lock_wake(grt_lock *lock);

static inline bool grt_lock_try(grt_lock *lock)
{
    uint32_t expected = 0;
    return atomic_compare_exchange_strong_explicit(&lock->state, &expected, 1, memory_order_acquire,
                                                   memory_order_relaxed);
}

static inline void grt_lock_take(grt_lock *lock)
{
    if (__builtin_expect(!grt_lock_try(lock), 0))
        grt_lock_contended(lock);
}

static inline void grt_lock_drop(grt_lock *lock)
{
    if (__builtin_expect(grt_lock_has_barrier, 1)) {
        atomic_store_explicit(&lock->state, 0, memory_order_release);
        atomic_signal_fence(memory_order_seq_cst);
    } else {
        atomic_exchange_explicit(&lock->state, 0, memory_order_seq_cst);
    }
    if (__builtin_expect(atomic_load_explicit(&lock->waiters, memory_order_relaxed) != 0, 0))
        grt_lock_wake(lock);
}

#endif
