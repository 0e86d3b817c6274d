/* SPDX-License-Identifier: Apache-2.0 */
/* The lock excludes and wakes, with the kernel's barrier and without it. */
#include "../support/rig.h"

#include "lock.h"

#include <pthread.h>
#include <time.h>

enum { THREADS = 8, ROUNDS = 20000, SLEEPY_ROUNDS = 200 };

static struct {
    grt_lock lock;
    long counter; /* not atomic on purpose */
} shared;

static void *count(void *user)
{
    int rounds = *(const int *)user;
    struct timespec moment = {.tv_nsec = 1000};
    for (int i = 0; i < rounds; i++) {
        grt_lock_take(&shared.lock);
        long seen = shared.counter;
        if (rounds == SLEEPY_ROUNDS) /* long enough for the others to go to sleep */
            nanosleep(&moment, NULL);
        shared.counter = seen + 1;
        grt_lock_drop(&shared.lock);
    }
    return NULL;
}

static void count_in_threads(int rounds)
{
    pthread_t threads[THREADS];
    shared.counter = 0;
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, count, &rounds), 0);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    ck_assert_int_eq(shared.counter, (long)THREADS * rounds);
    ck_assert_uint_eq(shared.lock.waiters, 0);
}

START_TEST(excludes)
{
    bool offered = grt_lock_has_barrier;
    if (_i == 0)
        grt_lock_has_barrier = false;
    count_in_threads(ROUNDS);
    count_in_threads(SLEEPY_ROUNDS);
    grt_lock_has_barrier = offered;
}
END_TEST

Suite *suite(void)
{
    Suite *made = suite_create("lock");
    TCase *tests = tcase_create("lock");
    suite_add_tcase(made, tests);
    tcase_add_loop_test(tests, excludes, 0, 2);
    return made;
}
