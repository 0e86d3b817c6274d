// SPDX-License-Identifier: Apache-2.0
// A front end for tests of the worker pool: it speaks the worker protocol, and the name of the source tells
// it how to misbehave. Otherwise it answers a unit with one empty function.
#include "base/worker_protocol.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int read_all(void *data, size_t size)
{
    return fread(data, 1, size, stdin) == size;
}

static void answer(uint32_t status, const char *text, size_t size, size_t written)
{
    struct gl_worker_header header = {GL_WORKER_ANSWER_MAGIC, status, size};
    fwrite(&header, sizeof header, 1, stdout);
    fwrite(text, 1, written, stdout);
    fflush(stdout);
}

static _Noreturn void crash(void)
{
    signal(SIGSEGV, SIG_DFL); // a sanitizer would turn it into an exit
    raise(SIGSEGV);
    _exit(99);
}

// Eats memory the way a parser does until there is none, and dies the way libclang does.
static _Noreturn void eat(void)
{
    enum { CHUNK = 64 << 20, MOST = 64 };
    for (int i = 0; i < MOST; i++) {
        if (mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
            break;
    }
    fputs("LLVM ERROR: out of memory\n", stderr);
    abort();
}

static void misbehave(const char *source, unsigned served)
{
    if (strstr(source, "crash") || (strstr(source, "second") && served > 0))
        crash();
    if (strstr(source, "hang")) {
        for (;;)
            pause();
    }
    if (strstr(source, "memory"))
        eat();
    if (strstr(source, "exit")) {
        fputs("cannot load libclang\n", stderr);
        exit(7);
    }
    if (strstr(source, "garbage")) {
        puts("This is no answer of the protocol, but some text that something printed.");
        fflush(stdout);
        pause();
    }
    if (strstr(source, "half")) {
        answer(GL_WORKER_OK, "gir 1\n", 1000, 6);
        exit(0);
    }
}

static void unit_answer(const char *strings[GL_WORKER_FIRST_ARGUMENT])
{
    static char text[8192];
    const char *shown = strings[GL_WORKER_SHOWN_PATH];
    if (strstr(shown, "refuse")) {
        answer(GL_WORKER_IO_ERROR, "no room left", 12, 12);
        return;
    }
    int size = strstr(shown, "badir")
                   ? snprintf(text, sizeof text, "gir 1\nunit \"%s\" c\nnonsense here\n", shown)
                   : snprintf(text, sizeof text, "gir 1\nunit \"%s\" c\n\nfunc \"f_%u\"\n  return\n", shown,
                              (unsigned)strlen(shown));
    answer(GL_WORKER_OK, text, (size_t)size, (size_t)size);
}

int main(void)
{
    struct gl_worker_header header;
    for (unsigned served = 0; read_all(&header, sizeof header); served++) {
        char *payload = malloc(header.size + 1);
        if (!payload || header.magic != GL_WORKER_REQUEST_MAGIC || !read_all(payload, header.size))
            return 1;
        const char *strings[GL_WORKER_FIRST_ARGUMENT], *next = payload;
        for (int i = 0; i < GL_WORKER_FIRST_ARGUMENT; i++) {
            strings[i] = next;
            next += strlen(next) + 1;
        }
        misbehave(strings[GL_WORKER_SOURCE], served);
        unit_answer(strings);
        free(payload);
    }
    return 0;
}
