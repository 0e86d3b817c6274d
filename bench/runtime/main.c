/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures what an operation costs the host, for every contender, and writes JSON.
 *
 *   guardrt_bench [--mode wall|calls|instructions] [--case TEXT] [--buffers N] [--samples N] [--turn N]
 * [--readers N]
 *                 [--json FILE]
 *
 * --case: the one of that name, else those whose name has the text. wall: nanoseconds an operation; a
 * contender and its baseline take turns of
 * --turn operations (default 16), so that drift hits both alike: the shorter, the colder the caches find
 * each; the median and the spread (median absolute deviation) of the batches and of their differences. calls:
 * driver calls an operation, counted by the shim that GUARDRT_CUDA_LIBRARY must name. instructions: one warm
 * batch of one case in bench_measured(), for callgrind.
 */
#include "bench.h"
#include "../../runtime/tests/shim/shim.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_SAMPLES = 2000, MAX_CASES = 64, WARM_BATCHES = 3 };

typedef struct settings {
    const char *mode;
    const char *only;
    int buffers;
    int samples;
    int turn;
    int readers;
    const char *json;
} settings;

/* The compiled kernels, taken in as they are; without nvcc only drivers that take any image can be used. */
#ifdef BENCH_KERNELS_IMAGE
__asm__(".section .rodata\n"
        ".balign 16\n"
        "bench_kernels_image:\n"
        ".incbin \"" BENCH_KERNELS_IMAGE "\"\n"
        ".byte 0\n"
        ".previous\n");
extern const char bench_kernels_image[];
#else
static const char bench_kernels_image[] = "";
#endif

void bench_require(grt_status status, const char *call)
{
    if (status == GRT_OK)
        return;
    fprintf(stderr, "%s: %s (%s)\n", call, grt_status_name(status), grt_error_detail());
    exit(EXIT_FAILURE);
}

void bench_require_driver(CUresult result, const char *call)
{
    if (result == CUDA_SUCCESS)
        return;
    fprintf(stderr, "%s: %d\n", call, (int)result);
    exit(EXIT_FAILURE);
}

double bench_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- The rigs ---- */

/* A kernel's driver handle: the runtime does not hand it out, so the contenders load the module themselves.
 */
static void rig_load_functions(bench_rig *rig)
{
    CUmodule module;
    REQUIRE_DRIVER(grt_cuda.cuModuleLoadData(&module, bench_kernels_image));
    for (int buffers = 1; buffers <= BENCH_BUFFERS; buffers *= 2) {
        char name[24];
        snprintf(name, sizeof(name), "args_%d", buffers);
        REQUIRE_DRIVER(grt_cuda.cuModuleGetFunction(&rig->functions[buffers], module, name));
        REQUIRE(grt_module_kernel(rig->module, name, &rig->kernels[buffers]));
    }
}

static void rig_open(bench_rig *rig, int streams)
{
    grt_module_desc kernels = {.image = bench_kernels_image};
    REQUIRE(grt_device_open(GRT_BACKEND_CUDA, 0, &rig->device));
    REQUIRE_DRIVER(grt_cuda.cuCtxSetCurrent(grt_device_describe(rig->device).context));
    REQUIRE(grt_module_load(rig->device, &kernels, &rig->module));
    REQUIRE(grt_module_kernel(rig->module, "hold_bytes", &rig->hold));
    REQUIRE(grt_module_kernel(rig->module, "set_words", &rig->set));
    REQUIRE(grt_module_kernel(rig->module, "check_words", &rig->check));
    rig_load_functions(rig);
    for (int i = 0; i < streams; i++) {
        REQUIRE(grt_stream_create(rig->device, 0, &rig->streams[i]));
        rig->native[i] = grt_stream_native(rig->streams[i]);
    }
    for (int i = 0; i < BENCH_BUFFERS; i++) {
        REQUIRE(grt_buffer_create(rig->streams[0], 1 << 16, &rig->buffers[i]));
        rig->views[i] = grt_buffer_view(rig->buffers[i]);
        rig->addresses[i] = grt_view_address(rig->views[i]);
    }
}

static void rig_close(bench_rig *rig)
{
    for (int i = 0; i < BENCH_BUFFERS; i++)
        REQUIRE(grt_buffer_destroy(rig->buffers[i]));
    for (int i = 0; i < 2; i++)
        REQUIRE(grt_stream_destroy(rig->streams[i]));
    REQUIRE(grt_module_unload(rig->module));
    REQUIRE(grt_device_close(rig->device));
}

/* ---- Statistics ---- */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof(*values), compare_doubles);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static double spread(const double *values, int count, double middle)
{
    static double distances[MAX_SAMPLES];
    for (int i = 0; i < count; i++)
        distances[i] = values[i] > middle ? values[i] - middle : middle - values[i];
    return median(distances, count);
}

/* ---- JSON ---- */

