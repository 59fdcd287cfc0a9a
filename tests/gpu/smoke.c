// Every operation of the CUDA device once, on a real GPU, without the rest of the program: jobs made by hand, a line
// each with what came of it. Exit 77 without a GPU; 1 when a line is not what it should be.
// SPDX-License-Identifier: MIT
#include "device/device.h"
#include "spec/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern const struct device_ops device_cuda;

static const char *const copy_source =
    "extern \"C\" __global__ void work(const float *in, float *out, size_t n, size_t step)\n"
    "{ size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[(i * step) % n]; }\n"
    "__device__ bool check(size_t i, const float *in, const float *out, size_t n, size_t step)\n"
    "{ return out[i] == in[(i * step) % n]; }\n";
static const char *const wrong_source =
    "extern \"C\" __global__ void work(const float *in, float *out, size_t n, size_t step)\n"
    "{ size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; if (i < n && i % 1000) out[i] = in[(i * step) % n]; "
    "}\n"
    "__device__ bool check(size_t i, const float *in, const float *out, size_t n, size_t step)\n"
    "{ return out[i] == in[(i * step) % n]; }\n";
static const char *const out_of_bounds_source =
    "extern \"C\" __global__ void work(const float *in, float *out, size_t n, size_t step)\n"
    "{ out[(size_t)threadIdx.x << 40] = in[0]; }\n";
static const char *const assert_source = "extern \"C\" __global__ void work(const float *in, float *out, size_t n, "
                                         "size_t step) { asm volatile(\"trap;\"); }\n";
static const char *const misaligned_source =
    "extern \"C\" __global__ void work(const float *in, float *out, size_t n, size_t step)\n"
    "{ *(float4 *)(out + 1 + threadIdx.x) = make_float4(1, 2, 3, 4); }\n";
static const char *const in_place_source =
    "extern \"C\" __global__ void work(float *in, float *out, size_t n, size_t step)\n"
    "{ size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { out[i] = in[i]; in[i] += 1; } }\n"
    "__device__ bool check(size_t i, const float *in_before, const float *in, const float *out, size_t n, size_t "
    "step)\n"
    "{ return in[i] == in_before[i] + 1 && out[i] == in_before[i]; }\n";
static const char *const shared_source =
    "extern \"C\" __global__ void work(const float *in, float *out, size_t n, size_t step)\n"
    "{ __shared__ float t[32][32]; size_t i = (size_t)blockIdx.x * 1024 + threadIdx.x; int "
    "x = threadIdx.x % 32, y = threadIdx.x / 32;\n"
    "  for (int k = 0; k < 32; k += 8) t[y + k][x] = in[i + k * 32]; __syncthreads();\n"
    "  for (int k = 0; k < 32; k += 8) out[i + k * 32] = t[x][y + k]; }\n";

struct setting_pair {
    enum setting key;
    struct value value;
};
#define T(key, t) \
    { \
        SETTING_##key, \
        { \
            VALUE_TEXT, { .text = (t) } \
        } \
    }
#define I(key, n) \
    { \
        SETTING_##key, \
        { \
            VALUE_INT, { .i = (n) } \
        } \
    }
#define R(key, x) \
    { \
        SETTING_##key, \
        { \
            VALUE_REAL, { .r = (x) } \
        } \
    }
#define B(key) \
    { \
        SETTING_##key, \
        { \
            VALUE_BOOL, { .b = true } \
        } \
    }

