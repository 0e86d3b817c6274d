// SPDX-License-Identifier: Apache-2.0
// The parent's side of the worker protocol, for one process.
#define _GNU_SOURCE // prlimit, pipe2
#include "cli/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { READ_END, WRITE_END };

// ---- starting --------------------------------------------------------------------------------------------

// AddressSanitizer reserves terabytes of addresses; a limit on them would end the process at its start.
#if defined(__SANITIZE_ADDRESS__)
#define GL_LIMITS_MEMORY 0
#else
#define GL_LIMITS_MEMORY 1
#endif

static void limits_set(pid_t pid, const struct gl_worker_limits *limits)
{
    const struct rlimit no_core = {0, 0};
    const struct rlimit memory = {(rlim_t)limits->unit_memory << 20, (rlim_t)limits->unit_memory << 20};
    prlimit(pid, RLIMIT_CORE, &no_core, NULL);
    if (GL_LIMITS_MEMORY)
        prlimit(pid, RLIMIT_AS, &memory, NULL);
}

static int spawn(struct gl_worker *worker, const char *program, int pipes[3][2])
{
    char serve[] = "--serve";
    char *name = gl_xstrdup(program);
    char *const argv[] = {name, serve, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipes[0][READ_END], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes[1][WRITE_END], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes[2][WRITE_END], STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    int error = posix_spawn(&worker->pid, program, &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    free(name);
    return error;
}

static void pair_close(int pair[2])
{
    for (int end = 0; end < 2; end++) {
        if (pair[end] >= 0)
            close(pair[end]);
    }
}

bool gl_worker_start(struct gl_worker *worker, const struct gl_worker_limits *limits)
{
    int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    int error = 0;
    for (int i = 0; i < 3 && !error; i++)
        error = pipe2(pipes[i], O_CLOEXEC) == 0 ? 0 : errno;
    if (!error)
        error = spawn(worker, limits->program, pipes);
    if (error) {
        for (int i = 0; i < 3; i++)
            pair_close(pipes[i]);
        worker->pid = 0;
        errno = error;
        return false;
    }
    close(pipes[0][READ_END]);
    close(pipes[1][WRITE_END]);
    close(pipes[2][WRITE_END]);
    worker->in = pipes[0][WRITE_END];
    worker->out = pipes[1][READ_END];
    worker->err = pipes[2][READ_END];
    worker->served = worker->error_length = 0;
    int ours[] = {worker->in, worker->out, worker->err};
    for (int i = 0; i < 3; i++)
        fcntl(ours[i], F_SETFL, O_NONBLOCK);
    limits_set(worker->pid, limits);
    return true;
}

// ---- requests --------------------------------------------------------------------------------------------

static void string_add(char **out, const char *text)
{
    *out = stpcpy(*out, text) + 1;
}

void gl_worker_assign(struct gl_worker *worker, size_t index, const struct gl_unit *unit,
                      uint64_t deadline_ms)
{
    const char *const fixed[GL_WORKER_FIRST_ARGUMENT] = {
        [GL_WORKER_OUTPUT] = "",
        [GL_WORKER_DIRECTORY] = unit->directory,
        [GL_WORKER_SOURCE] = unit->source,
        [GL_WORKER_SHOWN_PATH] = unit->shown,
        [GL_WORKER_HEADER_MODE] = "auto",
        [GL_WORKER_OPTIONS] = unit->per_thread_default_stream ? "times,per-thread" : "times",
    };
    size_t size = 0;
    for (size_t i = 0; i < GL_COUNT(fixed); i++)
        size += strlen(fixed[i]) + 1;
    for (size_t i = 0; i < unit->args.list.count; i++)
        size += strlen(unit->args.list.items[i]) + 1;
    struct gl_worker_header header = {GL_WORKER_REQUEST_MAGIC, 0, size};
    worker->request = gl_xmalloc(sizeof header + size);
    memcpy(worker->request, &header, sizeof header);
    char *out = worker->request + sizeof header;
    for (size_t i = 0; i < GL_COUNT(fixed); i++)
        string_add(&out, fixed[i]);
    for (size_t i = 0; i < unit->args.list.count; i++)
        string_add(&out, unit->args.list.items[i]);
    worker->request_size = sizeof header + size;
    worker->request_sent = worker->received = worker->error_length = 0;
    worker->unit = index;
    worker->deadline_ms = deadline_ms;
    worker->is_busy = true;
}

static bool is_later(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

bool gl_worker_send(struct gl_worker *worker)
{
    ssize_t count = write(worker->in, worker->request + worker->request_sent,
                          worker->request_size - worker->request_sent);
    if (count < 0)
        return is_later(errno);
    worker->request_sent += (size_t)count;
    return true;
}

// ---- answers ---------------------------------------------------------------------------------------------

enum { ANSWER_MAX_MIB = 2048 };

// The header is complete: room for the payload and a NUL.
static bool payload_prepare(struct gl_worker *worker)
{
    if (worker->header.magic != GL_WORKER_ANSWER_MAGIC || worker->header.size > (uint64_t)ANSWER_MAX_MIB
                                                                                    << 20)
        return false;
    worker->payload = gl_xmalloc(worker->header.size + 1);
    worker->payload[worker->header.size] = '\0';
    return true;
}

enum gl_worker_event gl_worker_receive(struct gl_worker *worker)
{
    const size_t header_size = sizeof worker->header;
    for (;;) {
        bool in_header = worker->received < header_size;
        size_t whole = in_header ? header_size : header_size + worker->header.size;
        if (worker->received == whole && !in_header)
            return GL_WORKER_ANSWERED;
        char *target = in_header ? (char *)&worker->header + worker->received
                                 : worker->payload + (worker->received - header_size);
        ssize_t count = read(worker->out, target, whole - worker->received);
        if (count < 0 && is_later(errno))
            return GL_WORKER_WAITING;
        if (count <= 0)
            return GL_WORKER_GONE;
        worker->received += (size_t)count;
        if (worker->received == header_size && in_header && !payload_prepare(worker))
            return GL_WORKER_GONE;
    }
}

// Keeps the end of what was written: the cause of death is said last.
void gl_worker_read_errors(struct gl_worker *worker)
{
    char text[512];
    ssize_t count;
    while ((count = read(worker->err, text, sizeof text)) > 0) {
        size_t length = (size_t)count, room = sizeof worker->error_text - 1;
        if (worker->error_length + length > room) {
            size_t drop = worker->error_length + length - room;
            drop = drop < worker->error_length ? drop : worker->error_length;
            memmove(worker->error_text, worker->error_text + drop, worker->error_length - drop);
            worker->error_length -= drop;
        }
        memcpy(worker->error_text + worker->error_length, text, length);
        worker->error_length += length;
    }
    worker->error_text[worker->error_length] = '\0';
    if (count == 0) { // closed: polling it would return at once for ever
        close(worker->err);
        worker->err = -1;
    }
}

static void request_drop(struct gl_worker *worker)
{
    free(worker->request);
    free(worker->payload);
    worker->request = worker->payload = NULL;
    worker->is_busy = false;
    worker->received = worker->request_size = worker->request_sent = 0;
}

void gl_worker_take(struct gl_worker *worker, struct gl_arena *arena, struct gl_lowered *out_lowered)
{
    if (worker->header.status == GL_WORKER_OK) {
        *out_lowered = (struct gl_lowered){.text = worker->payload, .size = worker->header.size};
        worker->payload = NULL;
    } else {
        out_lowered->failure =
            (struct gl_failure){"front-end", gl_arena_strdup(arena, worker->payload), NULL};
    }
    if (worker->error_length) // meant for a person, who shall see it
        fwrite(worker->error_text, 1, worker->error_length, stderr);
    worker->served++;
    request_drop(worker);
}

// ---- death -----------------------------------------------------------------------------------------------

// The last line with text of what the process said, or NULL.
static const char *last_line(struct gl_worker *worker)
{
    size_t end = worker->error_length;
    while (end && (worker->error_text[end - 1] == '\n' || worker->error_text[end - 1] == ' '))
        end--;
    worker->error_text[end] = '\0';
    size_t start = end;
    while (start && worker->error_text[start - 1] != '\n')
        start--;
    return start < end ? worker->error_text + start : NULL;
}

// libclang, the C++ library, the loader and the analyzer's own arena say it in these words.
static bool says_out_of_memory(const char *text)
{
    static const char *const words[] = {"out of memory", "bad_alloc", "Cannot allocate memory",
                                        "cannot allocate", "failed to map"};
    for (size_t i = 0; i < GL_COUNT(words); i++) {
        if (strstr(text, words[i]))
            return true;
    }
    return false;
}

static struct gl_failure death_tell(struct gl_worker *worker, struct gl_arena *arena, int status,
                                    const struct gl_worker_limits *limits)
{
    static const char report[] = "this is a bug in guardlint or libclang: please report it with the file";
    bool is_memory =
        says_out_of_memory(worker->error_text) || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    if (is_memory)
        return (struct gl_failure){
            "memory",
            gl_arena_printf(arena, "the front end ran out of memory (limit: %u MiB)", limits->unit_memory),
            "allow more with --unit-memory MIB"};
    const char *said = last_line(worker);
    const char *cause =
        WIFSIGNALED(status)
            ? gl_arena_printf(arena, "crashed: %s", strsignal(WTERMSIG(status)))
            : gl_arena_printf(arena, "ended with exit status %d before it answered", WEXITSTATUS(status));
    return (struct gl_failure){"crash",
                               gl_arena_printf(arena, "the front end %s%s%s%s", cause,
                                               said ? " (it said: " : "", said ? said : "", said ? ")" : ""),
                               report};
}

struct gl_failure gl_worker_bury(struct gl_worker *worker, struct gl_arena *arena,
                                 const struct gl_worker_limits *limits)
{
    int status = 0;
    gl_worker_read_errors(worker);
    pid_t gone = waitpid(worker->pid, &status, WNOHANG);
    if (gone == 0) {
        // It may be about to die by itself, its pipes already closed: the status is worth a moment.
        for (int i = 0; i < 50 && worker->is_busy && gone == 0; i++) {
            usleep(2000);
            gone = waitpid(worker->pid, &status, WNOHANG);
        }
    }
    bool was_killed = gone == 0;
    if (was_killed) {
        kill(worker->pid, SIGKILL);
        waitpid(worker->pid, &status, 0);
    }
    gl_worker_read_errors(worker);
    struct gl_failure failure =
        was_killed ? (struct gl_failure){"crash", "the front end broke off its answer",
                                         "guardlint and guardlint-frontend must come from the same build"}
                   : death_tell(worker, arena, status, limits);
    close(worker->in);
    close(worker->out);
    if (worker->err >= 0)
        close(worker->err);
    request_drop(worker);
    worker->pid = 0;
    return failure;
}
