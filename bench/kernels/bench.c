// SPDX-License-Identifier: Apache-2.0
// Command line, timing and reporting of the kernels' benchmark.
#include "bench.h"

#include <stdlib.h>
#include <string.h>

void bench_check(grt_status status, const char *what)
{
    if (status == GRT_OK)
        return;
    fprintf(stderr, "%s: %s, %s %s\n", what, grt_status_name(status), grt_status_text(status),
            grt_error_detail());
    exit(1);
}

void *bench_memory(size_t size)
{
    void *memory = calloc(1, size ? size : 1);
    if (!memory) {
        fprintf(stderr, "no host memory for %zu bytes\n", size);
        exit(1);
    }
    return memory;
}

// splitmix64.
uint64_t bench_random(void)
{
    static uint64_t state = 1;
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

double bench_median(const double *values, unsigned count)
{
    double sorted[BENCH_RUNS];
    memcpy(sorted, values, count * sizeof(*values));
    qsort(sorted, count, sizeof(*sorted), compare_doubles);
    return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

grt_buffer *bench_repeat(bench_device *on, size_t size, const void *pattern, size_t pattern_size)
{
    grt_buffer *buffer;
    grt_view done, next;
    must(grt_buffer_create(on->stream, size, &buffer));
    size_t have = pattern_size < size ? pattern_size : size;
    must(grt_view_slice(grt_buffer_view(buffer), 0, have, &done));
    must(grt_upload(on->stream, done, pattern));
    while (have < size) {
        size_t more = have < size - have ? have : size - have;
        must(grt_view_slice(grt_buffer_view(buffer), 0, more, &done));
        must(grt_view_slice(grt_buffer_view(buffer), have, more, &next));
        must(grt_copy(on->stream, next, done));
        have += more;
    }
    must(grt_stream_synchronize(on->stream));
    return buffer;
}

void bench_json_row(bench *b, const char *name)
{
    fprintf(b->json, "%s\n    {\"name\": \"%s\", ", b->json_rows++ ? "," : "", name);
}

static void case_views(const bench_case *c, grt_view *views)
{
    for (unsigned i = 0; i < BENCH_OPERANDS; i++)
        views[i] = c->operands[i].buffer ? grt_buffer_view(c->operands[i].buffer) : (grt_view){NULL, 0, 0};
}

// Seconds a launch, one number a run.
static void case_time(bench *b, bench_case *c, double *seconds)
{
    grt_view views[BENCH_OPERANDS];
    grt_timer *timer;
    case_views(c, views);
    must(grt_timer_create(b->tested.device, &timer));
    must(c->launch(c, &b->tested, views, 0)); // the first launch loads the kernel
    must(grt_stream_synchronize(b->tested.stream));
    for (unsigned run = 0; run < b->runs; run++) {
        must(grt_timer_start(timer, b->tested.stream));
        for (unsigned i = 0; i < b->launches; i++)
            must(c->launch(c, &b->tested, views, 0));
        must(grt_timer_stop(timer, b->tested.stream));
        must(grt_timer_read(timer, &seconds[run]));
        seconds[run] /= b->launches;
    }
    must(grt_timer_destroy(timer));
}

static void case_report(bench *b, const bench_case *c, const double *seconds, bool right)
{
    double median = bench_median(seconds, b->runs);
    double least = seconds[0], most = seconds[0];
    for (unsigned i = 1; i < b->runs; i++) {
        least = seconds[i] < least ? seconds[i] : least;
        most = seconds[i] > most ? seconds[i] : most;
    }
    double rate = c->moved / median;
    double ratio = rate / b->copy_rate;
    bool judged = c->target != 0 && grt_device_describe(b->tested.device).backend == GRT_BACKEND_CUDA;
    const char *verdict = !right ? "WRONG" : !judged ? "" : ratio >= c->target ? "reached" : "missed";
    printf("%-28s %9.1f GB/s  %6.3f of copy  target %4.2f  spread %4.1f %%  %s\n", c->name, rate / 1e9, ratio,
           c->target, (most - least) / median * 100, verdict);
    fflush(stdout);
    bench_json_row(b, c->name);
    fprintf(
        b->json,
        "\"values\": %llu, \"bytes\": %.0f, \"bytes_per_second\": %.0f, \"ratio\": %.4f, \"target\": %.2f, "
        "\"verified\": %s, \"seconds\": [",
        (unsigned long long)c->count, c->moved, rate, ratio, c->target, right ? "true" : "false");
    for (unsigned i = 0; i < b->runs; i++)
        fprintf(b->json, "%s%.9f", i ? ", " : "", seconds[i]);
    fprintf(b->json, "]}");
}

void bench_case_run(bench *b, bench_case *c, void (*refill)(bench *b, bench_case *c))
{
    double seconds[BENCH_RUNS];
    case_time(b, c, seconds);
    if (b->copy_rate == 0) // the first case is the copy
        b->copy_rate = c->moved / bench_median(seconds, b->runs);
    if (refill)
        refill(b, c);
    bool right = c->verify ? c->verify(b, c) : bench_windows_equal(b, c);
    b->failed |= !right;
    case_report(b, c, seconds, right);
    for (unsigned i = 0; i < BENCH_OPERANDS; i++)
        must(grt_buffer_destroy(c->operands[i].buffer));
    must(grt_device_synchronize(b->tested.device));
}

static void device_open(bench_device *on, grt_backend backend)
{
    must(grt_device_open(backend, 0, &on->device));
    must(grt_stream_create(on->device, 0, &on->stream));
    must(gk_library_open(on->device, &on->library));
}

static void device_close(bench_device *on)
{
    must(gk_library_close(on->library));
    must(grt_stream_destroy(on->stream));
    must(grt_device_close(on->device));
}

static int usage(const char *program)
{
    fprintf(stderr,
            "usage: %s [--backend cuda|host] [--bytes N] [--runs N] [--launches N] [--splits N]\n"
            "       [--wrong yes|no] [--only PREFIX] [--json FILE]\n"
            "Times the kernels against the copy bandwidth of the same run and verifies their results.\n",
            program);
    return 2;
}

// Reads the options; returns false when one is wrong.
static bool options_read(int argc, char **argv, bench *b, grt_backend *backend, const char **json)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *value = argv[i + 1];
        if (strcmp(argv[i], "--backend") == 0)
            *backend = strcmp(value, "host") == 0 ? GRT_BACKEND_HOST : GRT_BACKEND_CUDA;
        else if (strcmp(argv[i], "--bytes") == 0)
            b->bytes = strtoull(value, NULL, 0);
        else if (strcmp(argv[i], "--runs") == 0)
            b->runs = (unsigned)strtoul(value, NULL, 0);
        else if (strcmp(argv[i], "--launches") == 0)
            b->launches = (unsigned)strtoul(value, NULL, 0);
        else if (strcmp(argv[i], "--splits") == 0)
            b->splits = (unsigned)strtoul(value, NULL, 0);
        else if (strcmp(argv[i], "--wrong") == 0)
            b->has_wrong = strcmp(value, "no") != 0;
        else if (strcmp(argv[i], "--only") == 0)
            b->only = value;
        else if (strcmp(argv[i], "--json") == 0)
            *json = value;
        else
            return false;
    }
    // Cases are cut in windows of 65,536 values.
    b->bytes -= b->bytes % ((uint64_t)1 << 20);
    return argc % 2 == 1 && b->bytes > 0 && b->splits > 0 && b->runs > 0 && b->runs <= BENCH_RUNS &&
           b->launches > 0;
}