struct trial {
    const char *name, *source, *memory;
    uint64_t n, step;
    struct setting_pair settings[8];
    int batch;
    enum fill fill;
    bool both, count, unchecked, skips, wrong, fails; // what is expected of it
    uint32_t threads, each;                           // elements a thread: 1 where 0
};

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static struct job job_of(const struct trial *t, struct arena *a)
{
    static const struct argument in_place[] = {{.name = "i", .type = "size_t"},
        {.name = "in_before", .type = "const float *"}, {.name = "in", .type = "const float *"},
        {.name = "out", .type = "const float *"}, {.name = "n", .type = "size_t"}, {.name = "step", .type = "size_t"}};
    static const struct argument plain[] = {{.name = "i", .type = "size_t"}, {.name = "in", .type = "const float *"},
        {.name = "out", .type = "const float *"}, {.name = "n", .type = "size_t"}, {.name = "step", .type = "size_t"}};
    static const struct function check_plain = {.name = "check", .arguments = plain, .count = 5, .line = 1},
                                 check_both = {.name = "check", .arguments = in_place, .count = 6, .line = 1};
    const uint32_t threads = t->threads ? t->threads : 256;
    const uint64_t n = t->n ? t->n : 16 << 20;
    struct job_buffer *buffers = arena_alloc(a, 2 * sizeof *buffers);
    for (int i = 0; i < 2; i++)
        buffers[i] = (struct job_buffer){.name = i ? "out" : "in",
            .type = "float",
            .scalar = "float",
            .lanes = 1,
            .count = n,
            .element_bytes = 4,
            .bytes = 4 * n,
            .step = 1,
            .extent = {n, 1, 1},
            .rank = 1,
            .access = i   ? ACCESS_WRITE
                : t->both ? ACCESS_BOTH
                          : ACCESS_READ,
            .fill = i     ? FILL_NONE
                : t->fill ? t->fill
                          : FILL_RANDOM,
            .memory = t->memory ? t->memory : "device"};
    struct job_argument *arguments = arena_alloc(a, 4 * sizeof *arguments);
    arguments[0] = (struct job_argument){.buffer = 0, .report = -1, .name = "in", .type = "const float *"};
    arguments[1] = (struct job_argument){.buffer = 1, .report = -1, .name = "out", .type = "float *"};
    arguments[2] = (struct job_argument){
        .buffer = -1, .report = -1, .value = value_int((int64_t)n), .name = "n", .type = "size_t"};
    arguments[3] = (struct job_argument){.buffer = -1,
        .report = -1,
        .value = value_int((int64_t)(t->step ? t->step : 1)),
        .name = "step",
        .type = "size_t"};
    struct job job = {.experiment = "smoke",
        .kernel = t->name,
        .path = "smoke.cu",
        .source = t->source ? t->source : copy_source,
        .entry = "work",
        .buffers = buffers,
        .buffer_count = 2,
        .arguments = arguments,
        .argument_count = 4,
        .scalars = arguments + 2,
        .scalar_count = 2,
        .check = t->unchecked ? NULL
            : t->both         ? &check_both
                              : &check_plain,
        .check_count = n,
        .grid = {(uint32_t)((n + threads - 1) / threads / (t->each ? t->each : 1)), 1, 1},
        .block = {threads, 1, 1},
        .useful_bytes = 8.0 * (double)n,
        .flops = NAN};
    for (int s = 0; s < SETTING_COUNT; s++) job.settings[s] = setting_default((enum setting)s);
    for (int s = 0; s < 8 && t->settings[s].value.kind != VALUE_NONE; s++)
        job.settings[t->settings[s].key] = t->settings[s].value;
    return job;
}

static bool sample(struct device *d, const struct job *job, int batch, struct sample *s, struct diags *diags)
{
    const struct device_ops *o = &device_cuda;
    const bool cold =
        job->settings[SETTING_CACHE].kind != VALUE_TEXT || strcmp(job->settings[SETTING_CACHE].text, "warm") != 0;
    if (!o->restore(d, diags) || (cold && !o->flush(d, diags)) || !o->begin(d, diags)) return false;
    for (int i = 0; i < batch; i++)
        if (!o->submit(d, diags)) return false;
    return o->end(d, diags) && o->wait(d, s, diags);
}

