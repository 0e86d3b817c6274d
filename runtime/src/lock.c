/* SPDX-License-Identifier: Apache-2.0 */
/* The slow halves of the mutex: sleeping and waking. */
#include "lock.h"

#include <sched.h>

enum { SPINS = 100 }; /* about the time of a short section without a driver call */

bool grt_lock_has_barrier;

#if defined(__linux__)
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((constructor)) static void barrier_register(void)
{
    grt_lock_has_barrier = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

static void barrier_all_threads(void)
{
    if (grt_lock_has_barrier)
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

static void word_sleep(_Atomic uint32_t *word, uint32_t seen)
{
    syscall(SYS_futex, (uint32_t *)word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
}

static void word_wake(_Atomic uint32_t *word)
{
    syscall(SYS_futex, (uint32_t *)word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
#else
static void barrier_all_threads(void)
{
}

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

static bool spin(grt_lock *lock)
{
    for (int i = 0; i < SPINS; i++)
        if (atomic_load_explicit(&lock->state, memory_order_relaxed) == 0 && grt_lock_try(lock))
            return true;
    return false;
}

void grt_lock_contended(grt_lock *lock)
{
    if (spin(lock))
        return;
    atomic_fetch_add_explicit(&lock->waiters, 1, memory_order_seq_cst);
    barrier_all_threads();
    while (!grt_lock_try(lock))
        word_sleep(&lock->state, 1);
    atomic_fetch_sub_explicit(&lock->waiters, 1, memory_order_relaxed);
}

void grt_lock_wake(grt_lock *lock)
{
    word_wake(&lock->state);
}
