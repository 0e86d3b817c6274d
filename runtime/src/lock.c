/* SPDX-License-Identifier: Apache-2.0 */
/* The slow halves of the one-word mutex: sleeping and waking. */
#include "lock.h"

#include <sched.h>

#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static void word_sleep(_Atomic uint32_t *word, uint32_t seen)
{
    syscall(SYS_futex, (uint32_t *)word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
}

static void word_wake(_Atomic uint32_t *word)
{
    syscall(SYS_futex, (uint32_t *)word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
#else
static void word_sleep(_Atomic uint32_t *word, uint32_t seen)
{
    if (atomic_load_explicit(word, memory_order_relaxed) == seen)
        sched_yield();
}

static void word_wake(_Atomic uint32_t *word)
{
    (void)word;
}
#endif

enum { SPINS = 100 }; /* about the time of a short critical section without a driver call */

void grt_lock_contended(grt_lock *lock)
{
    for (int i = 0; i < SPINS; i++) {
        uint32_t expected = 0;
        if (atomic_load_explicit(&lock->state, memory_order_relaxed) == 0 &&
            atomic_compare_exchange_weak_explicit(&lock->state, &expected, 1, memory_order_acquire,
                                                  memory_order_relaxed))
            return;
    }
    while (atomic_exchange_explicit(&lock->state, 2, memory_order_acquire) != 0)
        word_sleep(&lock->state, 2);
}

void grt_lock_wake(grt_lock *lock)
{
    word_wake(&lock->state);
}