static int by_us(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool report(const struct trial *t, bool good, const char *what)
{
    printf("%-4s %-26s %s\n", good ? "ok" : "BAD", t->name, what);
    fflush(stdout);
    return good;
}

static bool failure(const struct trial *t, bool expected, const char *where, struct diags *diags)
{
    char text[600];
    snprintf(text, sizeof text, "%s: %s", where, diags_first(diags));
    diags_clear(diags);
    return report(t, expected, text);
}

static bool trial_run(struct device *d, const struct trial *t, struct arena *a)
{
    const struct device_ops *o = &device_cuda;
    struct diags diags = {0};
    struct job job = job_of(t, a);
    char why[256] = "", text[600], source[16] = "";
    double columns[COLUMN_COUNT], us[12] = {0}, mhz = 0;
    struct result_check v = {0};
    bool skip = false;
    int throttled = 0;
    for (int c = 0; c < COLUMN_COUNT; c++) columns[c] = NAN;
    o->unfit(d, &job, why);
    if (*why) return report(t, t->skips, why);
    const double start = now_ms();
    if (!o->prepare(d, &job, columns, &skip, &diags)) {
        o->finish(d);
        return failure(t, skip ? t->skips : t->fails, skip ? "skipped" : "prepare", &diags);
    }
    const double prepared = now_ms();
    if (!o->verify(d, &v, &diags)) return failure(t, t->fails, "verify", &diags);
    const double verified = now_ms();
    if (t->count && !o->count_accesses(d, columns, source, &diags)) failure(t, false, "count", &diags);
    const double counted = now_ms();
    const int batch = t->batch ? t->batch : 1;
    for (int i = 0; i < 12; i++) {
        struct sample s;
        if (!sample(d, &job, batch, &s, &diags)) return failure(t, false, "sample", &diags);
        us[i] = s.us / batch;
        mhz = s.clock_mhz;
        throttled += s.throttled;
    }
    const double sampled = now_ms();
    o->finish(d);
    qsort(us + 2, 10, sizeof *us, by_us); // the first two are warm-up
    int n = snprintf(text, sizeof text,
        "%9.2f us (%.2f..%.2f) %7.1f GB/s %5.0f MHz thr %d | prepare %.1f verify %.1f count %.1f sample %.2f ms | "
        "wrong %llu/%llu",
        us[7], us[2], us[11], job.useful_bytes / us[7] / 1e3, mhz, throttled, prepared - start, verified - prepared,
        counted - verified, (sampled - counted) / 12, (unsigned long long)v.wrong, (unsigned long long)v.checked);
    if (*source)
        snprintf(text + n, sizeof text - (size_t)n,
            "\n     %s: ld %.0f/%.0f st %.0f/%.0f shared %.0f wav %.0f conf %.0f dram %.0f/%.0f l2r %.0f local %.0f",
            source, columns[COLUMN_LD_REQUESTS], columns[COLUMN_LD_SECTORS], columns[COLUMN_ST_REQUESTS],
            columns[COLUMN_ST_SECTORS], columns[COLUMN_SHARED_REQUESTS], columns[COLUMN_SHARED_WAVEFRONTS],
            columns[COLUMN_BANK_CONFLICTS], columns[COLUMN_DRAM_READ_BYTES], columns[COLUMN_DRAM_WRITE_BYTES],
            columns[COLUMN_L2_READ_SECTORS], columns[COLUMN_LOCAL_REQUESTS]);
    for (size_t i = 0; i < diags.count; i++) printf("     note: %s\n", diags.items[i].what);
    diags_clear(&diags);
    return report(t, (t->wrong ? v.wrong > 0 : v.wrong == 0) && !t->fails && !t->skips, text);
}

static const struct trial fatal[] = {
    {.name = "illegal address", .source = out_of_bounds_source, .unchecked = true, .fails = true},
    {.name = "misaligned", .source = misaligned_source, .unchecked = true, .fails = true},
    {.name = "trap", .source = assert_source, .unchecked = true, .fails = true},
};
#define SMALL (256u << 10)
static const struct trial trials[] = {
    {.name = "copy 64Mi", .n = 64 << 20, .count = true},
    {.name = "copy 64Mi again", .n = 64 << 20},
    {.name = "stride 8, 64Mi", .n = 64 << 20, .step = 8, .count = true},
    {.name = "stride 32, 64Mi", .n = 64 << 20, .step = 32, .count = true},
    {.name = "copy 16Mi", .count = true},
    {.name = "copy 16Mi graph", .settings = {T(VIA, "graph")}},
    {.name = "copy 1 MiB cold", .n = SMALL, .count = true},
    {.name = "copy 1 MiB warm", .n = SMALL, .settings = {T(CACHE, "warm")}, .count = true},
    {.name = "copy 1 MiB warm x100", .n = SMALL, .settings = {T(CACHE, "warm")}, .batch = 100},
    {.name = "copy 1 MiB warm x500", .n = SMALL, .settings = {T(CACHE, "warm")}, .batch = 500},
    {.name = "shared tile", .source = shared_source, .unchecked = true, .count = true, .n = 4 << 20, .each = 4},
    {.name = "in place", .source = in_place_source, .both = true},
    {.name = "index", .fill = FILL_INDEX},
    {.name = "cycle", .fill = FILL_CYCLE, .n = 1 << 20},
    {.name = "wrong", .source = wrong_source, .wrong = true},
    {.name = "too many threads", .threads = 2048, .skips = true},
    {.name = "1 TiB", .n = (uint64_t)1 << 38, .fails = true},
    {.name = "pool", .memory = "pool"},
    {.name = "mapped", .memory = "mapped"},
    {.name = "managed host", .memory = "managed"},
    {.name = "managed device", .memory = "managed", .settings = {T(TOUCH, "device")}},
    {.name = "managed warp", .memory = "managed", .settings = {T(TOUCH, "warp_per_page")}},
    {.name = "managed prefetch", .memory = "managed", .settings = {B(PREFETCH)}},
    {.name = "managed read_mostly", .memory = "managed", .settings = {T(ADVISE, "read_mostly")}},
    {.name = "managed preferred", .memory = "managed", .settings = {T(ADVISE, "preferred_location")}},
    {.name = "managed accessed_by", .memory = "managed", .settings = {T(ADVISE, "accessed_by")}},
    {.name = "managed prefetch_device", .memory = "managed", .settings = {T(TIMED, "prefetch_device")}},
    {.name = "managed prefetch_host", .memory = "managed", .settings = {T(TIMED, "prefetch_host")}},
    {.name = "copy by the runtime", .settings = {T(TIMED, "copy")}},
    {.name = "copy to the host", .memory = "mapped", .settings = {T(TIMED, "copy"), I(STREAMS, 2)}},
    {.name = "allocate", .settings = {T(TIMED, "allocate")}},
    {.name = "allocate pool", .memory = "pool", .settings = {T(TIMED, "allocate")}},
    {.name = "allocate managed", .memory = "managed", .settings = {T(TIMED, "allocate")}},
    {.name = "allocate mapped", .memory = "mapped", .settings = {T(TIMED, "allocate")}},
    {.name = "upload pageable", .settings = {T(TIMED, "upload")}},
    {.name = "upload pinned", .settings = {T(TIMED, "upload"), T(HOST, "pinned")}},
    {.name = "upload write_combined", .settings = {T(TIMED, "upload"), T(HOST, "write_combined")}},
    {.name = "upload registered", .settings = {T(TIMED, "upload"), T(HOST, "registered")}},
    {.name = "upload portable", .settings = {T(TIMED, "upload"), T(HOST, "portable")}},
    {.name = "download pageable", .settings = {T(TIMED, "download")}},
    {.name = "download pinned", .settings = {T(TIMED, "download"), T(HOST, "pinned")}},
    {.name = "roundtrip pinned", .settings = {T(TIMED, "roundtrip"), T(HOST, "pinned")}},
    {.name = "roundtrip 8 chunks 4 str",
        .settings = {T(TIMED, "roundtrip"), T(HOST, "pinned"), I(CHUNKS, 8), I(STREAMS, 4)}},
    {.name = "roundtrip in place",
        .source = in_place_source,
        .both = true,
        .settings = {T(TIMED, "roundtrip"), T(HOST, "pinned")}},
    {.name = "window 8 MiB", .n = 2 << 20, .settings = {T(WINDOW_BUFFER, "in"), R(PERSIST, 0.5)}, .count = true},
    {.name = "window 8 MiB graph",
        .n = 2 << 20,
        .settings = {T(WINDOW_BUFFER, "in"), R(PERSIST, 0.5), T(VIA, "graph")}},
    {.name = "window 8 MiB none after", .n = 2 << 20},
    {.name = "window too large", .n = 128 << 20, .settings = {T(WINDOW_BUFFER, "in"), R(PERSIST, 1.0)}, .fails = true},
    {.name = "fetch 32, stride 32", .step = 32, .settings = {I(FETCH, 32)}, .count = true},
    {.name = "fetch 64, stride 32", .step = 32, .settings = {I(FETCH, 64)}, .count = true},
    {.name = "fetch 128, stride 32", .step = 32, .settings = {I(FETCH, 128)}, .count = true},
};

// Each of these costs the process its GPU: a process each.
static bool fatal_run(const struct trial *t)
{
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        struct diags diags = {0};
        struct device *d = device_cuda.open("cuda:0", &diags);
        if (!d) _exit(2);
        const bool good = trial_run(d, t, arena_new());
        _exit(good && device_cuda.broken(d) ? 0 : 1);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void print_facts(struct device *d)
{
    struct arena *a = arena_new();
    struct device_fact *facts;
    const size_t n = device_cuda.facts(d, a, &facts);
    for (size_t i = 0; i < n; i++) {
        struct str s = {0};
        value_print(facts[i].value, &s);
        printf("     %-24s %s %s\n", facts[i].name, s.text ? s.text : "", facts[i].unit);
        str_release(&s);
    }
    arena_free(a);
}

// Only compiles what the trials need: for a machine with the Toolkit and no GPU.
static int compile_all(void)
{
    int bad = 0;
    const size_t fatals = sizeof fatal / sizeof *fatal, all = fatals + sizeof trials / sizeof *trials;
    for (size_t i = 0; i < all; i++) {
        const struct trial *t = i < fatals ? &fatal[i] : &trials[i - fatals];
        struct arena *a = arena_new();
        struct diags diags = {0};
        struct code *code = NULL;
        const struct job job = job_of(t, a);
        char *source = compile_source(&job, &diags);
        const struct compile_options options = {.arch = "sm_90"};
        const bool good = source && compile_code(source, job.path, &options, &code, &diags);
        report(t, good, diags_first(&diags));
        bad += !good;
        code_free(code);
        free(source);
        diags_clear(&diags);
        arena_free(a);
    }
    return bad != 0;
}

int main(int argc, char **argv)
{
    char why[256];
    struct diags diags = {0};
    int bad = 0;
    if (argc > 1 && strcmp(argv[1], "--compile") == 0) return compile_all();
    if (device_cuda.count(why) == 0) {
        printf("%s\n", why);
        return 77;
    }
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) bad += !fatal_run(&fatal[i]);
    const double start = now_ms();
    struct device *d = device_cuda.open("cuda:0", &diags);
    if (!d) {
        diags_print(&diags, stdout);
        return 1;
    }
    struct device_identity id;
    device_cuda.identity(d, &id);
    printf("     %s; peak %.1f GB/s; opened in %.0f ms\n", id.identity, id.peak_gbps, now_ms() - start);
    print_facts(d);
    struct arena *a = arena_new();
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) bad += !trial_run(d, &trials[i], a);
    device_cuda.close(d);
    arena_free(a);
    printf("%d bad\n", bad);
    return bad != 0;
}
