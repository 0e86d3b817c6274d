// SPDX-License-Identifier: Apache-2.0
// Runs the pool: hands out units, waits for answers, ends what takes too long, starts anew what died.
#include "cli/workers.h"

#include "base/file.h"
#include "cli/worker.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>

enum { FDS_A_WORKER = 3 };

struct pool {
    const struct gl_worker_limits *limits;
    const struct gl_unit_list *units;
    struct gl_arena *arena;
    const struct gl_progress *progress;
    struct gl_lowered *lowered;
    struct gl_worker *workers;
    size_t worker_count;
    size_t next, done;      // units
    GL_VEC(size_t) retries; // units whose worker died after it had served others
    bool *is_retried;
    struct gl_failure no_start; // set once the program could not be started
};

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void unit_done(struct pool *pool, size_t index)
{
    pool->done++;
    pool->progress->report(pool->progress->context, pool->done, pool->units->list.count,
                           pool->units->list.items[index].shown);
}

static void unit_fail(struct pool *pool, size_t index, struct gl_failure failure)
{
    pool->lowered[index].failure = failure;
    unit_done(pool, index);
}

static void ir_read(struct pool *pool, size_t index)
{
    struct gl_lowered *lowered = &pool->lowered[index];
    lowered->text = gl_file_read(pool->units->list.items[index].source, &lowered->size);
    if (!lowered->text)
        lowered->failure = (struct gl_failure){
            "unreadable", gl_arena_printf(pool->arena, "cannot be read: %s", strerror(errno)), NULL};
    unit_done(pool, index);
}

// The next unit that needs a worker; those that need none are done on the way. False: none is left.
static bool unit_next(struct pool *pool, size_t *out_index)
{
    if (pool->retries.count) {
        *out_index = pool->retries.items[--pool->retries.count];
        return true;
    }
    while (pool->next < pool->units->list.count) {
        size_t index = pool->next++;
        const struct gl_unit *unit = &pool->units->list.items[index];
        if (unit->failure.kind)
            unit_fail(pool, index, unit->failure);
        else if (unit->is_ir)
            ir_read(pool, index);
        else if (pool->no_start.kind)
            unit_fail(pool, index, pool->no_start);
        else {
            *out_index = index;
            return true;
        }
    }
    return false;
}

static bool worker_ready(struct pool *pool, struct gl_worker *worker)
{
    if (worker->pid || gl_worker_start(worker, pool->limits))
        return true;
    pool->no_start =
        (struct gl_failure){"front-end",
                            gl_arena_printf(pool->arena, "the front end '%s' cannot be started: %s",
                                            pool->limits->program, strerror(errno)),
                            "install guardlint completely, or name the program with --frontend"};
    return false;
}

static void workers_feed(struct pool *pool)
{
    for (size_t i = 0; i < pool->worker_count; i++) {
        struct gl_worker *worker = &pool->workers[i];
        size_t index;
        if (worker->is_busy || !unit_next(pool, &index))
            continue;
        if (worker_ready(pool, worker))
            gl_worker_assign(worker, index, &pool->units->list.items[index],
                             now_ms() + (uint64_t)pool->limits->unit_timeout * 1000);
        else
            unit_fail(pool, index, pool->no_start);
    }
}

// A process that had answered before may have died of what it did then (memory that was never given back):
// its unit gets a second try in a new one.
static void worker_lost(struct pool *pool, struct gl_worker *worker)
{
    size_t index = worker->unit;
    bool may_retry = worker->served > 0 && !pool->is_retried[index];
    struct gl_failure failure = gl_worker_bury(worker, pool->arena, pool->limits);
    if (!may_retry) {
        unit_fail(pool, index, failure);
        return;
    }
    pool->is_retried[index] = true;
    GL_VEC_PUSH(&pool->retries, index);
}

static void worker_expired(struct pool *pool, struct gl_worker *worker)
{
    size_t index = worker->unit;
    worker->is_busy = false; // nobody waits for it to end by itself
    gl_worker_bury(worker, pool->arena, pool->limits);
    unit_fail(pool, index,
              (struct gl_failure){"timeout",
                                  gl_arena_printf(pool->arena, "not parsed and lowered within %u s",
                                                  pool->limits->unit_timeout),
                                  "allow more with --unit-timeout SECONDS"});
}