int main(int argc, char **argv)
{
    bench b = {.bytes = UINT64_C(2) << 30, .runs = 3, .launches = 10, .splits = 32, .has_wrong = true};
    grt_backend backend = GRT_BACKEND_DEFAULT;
    const char *json = "/dev/null";
    if (!options_read(argc, argv, &b, &backend, &json))
        return usage(argv[0]);
    b.json = fopen(json, "w");
    if (!b.json) {
        perror(json);
        return 1;
    }
    device_open(&b.tested, backend);
    device_open(&b.host, GRT_BACKEND_HOST);
    grt_device_info info = grt_device_describe(b.tested.device);
    printf("%s, %llu MiB of output a case, %u runs of %u launches\n", info.name,
           (unsigned long long)(b.bytes >> 20), b.runs, b.launches);
    fprintf(b.json,
            "{\n  \"device\": \"%s\", \"compute\": \"%u.%u\", \"multiprocessors\": %u, \"launches_per_run\": "
            "%u,\n"
            "  \"cases\": [",
            info.name, info.compute_major, info.compute_minor, info.multiprocessors, b.launches);
    bench_kernels_run(&b);
    bench_chain_run(&b);
    fprintf(b.json, "\n  ]\n}\n");
    fclose(b.json);
    device_close(&b.host);
    device_close(&b.tested);
    return b.failed ? 1 : 0;
}
