// SPDX-License-Identifier: Apache-2.0
// Timing of child processes.
#include "measure.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

int bench_run(const char *const *argv, const char *output, struct bench_time *out_time)
{
    posix_spawn_file_actions_t actions;
    struct rusage usage;
    pid_t pid;
    int status = 0;
    double start = now();
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output ? output : "/dev/null",
                                     O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int error = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)(void *)(size_t)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error || wait4(pid, &status, 0, &usage) < 0)
        return -1;
    *out_time = (struct bench_time){now() - start, seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime)};
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void bench_add(struct bench_samples *samples, double seconds)
{
    if (samples->count < BENCH_RUNS_MAX)
        samples->seconds[samples->count++] = seconds;
}

static int seconds_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

struct bench_spread bench_spread(struct bench_samples *samples)
{
    qsort(samples->seconds, samples->count, sizeof samples->seconds[0], seconds_compare);
    if (!samples->count)
        return (struct bench_spread){0};
    return (struct bench_spread){samples->seconds[samples->count / 2], samples->seconds[0],
                                 samples->seconds[samples->count - 1]};
}
