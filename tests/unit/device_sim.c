// The simulator as a device: whole points with kernels of their own, by whichever compiler is here. Right results,
// exact counts, faults with their line, contents that are kept, and what it refuses.
// SPDX-License-Identifier: MIT
#include "device/host_fill.h"
#include "device/sim/sim_device.h"
#include "unit/compilers.h"
#include "spec/columns.h"

#include <stdlib.h>
#include <unistd.h>

enum { N = 1 << 16 };

// A job with an input `in`, an output `out`, and a parameter `by`; tests change what they need.
struct example {
    struct job job;
    struct job_buffer buffers[2];
    struct job_constant constants[1];
    struct job_argument arguments[4], scalars[1];
    struct report_value reports[1];
    struct argument check_arguments[8];
    struct function check;
};

static void example(struct example *e, const char *source, const char *check)
{
    char *name, *rest, list[256];
    static char names[8][32];
    memset(e, 0, sizeof *e);
    e->buffers[0] = (struct job_buffer){.name = "in",
        .as = "in",
        .type = "float",
        .scalar = "float",
        .lanes = 1,
        .count = N,
        .element_bytes = 4,
        .bytes = N * 4,
        .step = 1,
        .extent = {N, 1, 1},
        .rank = 1,
        .access = ACCESS_READ,
        .fill = FILL_RANDOM,
        .memory = "device"};
    e->buffers[1] = (struct job_buffer){.name = "out",
        .as = "out",
        .type = "float",
        .scalar = "float",
        .lanes = 1,
        .count = N,
        .element_bytes = 4,
        .bytes = N * 4,
        .step = 1,
        .extent = {N, 1, 1},
        .rank = 1,
        .access = ACCESS_WRITE,
        .fill = FILL_NONE,
        .memory = "managed"};
    e->constants[0] = (struct job_constant){PARAM_CONSTANT, "n", value_int(N), NULL};
    e->arguments[0] =
        (struct job_argument){.buffer = 0, .report = -1, .name = "in", .type = "const float *", .part = PART_ADDRESS};
    e->arguments[1] =
        (struct job_argument){.buffer = 1, .report = -1, .name = "out", .type = "float *", .part = PART_ADDRESS};
    e->arguments[2] = (struct job_argument){
        .buffer = -1, .report = -1, .value = value_int(3), .name = "by", .type = "short", .part = PART_ADDRESS};
    e->scalars[0] = e->arguments[2];
    e->job = (struct job){.path = "kernels/test.cu",
        .source = source,
        .entry = "k",
        .constants = e->constants,
        .constant_count = 1,
        .buffers = e->buffers,
        .buffer_count = 2,
        .arguments = e->arguments,
        .argument_count = 3,
        .scalars = e->scalars,
        .scalar_count = 1,
        .check_count = N,
        .grid = {N / 256, 1, 1},
        .block = {256, 1, 1}};
    for (int s = 0; s < SETTING_COUNT; s++) e->job.settings[s] = setting_default((enum setting)s);
    if (!check) return;
    e->check = (struct function){.name = "check", .arguments = e->check_arguments, .count = 1, .line = 1};
    e->job.check = &e->check;
    snprintf(list, sizeof list, "%s", check);
    for (name = strtok_r(list, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
        snprintf(names[e->check.count], sizeof names[0], "%s", name);
        e->check_arguments[e->check.count] = (struct argument){.name = names[e->check.count], .type = ""};
        e->check.count++;
    }
}

struct outcome {
    bool prepared, verified, skip;
    struct result_check verdict;
    double columns[COLUMN_COUNT];
    char source[16], first[512], warning[256];
    double reports[4];
};

static struct outcome point(struct device *dev, const struct job *job)
{
    struct outcome o = {0};
    struct diags d = {0};
    for (int c = 0; c < COLUMN_COUNT; c++) o.columns[c] = NAN;
    o.prepared = device_sim.prepare(dev, job, o.columns, &o.skip, &d);
    if (o.prepared) o.verified = device_sim.verify(dev, &o.verdict, &d);
    if (o.verified) CHECK(device_sim.count_accesses(dev, o.columns, o.source, &d));
    if (o.verified) CHECK(device_sim.reports(dev, o.reports, &d));
    snprintf(o.first, sizeof o.first, "%s", diags_first(&d));
    for (size_t i = 0; i < d.count; i++)
        if (d.items[i].kind == DIAG_WARNING) snprintf(o.warning, sizeof o.warning, "%s", d.items[i].what);
    device_sim.finish(dev);
    diags_clear(&d);
    return o;
}

static const char scale[] = "extern \"C\" __global__ void k(const float *in, float *out, short by)\n"
                            "{\n"
                            "    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "    out[i] = in[i * 2 % n] * by;\n"
                            "}\n"
                            "__device__ bool check(size_t i, const float *in, const float *out, int by) { return "
                            "out[i] == in[i * 2 % n] * by; }\n";

static void test_right(struct device *dev)
{
    struct example e;
    example(&e, scale, "in out by");
    struct outcome o = point(dev, &e.job);
    if (*o.first) printf("%s\n", o.first);
    CHECK(o.prepared && o.verified && o.verdict.verified);
    CHECK_INT(o.verdict.wrong, 0);
    CHECK_INT(o.verdict.checked, N);
    CHECK_INT(o.columns[COLUMN_LD_REQUESTS], N / 32);
    CHECK_INT(o.columns[COLUMN_LD_SECTORS], N / 32 * 8);
    CHECK_INT(o.columns[COLUMN_ST_REQUESTS], N / 32);
    CHECK_INT(o.columns[COLUMN_ST_SECTORS], N / 32 * 4);
    CHECK_INT(o.columns[COLUMN_SECTORS_PER_REQUEST], 8);
    CHECK_INT(o.columns[COLUMN_LANES_PER_ACCESS], 32);
    CHECK_INT(o.columns[COLUMN_LOCAL_REQUESTS], 0);
    CHECK(isnan(o.columns[COLUMN_SHARED_LD_WAVEFRONTS_PER_REQUEST]));
    CHECK_INT(o.columns[COLUMN_MEMORY_BYTES], N * 8);
    CHECK_TEXT(o.source, isnan(o.columns[COLUMN_REGS]) ? "ptx" : "sass"); // clang makes no machine code
    CHECK(isnan(o.columns[COLUMN_TIME_US]));
}

// An array of a thread lies in local memory too, below the spills. Each spill is done once here, so each thread moves
// as many bytes as the compiler tells.
static void test_spills_beside_an_array(struct device *dev)
{
    struct example e;
    example(&e,
        "extern \"C\" __global__ void k(const float *in, float *out, short by)\n"
        "{\n"
        "    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    double q[10];\n"
        "    float b[30], v = 0;\n"
        "    for (int j = 0; j < 10; j++) q[j] = in[(i + j * 37) % n];\n"
        "    q[(i * 7) % 10] += 1;\n"
        "    for (int j = 0; j < 30; j++) b[j] = in[(i * 3 + j * 64) % n];\n"
        "    for (int j = 0; j < 30; j++) v += b[j] * q[2] * b[(j + 7) % 30];\n"
        "    __syncthreads();\n"
        "    for (int j = 0; j < 30; j++) v = v * b[29 - j] + q[4];\n"
        "    out[i] = v + q[(i + by) % 10];\n"
        "}\n",
        NULL);
    e.job.settings[SETTING_MAXREGS] = value_int(24);
    struct outcome o = point(dev, &e.job);
    const double *c = o.columns;
    const double threads = e.job.grid[0] * e.job.block[0];
    CHECK(o.prepared && o.verified);
    if (strcmp(o.source, "sass") != 0) return;
    CHECK(c[COLUMN_SPILL_BYTES] > 0);
    CHECK(c[COLUMN_SPILLED_BYTES] == threads * c[COLUMN_SPILL_BYTES]);
    CHECK(c[COLUMN_SPILLED_BYTES] < 32 * c[COLUMN_LOCAL_SECTORS]);
}

// Registers that do not fit are kept in local memory by ptxas, which the PTX does not show: where the compiler tells of
// it, the row says that its local traffic is a lower bound.
static void test_spills(struct device *dev)
{
    struct example e;
    example(&e,
        "extern \"C\" __global__ void k(const float *in, float *out, short by)\n"
        "{\n"
        "    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    float v[64], sum = 0;\n"
        "    for (int j = 0; j < 64; j++) v[j] = in[(i + j) % n];\n"
        "    for (int r = 0; r < by; r++) for (int j = 0; j < 64; j++) v[j] = v[j] * v[(j + 7) % 64] + sum, sum += "
        "v[j];\n"
        "    for (int j = 0; j < 64; j++) sum += v[j];\n"
        "    out[i] = sum;\n"
        "}\n",
        NULL);
    e.job.settings[SETTING_MAXREGS] = value_int(24);
    struct outcome o = point(dev, &e.job);
    CHECK(o.prepared && o.verified);
    const bool spills = o.columns[COLUMN_SPILL_BYTES] > 0, machine = strcmp(o.source, "sass") == 0;
    CHECK((spills && !machine) == (strstr(o.warning, "lower bound") != NULL));
    CHECK(!machine || spills == (o.columns[COLUMN_LOCAL_REQUESTS] > 0)); // there the spills are seen
    CHECK(!machine || o.columns[COLUMN_SPILLED_BYTES] == 32 * o.columns[COLUMN_LOCAL_SECTORS]);
    e.job.settings[SETTING_MAXREGS] = setting_default(SETTING_MAXREGS);
    CHECK_TEXT(point(dev, &e.job).warning, "");
}

// The input of the last point is still there; what is written to is not kept; another length is another content.
static void test_kept(struct device *dev)
{
    struct example e;
    example(&e, scale, "in out by");
    const struct sim_block *kept = sim_device_of(dev)->blocks;
    CHECK(kept && !kept->next && kept->content && !kept->used);
    const uint64_t address = kept ? kept->address : 0;
    e.arguments[2].value = e.scalars[0].value = value_int(-5);
    struct outcome o = point(dev, &e.job);
    CHECK(o.verified && o.verdict.wrong == 0 && sim_device_of(dev)->blocks &&
        sim_device_of(dev)->blocks->address == address);
    e.buffers[0].count = N + 1;
    e.buffers[0].bytes = (N + 1) * 4;
    const uint64_t content = sim_device_of(dev)->blocks ? sim_device_of(dev)->blocks->content : 0;
    o = point(dev, &e.job);
    CHECK(o.verified && o.verdict.wrong == 0 && sim_device_of(dev)->blocks &&
        sim_device_of(dev)->blocks->content != content);
}

// An input of the same size and other content is not the one that was kept, whatever makes it another: the kind of
// fill, its step, the buffer's name (which seeds it), its type.
static void test_other_content(struct device *dev)
{
    static const char *const changes[] = {"fill", "step", "name", "type"};
    struct example e;
    for (int c = 0; c < 4; c++) {
        example(&e, scale, NULL);
        e.buffers[0].fill = c == 1 ? FILL_CYCLE : FILL_RANDOM;
        CHECK(point(dev, &e.job).verified);
        if (c == 0) e.buffers[0].fill = FILL_INDEX;
        if (c == 1) e.buffers[0].step = 7;
        if (c == 2) e.buffers[0].name = "input";
        if (c == 3) e.buffers[0].type = e.buffers[0].scalar = "int";
        CHECK(point(dev, &e.job).verified);
        float *want = malloc(4 * N);
        host_fill_buffer(&e.buffers[0], want, 1);
        const struct sim_block *now = sim_device_of(dev)->blocks;
        CHECK(now && !now->next && now->bytes == 4 * N);
        const bool right = now && memcmp(sim_host(sim_device_of(dev)->sim, now->address, 4 * N), want, 4 * N) == 0;
        if (!right) printf("another %s, and the content is the old one\n", changes[c]);
        CHECK(right);
        free(want);
    }
}

static void test_wrong(struct device *dev)
{
    struct example e;
    static const char lazy[] =
        "extern \"C\" __global__ void k(const float *in, float *out, short by)\n"
        "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < 1000 || i % 2) out[i] = in[i] * by; }\n"
        "__device__ bool check(size_t i, const float *in, const float *out, short by)\n"
        "{ return fabsf(out[i] - in[i] * by) <= 1e-3f; }\n";
    example(&e, lazy, "in out by");
    struct outcome o = point(dev, &e.job);
    CHECK(o.verified);
    CHECK_INT(o.verdict.wrong, (N - 1000) / 2); // what was not written is poison, never right
    CHECK_INT(o.verdict.first, 1000);
    CHECK(!sim_device_of(dev)->blocks); // and the input is not trusted any more
}

// Of machine code the instruction is named behind the line: " (STG at 0x120)".
static const char *plainly(char *text)
{
    char *from = strstr(text, " ("), *to = from ? strstr(from, ") by ") : NULL;
    if (to && strstr(from, " at 0x")) memmove(from, to + 1, strlen(to));
    return text;
}

static void test_fault(struct device *dev)
{
    struct example e;
    static const char astray[] = "extern \"C\" __global__ void k(const float *in, float *out, short by)\n"
                                 "{\n"
                                 "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                 "    out[i + 1] = in[i];\n"
                                 "}\n";
    example(&e, astray, NULL);
    struct outcome o = point(dev, &e.job);
    CHECK(o.prepared && !o.verified && !o.skip);
    CHECK(strstr(o.first, "out-of-bounds store of 4 bytes") && strstr(o.first, "`out`"));
    CHECK(strstr(plainly(o.first), " at line 4 by block (255,0,0) warp 7 lane 31"));
    CHECK(!device_sim.broken(dev));
    example(&e, scale, "in out by");
    o = point(dev, &e.job); // and the device goes on
    CHECK(o.verified && o.verdict.wrong == 0);
}

// What a kernel should only read: a write ends the launch, the element is named, and the content is not trusted.
static void test_read_only(struct device *dev)
{
    struct example e;
    static const char marks[] = "extern \"C\" __global__ void k(float *in, float *out, short by)\n{\n"
                                "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    out[i] = in[i];\n"
                                "    if (i == 300) in[i + by] = 1;\n}\n";
    example(&e, marks, NULL);
    struct outcome o = point(dev, &e.job);
    CHECK(o.prepared && !o.verified && !o.skip);
    CHECK_TEXT(plainly(o.first),
        "store of 4 bytes to `in[303]`, which is `access: read`, at line 5 by block (1,0,0) warp 1 lane 12; with "
        "`access: both` it may");
    CHECK(!sim_device_of(dev)->blocks);
    e.buffers[0].access = ACCESS_BOTH;
    CHECK(point(dev, &e.job).verified);
    e.buffers[0].access = ACCESS_READ, e.buffers[0].memory = "pitched";
    o = point(dev, &e.job); // where rows are apart, and so is the copy of them
    CHECK(strstr(o.first, "store of 4 bytes to byte 1212 of `in`, which is `access: read`"));
}

static void test_in_place(struct device *dev)
{
    struct example e;
    static const char add[] =
        "extern \"C\" __global__ void k(const float *in, float *out, short by)\n"
        "{ int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] += in[i] + by; }\n"
        "__device__ float fill_in(size_t i, int by) { return i * 2 + by; }\n"
        "__device__ bool check(size_t i, const float *out, const float *out_before, const float *in, double by)\n"
        "{ return in[i] == i * 2 + by && out_before[i] == i && out[i] == i * 3 + 2 * by; }\n";
    example(&e, add, "out out_before in by");
    e.buffers[0].fill = FILL_CODE;
    e.buffers[1].access = ACCESS_BOTH;
    e.buffers[1].fill = FILL_INDEX;
    struct outcome o = point(dev, &e.job);
    if (*o.first) printf("%s\n", o.first);
    CHECK(o.verified && o.verdict.verified);
    CHECK_INT(o.verdict.wrong, 0);
    CHECK(!sim_device_of(dev)->blocks); // neither what code filled nor what was written to is kept
}

static void test_reports(struct device *dev)
{
    struct example e;
    static const char sum[] =
        "extern \"C\" __global__ void k(const float *in, float *out, unsigned long long *total, float factor)\n"
        "{ int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[i] * factor; atomicAdd(total, 2ull); }\n"
        "__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == in[i] * 0.25f; }\n";
    example(&e, sum, "in out");
    e.reports[0] = (struct report_value){.name = "total", .type = "unsigned long long"};
    e.job.reports = e.reports;
    e.job.report_count = 1;
    e.arguments[2] = (struct job_argument){
        .buffer = -1, .report = 0, .name = "total", .type = "unsigned long long *", .part = PART_ADDRESS};
    e.arguments[3] = (struct job_argument){
        .buffer = -1, .report = -1, .value = value_real(0.25), .name = "factor", .type = "float", .part = PART_ADDRESS};
    e.job.argument_count = 4;
    struct outcome o = point(dev, &e.job);
    CHECK(o.verified && o.verdict.wrong == 0);
    CHECK_INT(o.reports[0], 2 * N);
    CHECK_INT(o.columns[COLUMN_ATOMIC_REQUESTS], N / 32);
}

static void test_cannot(struct device *dev)
{
    struct example e;
    char why[256];
    static const char unknown[] = "extern \"C\" __global__ void k(const float *in, float *out, short by)\n"
                                  "{\n"
                                  "    asm volatile(\"mov.u32 %0, %%envreg5;\" : \"=r\"(*(int *)out));\n"
                                  "}\n";
    example(&e, unknown, NULL);
    struct outcome o = point(dev, &e.job);
    CHECK(!o.prepared && o.skip);
    CHECK(strncmp(o.first, "unsupported: %envreg5", 21) == 0);
    example(&e, scale, NULL);
    e.job.argument_count = 2;
    o = point(dev, &e.job);
    CHECK(!o.prepared && !o.skip);
    CHECK_TEXT(o.first, "`k` takes 3 arguments as compiled, 2 as described");
    example(&e, scale, NULL);
    e.job.block[0] = 2048;
    o = point(dev, &e.job);
    CHECK(!o.prepared && o.skip && strstr(o.first, "2048 threads"));
    example(&e, scale, NULL);
    device_sim.unfit(dev, &e.job, why);
    CHECK_TEXT(why, "");
    e.job.settings[SETTING_FETCH] = value_int(64);
    device_sim.unfit(dev, &e.job, why);
    CHECK_TEXT(why, "`fetch: 64` needs a CUDA device");
    example(&e, scale, NULL);
    e.buffers[1].memory = "pitched";
    device_sim.unfit(dev, &e.job, why);
    CHECK_TEXT(why, "`memory: pitched`: `out` has no rows; its `count` is one number");
}

// A launch whose PTX would take long is counted by its machine code: of its PTX only the watched blocks run. A result
// that is wrong is still told, by the PTX.
static void test_machine(void)
{
    static const char turns[] = "extern \"C\" __global__ void k(const float *in, float *out, short by)\n"
                                "{\n"
                                "    const volatile float *from = in;\n"
                                "    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n"
                                "    float last = 0;\n"
                                "    for (int turn = 0; turn < 100 * by; turn++) last = from[(i + turn) % n];\n"
                                "    out[i] = i == WRONG ? -1 : last;\n"
                                "}\n"
                                "__device__ bool check(size_t i, const float *in, const float *out, int by)\n"
                                "{ return out[i] == in[(i + 100 * by - 1) % n]; }\n";
    static char source[2][1000];
    struct diags d = {0};
    struct device *dev = device_sim.open("sim:h200", &d);
    for (int wrong = 0; wrong < 2; wrong++) {
        struct example e;
        snprintf(source[wrong], sizeof source[0], "#define WRONG %d\n%s", wrong ? N / 2 + 77 : -1, turns);
        example(&e, source[wrong], "in out by");
        e.job.settings[SETTING_MODEL] = value_text("none");
        struct outcome o = point(dev, &e.job);
        if (*o.first) printf("%s\n", o.first);
        CHECK(o.verified && o.verdict.verified);
        CHECK_INT(o.verdict.wrong, wrong);
        CHECK_INT(o.columns[COLUMN_LD_REQUESTS], N / 32 * 300);
        CHECK_INT(o.columns[COLUMN_ST_REQUESTS], N / 32);
        const bool machine = !isnan(o.columns[COLUMN_REGS]); // clang makes none
        CHECK_TEXT(o.source, machine ? "sass" : "ptx");
        CHECK(!machine || wrong || o.columns[COLUMN_INSTRUCTIONS] > N / 32 * 600);
    }
    // It reads no parameter: there is nothing to do before its first block.
    struct example e;
    example(&e, "extern \"C\" __global__ void k(const float *in, float *out, short by) {}\n", NULL);
    struct outcome o = point(dev, &e.job);
    CHECK_TEXT(o.source, isnan(o.columns[COLUMN_REGS]) ? "ptx" : "sass");
    example(&e,
        "extern \"C\" __global__ void k(const float *in, float *out, short by)\n"
        "{ if (clock64() < 0 && clock() == 7) out[0] = 1; }\n",
        NULL);
    o = point(dev, &e.job);
    CHECK_TEXT(o.source, isnan(o.columns[COLUMN_REGS]) ? "ptx" : "sass");
    device_sim.close(dev);
    diags_clear(&d);
}

// Machine code that asks for what its PTX does not was not understood: that is no fault of the kernel. Here it is that
// of another kernel.
static void test_misread(struct device *dev)
{
    static const char mistaken[] = "extern \"C\" __global__ void k(const float *in, float *out, short by)\n"
                                   "{ out[threadIdx.x] = in[threadIdx.x + 99999 * by]; }\n";
    struct sim_device *sim = (struct sim_device *)dev;
    const struct compile_options options = {0};
    struct code *code = NULL;
    struct example e;
    struct diags d = {0};
    double columns[COLUMN_COUNT];
    char source[16], why[256];
    bool skip;
    struct result_check v;
    example(&e, scale, "in out by");
    CHECK(device_sim.prepare(dev, &e.job, columns, &skip, &d));
    CHECK(compile_code(mistaken, "mistaken.cu", &options, &code, &d));
    if (code && code->cubin && sim->code->cubin) { // clang makes none
        CHECK(sim_machine(sim->module, code->cubin, code->cubin_bytes, why));
        CHECK(device_sim.verify(dev, &v, &d) && !v.wrong && v.verified);
        CHECK(device_sim.count_accesses(dev, columns, source, &d));
        CHECK_TEXT(source, "ptx");
    }
    device_sim.finish(dev);
    example(&e, mistaken, NULL); // and the PTX of that is what it is blamed for
    struct outcome o = point(dev, &e.job);
    CHECK(!o.verified && strstr(o.first, "out-of-bounds load of 4 bytes"));
    code_free(code), diags_clear(&d);
}

static void test_profile(void)
{
    struct example e;
    struct diags d = {0};
    struct device_identity id;
    struct device_fact *facts;
    struct arena *a = arena_new();
    struct device *dev = device_sim.open("sim:a100", &d);
    CHECK(dev && !device_sim.open("sim:z9", &d) && d.count == 1);
    device_sim.identity(dev, &id);
    CHECK_TEXT(id.name, "sim:a100");
    CHECK(id.peak_gbps == 1555 && !id.timed && device_sim.facts(dev, a, &facts) > 10);
    example(&e, scale, NULL);
    e.job.block[0] = 32, e.job.grid[0] = N / 32;
    struct outcome o = point(dev, &e.job);
    CHECK(o.verified && !o.verdict.verified);
    const bool compiler_knows = !isnan(o.columns[COLUMN_REGS]);
    CHECK(isnan(o.columns[COLUMN_OCCUPANCY_PCT]) == !compiler_knows);
    CHECK(isnan(o.columns[COLUMN_OCCUPANCY_PCT]) || o.columns[COLUMN_OCCUPANCY_PCT] == 50);
    e.job.shared = 200 << 10;
    o = point(dev, &e.job);
    CHECK(!o.prepared && o.skip && strstr(o.first, "204800 bytes of shared memory"));
    device_sim.close(dev);
    diags_clear(&d), arena_free(a);
}

static void run(void)
{
    struct diags d = {0};
    struct device *dev = device_sim.open("sim", &d);
    test_right(dev);
    test_spills(dev);
    test_spills_beside_an_array(dev);
    test_kept(dev);
    test_other_content(dev);
    test_wrong(dev);
    test_fault(dev);
    test_read_only(dev);
    test_in_place(dev);
    test_reports(dev);
    test_cannot(dev);
    test_misread(dev);
    device_sim.close(dev);
    test_profile();
    test_machine();
    diags_clear(&d);
}

int main(void)
{
    with_each_compiler(run);
    return test_end();
}
