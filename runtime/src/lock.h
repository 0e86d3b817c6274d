/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mutex of one word. It is taken twice for each guard and once for each launch, so an uncontended pair must
 * cost two atomic operations and no call; waiters sleep in the kernel, because a holder may be inside a driver
 * call of several microseconds. The three states are Drepper's ("Futexes are tricky", mutex 2).
 */
#ifndef GRT_LOCK_H
#define GRT_LOCK_H

#include <stdatomic.h>
#include <stdint.h>

typedef struct grt_lock {
    _Atomic uint32_t state; /* 0 free, 1 held, 2 held and someone may sleep */
} grt_lock;

void grt_lock_contended(grt_lock *lock);
void grt_lock_wake(grt_lock *lock);

static inline void grt_lock_take(grt_lock *lock)
{
    uint32_t expected = 0;
    if (__builtin_expect(!atomic_compare_exchange_strong_explicit(&lock->state, &expected, 1, memory_order_acquire,
                                                                  memory_order_relaxed),
                         0))
        grt_lock_contended(lock);
}

static inline void grt_lock_drop(grt_lock *lock)
{
    if (__builtin_expect(atomic_exchange_explicit(&lock->state, 0, memory_order_release) == 2, 0))
        grt_lock_wake(lock);
}

#endif
