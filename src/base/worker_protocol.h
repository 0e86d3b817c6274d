// SPDX-License-Identifier: Apache-2.0
// What a parent process and the `guardlint-frontend` worker say to each other: requests on the worker's standard
// input, answers on its standard output, one after the other, in order. Anything the worker or libclang has to
// say to a person goes to standard error.
//
//   guardlint-frontend --serve                              requests until end of file, then exit status 0
//   guardlint-frontend --lower OUT [OPTIONS] FILE -- ARGS…  one unit, no frames; OUT "-" is standard output
//   guardlint-frontend --version                            "guardlint-frontend (libclang: <its version>)"
//
// A frame is a fixed header and a payload of header.size bytes. Both sides run on one machine from one build, so
// integers are in native byte order. A request's payload is a list of NUL-terminated strings, in this order:
//
//   [0] output path: the IR text is written there (atomically: a temporary file beside it, then renamed) and the
//       answer carries no text; "" asks for the text in the answer
//   [1] working directory: relative paths in FILE and ARGS start here; "" is the worker's own
//   [2] the source file as clang shall open it
//   [3] the path as reports shall show it ("" = the same as [2]): the unit's `path` in the IR
//   [4] header mode: "auto", "toolkit" or "builtin"
//   [5] options, separated by commas, may be "": "times" fills in parse_seconds and lower_seconds; "per-thread"
//       the unit's default stream is per thread; "toolkit=DIR" the CUDA toolkit to use instead of CUDA_PATH,
//       CUDA_HOME or /usr/local/cuda
//   [6…] clang arguments, without the program's name, the source file, -c, -o (already translated from nvcc's)
//
// An answer's payload is the IR text (not NUL-terminated) with GL_WORKER_OK and an empty output path, nothing
// with GL_WORKER_OK and an output path, else a message for the user. A unit that does not parse is GL_WORKER_OK:
// its text says what failed (status and problems of the unit). The parent closes the worker's input to end it; a
// parent that waits too long, or reads end of file before an answer is complete, reports the unit as "timeout" or
// "crash" and starts another worker.
#ifndef GL_BASE_WORKER_PROTOCOL_H
#define GL_BASE_WORKER_PROTOCOL_H

#include <stdint.h>

#define GL_WORKER_PROGRAM "guardlint-frontend"
#define GL_WORKER_REQUEST_MAGIC 0x71524c47u // "GLRq"
#define GL_WORKER_ANSWER_MAGIC 0x6e414c47u  // "GLAn"
#define GL_WORKER_REQUEST_MAX (64u << 20)   // bytes of payload; larger is an error

enum gl_worker_request_string {
    GL_WORKER_OUTPUT,
    GL_WORKER_DIRECTORY,
    GL_WORKER_SOURCE,
    GL_WORKER_SHOWN_PATH,
    GL_WORKER_HEADER_MODE,
    GL_WORKER_OPTIONS,
    GL_WORKER_FIRST_ARGUMENT,
};

enum gl_worker_status {
    GL_WORKER_OK = 0,
    GL_WORKER_BAD_REQUEST = 1, // the request is malformed; the worker goes on with the next one
    GL_WORKER_IO_ERROR = 2,    // the output could not be written
};

struct gl_worker_header {
    uint32_t magic;
    uint32_t status; // answers: enum gl_worker_status; requests: 0
    uint64_t size;   // bytes that follow
};

#endif
