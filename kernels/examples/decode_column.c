// SPDX-License-Identifier: Apache-2.0
// decode_column FILE: decodes a column file, checks the values, and writes them if asked to.
#include "decode.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct settings {
    const char *path;
    const char *output;
    grt_backend backend;
    decode_options decode;
} settings;

static int usage(void)
{
    fprintf(stderr, "usage: decode_column FILE [--streams N] [--splits N] [--backend cuda|host] [-o VALUES]\n"
                    "Decodes a column file and checks its values; -o writes them as they lie in memory.\n"
                    "Exit status: 0 right, 1 the file or the device is not, 2 wrong usage.\n");
    return 2;
}

// A number from 1 to `most`.
static bool number_read(const char *text, unsigned most, unsigned *out_number)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || value < 1 || value > most) {
        fprintf(stderr, "decode_column: '%s' is no number from 1 to %u\n", text, most);
        return false;
    }
    *out_number = (unsigned)value;
    return true;
}

static bool option_read(settings *s, const char *name, const char *value)
{
    if (strcmp(name, "--streams") == 0)
        return number_read(value, DECODE_STREAMS_MOST, &s->decode.streams);
    if (strcmp(name, "--splits") == 0)
        return number_read(value, DECODE_SPLITS_MOST, &s->decode.splits);
    if (strcmp(name, "-o") == 0) {
        s->output = value;
        return true;
    }
    if (strcmp(name, "--backend") != 0)
        return false;
    s->backend = strcmp(value, "cuda") == 0 ? GRT_BACKEND_CUDA : GRT_BACKEND_HOST;
    return strcmp(value, "cuda") == 0 || strcmp(value, "host") == 0;
}

static bool settings_read(settings *s, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-' && !s->path)
            s->path = argv[i];
        else if (i + 1 >= argc || !option_read(s, argv[i], argv[i + 1]))
            return false;
        else
            i++;
    }
    return s->path != NULL;
}

static bool complain(const char *what, const char *why)
{
    fprintf(stderr, "decode_column: %s: %s\n", what, why);
    return false;
}

static bool check(grt_status status, const char *what)
{
    if (status == GRT_OK)
        return true;
    fprintf(stderr, "decode_column: %s: %s (%s) %s\n", what, grt_status_name(status), grt_status_text(status),
            grt_error_detail());
    return false;
}

// Reads the whole file into pinned memory, which copies leave at full speed and without a stop on the way.
static bool file_load(grt_device *device, const char *path, grt_buffer **out_buffer, size_t *out_size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return complain(path, strerror(errno));
    long size = -1;
    if (fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    rewind(file);
    bool loaded = size >= 0 || complain(path, strerror(errno));
    *out_size = loaded ? (size_t)size : 0;
    loaded = loaded && check(grt_buffer_create_host(device, *out_size ? *out_size : 1, out_buffer), path);
    grt_guard *filling;
    if (loaded && check(grt_acquire_host_write(grt_buffer_view(*out_buffer), &filling), path)) {
        loaded = fread(grt_guard_pointer(filling), 1, *out_size, file) == *out_size ||
                 complain(path, "cannot be read");
        loaded &= check(grt_release(filling), path);
    }
    fclose(file);
    return loaded;
}

static bool values_write(const char *path, grt_buffer *result, size_t size)
{
    grt_guard *reading;
    if (!check(grt_acquire_host_read(grt_buffer_view(result), &reading), path))
        return false;
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(grt_guard_pointer(reading), 1, size, file) == size;
    written = (!file || fclose(file) == 0) && written;
    if (!written)
        complain(path, strerror(errno));
    return check(grt_release(reading), path) && written;
}

// A line on the terminal, once decoding has taken half a second.
static void progress_show(uint64_t done, uint64_t splits, void *user)
{
    const struct timespec *begin = user;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds = (double)(now.tv_sec - begin->tv_sec) + (double)(now.tv_nsec - begin->tv_nsec) * 1e-9;
    if (seconds > 0.5)
        fprintf(stderr, "\r%llu of %llu splits%s", (unsigned long long)done, (unsigned long long)splits,
                done == splits ? "\n" : "");
}

static bool decode_and_check(grt_device *device, settings *s, const column *c, grt_buffer *file,
                             grt_buffer *result)
{
    struct timespec begin;
    uint64_t checksum;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    s->decode.user = &begin;
    s->decode.progress = isatty(STDERR_FILENO) ? progress_show : NULL;
    gk_library *library;
    if (!check(gk_library_open(device, &library), "the kernels"))
        return false;
    grt_status status = column_decode(device, library, c, file, &s->decode, result, &checksum);
    if (!check(gk_library_close(library), "the kernels") || !check(status, s->path))
        return false;
    if (checksum != c->checksum)
        return complain(s->path, "the decoded values have the wrong checksum");
    printf("%s: %llu values, %s, width %u: right, on %s\n", s->path, (unsigned long long)c->count,
           column_encoding_name(c->encoding), c->width, grt_device_describe(device).name);
    return !s->output || values_write(s->output, result, (size_t)c->count * gk_type_size(c->type));
}

// Everything is checked before the first launch.
static bool file_decode(grt_device *device, settings *s, grt_buffer *file, size_t size)
{
    column c;
    column_error error;
    grt_guard *reading;
    if (!check(grt_acquire_host_read(grt_buffer_view(file), &reading), s->path))
        return false;
    bool parsed = column_parse(grt_guard_pointer(reading), size, &c, &error);
    if (!check(grt_release(reading), s->path))
        return false;
    if (!parsed)
        return complain(s->path, error.text);
    grt_buffer *result;
    size_t result_size = (size_t)c.count * gk_type_size(c.type);
    if (!check(grt_buffer_create_host(device, result_size ? result_size : 1, &result), "the result"))
        return false;
    bool done = decode_and_check(device, s, &c, file, result);
    return check(grt_buffer_destroy(result), "the result") && done;
}

int main(int argc, char **argv)
{
    settings s = {.decode = {.streams = 4, .splits = 16}};
    if (!settings_read(&s, argc, argv))
        return usage();
    grt_device *device;
    grt_buffer *file = NULL;
    size_t size;
    if (!check(grt_device_open(s.backend, 0, &device), "the device"))
        return 1;
    bool done = file_load(device, s.path, &file, &size) && file_decode(device, &s, file, size);
    done &= check(grt_buffer_destroy(file), s.path);
    done &= check(grt_device_close(device), "the device");
    return done ? 0 : 1;
}