static void json_begin(FILE *file, const settings *how, const bench_rig *rig)
{
    grt_device_info info = grt_device_describe(rig->device);
    fprintf(file, "{\n  \"program\": \"guardrt_bench\",\n  \"version\": %u,\n  \"mode\": \"%s\",\n",
            grt_version(), how->mode);
    fprintf(file, "  \"device\": \"%s\",\n  \"batch\": %d,\n  \"turn\": %d,\n  \"samples\": %d,\n", info.name,
            BENCH_BATCH, how->turn, how->samples);
    fprintf(file, "  \"results\": [");
}

typedef struct measurement {
    const char *unit;
    double value, spread;
    double over, over_spread; /* against the baseline, when there is one */
} measurement;

static void json_result(FILE *file, const bench_case *what, const measurement *is)
{
    static bool more;
    fprintf(file,
            "%s\n    {\"name\": \"%s\", \"buffers\": %d, \"unit\": \"%s\", \"value\": %.2f, \"spread\": %.2f",
            more ? "," : "", what->name, what->buffers, is->unit, is->value, is->spread);
    if (what->baseline && strcmp(is->unit, "ns") == 0)
        fprintf(file, ", \"baseline\": \"%s\", \"over\": %.2f, \"over_spread\": %.2f", what->baseline,
                is->over, is->over_spread);
    fprintf(file, "}");
    more = true;
}

/* ---- Modes ---- */

static bool names_a_case(const char *text)
{
    for (size_t i = 0; i < bench_case_count; i++)
        if (strcmp(bench_cases[i].name, text) == 0)
            return true;
    return false;
}

static bool wanted(const settings *how, const bench_case *what)
{
    if (how->buffers && how->buffers != what->buffers)
        return false;
    if (how->only && names_a_case(how->only))
        return strcmp(what->name, how->only) == 0;
    return !how->only || strstr(what->name, how->only);
}

static double time_turn(const bench_case *what, bench_rig *rig, int operations)
{
    double start = bench_now();
    what->run(rig, what->buffers, operations);
    return bench_now() - start;
}

static const bench_case *baseline_of(const bench_case *what)
{
    for (size_t i = 0; what->baseline && i < bench_case_count; i++)
        if (strcmp(bench_cases[i].name, what->baseline) == 0 && bench_cases[i].buffers == what->buffers)
            return &bench_cases[i];
    return NULL;
}

/* Nanoseconds an operation of a batch, and how much that is over the baseline's in between. */
static void time_batch(const bench_case *what, bench_rig *rig, int turn, double *out_time, double *out_over)
{
    const bench_case *baseline = baseline_of(what);
    double own = 0, other = 0;
    for (int done = 0; done < BENCH_BATCH; done += turn) {
        if (baseline)
            other += time_turn(baseline, rig, turn);
        own += time_turn(what, rig, turn);
    }
    REQUIRE(grt_device_synchronize(rig->device));
    *out_time = 1e9 * own / BENCH_BATCH;
    *out_over = 1e9 * (own - other) / BENCH_BATCH;
}

static void warm(const bench_case *what, bench_rig *rig, int batches)
{
    double time, over;
    for (int i = 0; i < batches; i++)
        time_batch(what, rig, BENCH_BATCH, &time, &over);
}

static double times[MAX_CASES][MAX_SAMPLES];
static double differences[MAX_CASES][MAX_SAMPLES];

static void report_wall(const settings *how, FILE *file)
{
    for (size_t i = 0; i < bench_case_count; i++) {
        if (!wanted(how, &bench_cases[i]))
            continue;
        measurement is = {.unit = "ns",
                          .value = median(times[i], how->samples),
                          .over = median(differences[i], how->samples)};
        is.spread = spread(times[i], how->samples, is.value);
        is.over_spread = spread(differences[i], how->samples, is.over);
        json_result(file, &bench_cases[i], &is);
        printf("%-34s %2d buffers %9.1f ns  +-%-6.1f", bench_cases[i].name, bench_cases[i].buffers, is.value,
               is.spread);
        if (bench_cases[i].baseline)
            printf(" %8.1f +-%-5.1f over %s", is.over, is.over_spread, bench_cases[i].baseline);
        printf("\n");
    }
}

static void measure_wall(const settings *how, bench_rig *rigs, FILE *file)
{
    for (size_t i = 0; i < bench_case_count; i++)
        if (wanted(how, &bench_cases[i]))
            warm(&bench_cases[i], &rigs[bench_cases[i].several_streams], WARM_BATCHES);
    for (int sample = 0; sample < how->samples; sample++)
        for (size_t i = 0; i < bench_case_count; i++)
            if (wanted(how, &bench_cases[i]))
                time_batch(&bench_cases[i], &rigs[bench_cases[i].several_streams], how->turn,
                           &times[i][sample], &differences[i][sample]);
    report_wall(how, file);
}