static void worker_serve(struct pool *pool, struct gl_worker *worker, const struct pollfd fds[FDS_A_WORKER])
{
    if (fds[2].revents)
        gl_worker_read_errors(worker);
    bool is_lost = fds[0].revents && worker->request_sent < worker->request_size && !gl_worker_send(worker);
    enum gl_worker_event event = fds[1].revents ? gl_worker_receive(worker) : GL_WORKER_WAITING;
    if (event == GL_WORKER_ANSWERED) {
        gl_worker_take(worker, pool->arena, &pool->lowered[worker->unit]);
        unit_done(pool, worker->unit);
    } else if (is_lost || event == GL_WORKER_GONE) {
        worker_lost(pool, worker);
    } else if (now_ms() >= worker->deadline_ms) {
        worker_expired(pool, worker);
    }
}

static void fds_fill(const struct gl_worker *worker, struct pollfd fds[FDS_A_WORKER])
{
    bool is_sending = worker->is_busy && worker->request_sent < worker->request_size;
    fds[0] = (struct pollfd){.fd = is_sending ? worker->in : -1, .events = POLLOUT};
    fds[1] = (struct pollfd){.fd = worker->is_busy ? worker->out : -1, .events = POLLIN};
    fds[2] = (struct pollfd){.fd = worker->is_busy ? worker->err : -1, .events = POLLIN};
}

// Until something happens or the first deadline passes.
static void pool_wait(struct pool *pool, struct pollfd *fds)
{
    uint64_t now = now_ms(), first = now + INT_MAX;
    for (size_t i = 0; i < pool->worker_count; i++) {
        const struct gl_worker *worker = &pool->workers[i];
        fds_fill(worker, fds + i * FDS_A_WORKER);
        if (worker->is_busy && worker->deadline_ms < first)
            first = worker->deadline_ms;
    }
    poll(fds, pool->worker_count * FDS_A_WORKER, first > now ? (int)(first - now) : 0);
}

static void pool_run(struct pool *pool)
{
    struct pollfd *fds = gl_xmalloc(pool->worker_count * FDS_A_WORKER * sizeof *fds);
    for (;;) {
        workers_feed(pool);
        if (pool->done == pool->units->list.count)
            break;
        pool_wait(pool, fds);
        for (size_t i = 0; i < pool->worker_count; i++) {
            if (pool->workers[i].is_busy)
                worker_serve(pool, &pool->workers[i], fds + i * FDS_A_WORKER);
        }
    }
    free(fds);
}

void gl_workers_run(const struct gl_worker_limits *limits, const struct gl_unit_list *units,
                    struct gl_arena *arena, const struct gl_progress *progress,
                    struct gl_lowered *out_lowered)
{
    size_t count = units->list.count, jobs = limits->jobs < count ? limits->jobs : count;
    struct pool pool = {.limits = limits,
                        .units = units,
                        .arena = arena,
                        .progress = progress,
                        .lowered = out_lowered,
                        .worker_count = jobs};
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    memset(out_lowered, 0, count * sizeof *out_lowered);
    pool.workers = gl_arena_alloc(arena, jobs * sizeof *pool.workers);
    pool.is_retried = gl_arena_alloc(arena, count * sizeof *pool.is_retried);
    // libclang would go on after a crash of its own, in a process that is no longer to be trusted.
    setenv("LIBCLANG_DISABLE_CRASH_RECOVERY", "1", 1);
    sigaction(SIGPIPE, &ignore, &before); // a worker that died is noticed by its answer
    pool_run(&pool);
    sigaction(SIGPIPE, &before, NULL);
    for (size_t i = 0; i < jobs; i++) {
        if (pool.workers[i].pid)
            gl_worker_bury(&pool.workers[i], arena, limits);
    }
    GL_VEC_FREE(&pool.retries);
}

void gl_lowered_free(struct gl_lowered *lowered, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(lowered[i].text);
}
