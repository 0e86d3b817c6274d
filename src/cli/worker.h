// SPDX-License-Identifier: Apache-2.0
// One front-end process: start it, send it a unit, receive the answer piece by piece, tell why it died.
#ifndef GL_CLI_WORKER_H
#define GL_CLI_WORKER_H

#include "base/worker_protocol.h"
#include "cli/workers.h"

#include <sys/types.h>

enum { GL_WORKER_ERROR_TEXT = 2048 };

// Zero-initialise to use.
struct gl_worker {
    pid_t pid;            // 0: not started
    int in, out, err;     // our ends of its standard streams
    bool is_busy;         // a request is out
    size_t unit;          // which
    size_t served;        // requests this process has answered
    uint64_t deadline_ms; // monotonic; when the unit is given up
    char *request;
    size_t request_size, request_sent;
    struct gl_worker_header header;
    size_t received; // bytes of header and payload
    char *payload;
    char error_text[GL_WORKER_ERROR_TEXT]; // the end of what it wrote to standard error
    size_t error_length;
};

enum gl_worker_event {
    GL_WORKER_WAITING,  // nothing complete yet
    GL_WORKER_ANSWERED, // header and payload are complete
    GL_WORKER_GONE,     // end of file, or it does not speak the protocol
};

// Starts the process; returns false with errno set.
bool gl_worker_start(struct gl_worker *worker, const struct gl_worker_limits *limits);
// Makes the request the one to send; the worker is idle. Sending is gl_worker_send's.
void gl_worker_assign(struct gl_worker *worker, size_t index, const struct gl_unit *unit,
                      uint64_t deadline_ms);
// Writes what the pipe takes; false: the process no longer reads.
bool gl_worker_send(struct gl_worker *worker);
enum gl_worker_event gl_worker_receive(struct gl_worker *worker);
void gl_worker_read_errors(struct gl_worker *worker);
// Takes the answer's payload over from the worker and makes it idle.
void gl_worker_take(struct gl_worker *worker, struct gl_arena *arena, struct gl_lowered *out_lowered);
// Ends the process at once if it lives, collects it, and tells why it died by itself. The worker can be
// started again.
struct gl_failure gl_worker_bury(struct gl_worker *worker, struct gl_arena *arena,
                                 const struct gl_worker_limits *limits);

#endif