static const shim_control *find_shim(void)
{
    const char *name = getenv("GUARDRT_CUDA_LIBRARY");
    void *library = name ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
    const shim_control *control = library ? dlsym(library, "shim_control_table") : NULL;
    if (!control) {
        fprintf(stderr, "--mode calls: GUARDRT_CUDA_LIBRARY does not name a counting shim\n");
        exit(EXIT_FAILURE);
    }
    return control;
}

static void measure_calls(const settings *how, bench_rig *rigs, FILE *file)
{
    const shim_control *control = find_shim();
    for (size_t i = 0; i < bench_case_count; i++) {
        bench_rig *rig = &rigs[bench_cases[i].several_streams];
        if (!wanted(how, &bench_cases[i]))
            continue;
        warm(&bench_cases[i], rig, WARM_BATCHES);
        uint64_t before = control->count(NULL);
        bench_cases[i].run(rig, bench_cases[i].buffers, BENCH_BATCH);
        double calls = (double)(control->count(NULL) - before) / BENCH_BATCH;
        REQUIRE(grt_device_synchronize(rig->device));
        json_result(file, &bench_cases[i], &(measurement){.unit = "calls", .value = calls});
        printf("%-34s %2d buffers %9.2f driver calls\n", bench_cases[i].name, bench_cases[i].buffers, calls);
    }
}

/* Callgrind collects inside this function only. */
__attribute__((noinline)) void bench_measured(const bench_case *what, bench_rig *rig);
void bench_measured(const bench_case *what, bench_rig *rig)
{
    what->run(rig, what->buffers, BENCH_BATCH);
}

static void measure_instructions(const settings *how, bench_rig *rigs)
{
    for (size_t i = 0; i < bench_case_count; i++) {
        bench_rig *rig = &rigs[bench_cases[i].several_streams];
        if (!wanted(how, &bench_cases[i]))
            continue;
        warm(&bench_cases[i], rig, WARM_BATCHES);
        bench_measured(&bench_cases[i], rig);
    }
}

/* A steady program makes no event and allocates nothing. */
static void measure_steadiness(bench_rig *rig)
{
    bench_case steady = bench_cases[0];
    for (size_t i = 0; i < bench_case_count; i++)
        if (strcmp(bench_cases[i].name, "guardrt several streams") == 0)
            steady = bench_cases[i];
    warm(&steady, rig, 1);
    uint64_t events = grt_device_measure(rig->device).events_created;
    size_t bytes = mallinfo2().uordblks;
    warm(&steady, rig, 100);
    printf("steady state, %d launches: %llu events created, %lld bytes more allocated by the host\n",
           100 * BENCH_BATCH, (unsigned long long)(grt_device_measure(rig->device).events_created - events),
           (long long)mallinfo2().uordblks - (long long)bytes);
}

/* ---- Command line ---- */

static settings parse(int argc, char **argv)
{
    settings how = {.mode = "wall", .samples = 200, .turn = 16};
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--mode") == 0)
            how.mode = argv[i + 1];
        else if (strcmp(argv[i], "--case") == 0)
            how.only = argv[i + 1];
        else if (strcmp(argv[i], "--buffers") == 0)
            how.buffers = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--samples") == 0)
            how.samples = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--turn") == 0)
            how.turn = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--readers") == 0)
            how.readers = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--json") == 0)
            how.json = argv[i + 1];
        else
            how.samples = 0;
    }
    if (how.samples < 1 || how.samples > MAX_SAMPLES || how.turn < 1 || BENCH_BATCH % how.turn != 0 ||
        argc % 2 == 0) {
        fprintf(stderr,
                "usage: %s [--mode wall|calls|instructions] [--case TEXT] [--buffers N] [--samples N]"
                " [--turn DIVISOR-OF-256] [--readers ROUNDS] [--json FILE]\n",
                argv[0]);
        exit(EXIT_FAILURE);
    }
    return how;
}

int main(int argc, char **argv)
{
    settings how = parse(argc, argv);
    bench_rig rigs[2] = {0};
    rig_open(&rigs[0], 1);
    rig_open(&rigs[1], 2);
    FILE *file = fopen(how.json ? how.json : "/dev/null", "w");
    if (!file) {
        perror(how.json);
        return EXIT_FAILURE;
    }
    json_begin(file, &how, &rigs[0]);
    if (strcmp(how.mode, "calls") == 0)
        measure_calls(&how, rigs, file);
    else if (strcmp(how.mode, "instructions") == 0)
        measure_instructions(&how, rigs);
    else
        measure_wall(&how, rigs, file);
    fprintf(file, "\n  ]\n}\n");
    if (strcmp(how.mode, "wall") == 0)
        measure_steadiness(&rigs[1]);
    if (how.readers > 0) {
        bench_halves(&rigs[1]);
        bench_readers(&rigs[1], how.readers);
    }
    rig_close(&rigs[0]);
    rig_close(&rigs[1]);
    return fclose(file) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
