// Mathematics of compiled kernels on the simulator against the host's: clang's is our own (cuda_math.h), NVRTC's is
// NVIDIA's, and both run through the interpreter. Within a few units in the last place, special values included.
// SPDX-License-Identifier: MIT
#include "device/sim/sim_device.h"
#include "unit/compilers.h"
#include "spec/columns.h"

#include <stdlib.h>

// X(name, expression of x for both languages, worst relative error in double)
#define FUNCTIONS(X) \
    X(exp_, exp(x), 4e-16) \
    X(expm1_, expm1(x / 8), 2e-15) \
    X(log_, log(fabs(x) + 0.001), 4e-15) \
    X(log1p_, log1p(fabs(x) / 100), 2e-15) \
    X(log2_, log2(fabs(x) + 1.5), 2e-15) \
    X(sin_, sin(x * 10), 4e-15) \
    X(cos_, cos(x * 10), 4e-15) \
    X(tan_, tan(x), 4e-15) \
    X(atan_, atan(x), 2e-15) \
    X(atan2_, atan2(x, 1.5), 2e-15) \
    X(asin_, asin(x / 8), 2e-15) \
    X(sinh_, sinh(x), 2e-15) \
    X(tanh_, tanh(x / 4), 2e-15) \
    X(cbrt_, cbrt(x), 2e-15) \
    X(pow_, pow(fabs(x) + 0.5, 3.7), 4e-15) \
    X(pow_whole, pow(x, 3.0), 1e-15) \
    X(sqrt_, sqrt(fabs(x)), 0) \
    X(floor_, floor(x), 0) \
    X(rint_, rint(x), 0) \
    X(round_, round(x * 2) / 2, 0) \
    X(fmod_, fmod(x, 1.25), 1e-14) \
    X(erf_, erf(x / 2), 4e-15) \
    X(erfc_, erfc(x / 2), 2e-14) \
    X(hypot_, hypot(x, 2.0), 4e-16) \
    X(fma_, fma(x, x, -x), 0) \
    X(expf_, (double)expf((float)x * 10.0f), 3e-7) \
    X(exp2f_, (double)exp2f((float)x * 15.0f), 3e-7) \
    X(exp10f_, (double)exp10f((float)x * 4.0f), 5e-7) \
    X(sinf_, (double)sinf((float)x), 6e-7) \
    X(sinf_far, (double)sinf((float)x * 3000.0f), 6e-7) \
    X(sinf_further, (double)sinf((float)x * 1e6f), 6e-7) \
    X(cosf_, (double)cosf((float)x * 100.0f), 6e-7) \
    X(tanf_, (double)tanf((float)x), 6e-7) \
    X(logf_, (double)logf((float)fabs(x) + 1.5f), 6e-7) \
    X(logf_near_one, (double)logf((float)x / 1024.0f + 1.0f), 6e-7) \
    X(logf_small, (double)logf((float)fabs(x) * 1e-38f), 6e-7) \
    X(log2f_, (double)log2f((float)fabs(x) * 1e20f), 6e-7) \
    X(log10f_, (double)log10f((float)fabs(x) + 1.5f), 6e-7) \
    X(powf_, (double)powf((float)fabs(x) + 0.5f, 2.5f), 1e-6) \
    X(powf_large, (double)powf((float)fabs(x) + 0.5f, 30.25f), 1e-6) \
    X(powf_near_one, (double)powf((float)x / 1024.0f + 1.0f, 9000.5f), 1e-6) \
    X(powf_whole, (double)powf((float)x, 3.0f), 1e-6) \
    X(sqrtf_, (double)sqrtf((float)fabs(x)), 0) \
    X(divf_, (double)((float)x / 3.0f), 0)

enum mathematic {
#define X(name, expression, worst) name,
    FUNCTIONS(X)
#undef X
        FUNCTION_COUNT
};
static const struct {
    const char *name, *text;
    double worst;
} functions[] = {
#define X(name, expression, worst) {#name, #expression, worst},
    FUNCTIONS(X)
#undef X
};

static double host(enum mathematic f, double x)
{
    switch (f) {
#define X(name, expression, worst) \
    case name: return expression;
        FUNCTIONS(X)
#undef X
    default: return NAN;
    }
}

enum { N = 4096 };

static char *kernel_text(void)
{
    struct str s = {0};
    str_add(&s,
        "extern \"C\" __global__ void k(const double *in, double *out)\n{\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    double x = in[i] * 16 - 8;\n");
    for (int f = 0; f < FUNCTION_COUNT; f++) str_addf(&s, "    out[%d * n + i] = %s;\n", f, functions[f].text);
    str_add(&s, "}\n");
    return str_take(&s);
}

static void compare(const double *in, const double *out)
{
    for (int f = 0; f < FUNCTION_COUNT; f++) {
        double worst = 0, at = 0;
        for (int i = 0; i < N; i++) {
            const double x = in[i] * 16 - 8, want = host((enum mathematic)f, x), got = out[f * N + i];
            const double error = got == want ? 0 : isfinite(got) ? fabs(got - want) / fmax(fabs(want), 1e-3) : INFINITY;
            if (error > worst) worst = error, at = x;
        }
        if (worst > functions[f].worst) printf("%s: off by %g at %.17g\n", functions[f].text, worst, at);
        CHECK(worst <= functions[f].worst);
    }
}

static void run(void)
{
    struct diags d = {0};
    struct result_check v;
    double columns[COLUMN_COUNT];
    bool skip;
    char *source = kernel_text();
    const struct job_buffer buffers[] = {
        {.name = "in",
            .as = "in",
            .type = "double",
            .scalar = "double",
            .lanes = 1,
            .count = N,
            .element_bytes = 8,
            .bytes = N * 8,
            .step = 1,
            .extent = {N, 1, 1},
            .rank = 1,
            .access = ACCESS_READ,
            .fill = FILL_RANDOM,
            .memory = "device"},
        {.name = "out",
            .as = "out",
            .type = "double",
            .scalar = "double",
            .lanes = 1,
            .count = N * FUNCTION_COUNT,
            .element_bytes = 8,
            .bytes = N * 8 * FUNCTION_COUNT,
            .step = 1,
            .extent = {N * FUNCTION_COUNT, 1, 1},
            .rank = 1,
            .access = ACCESS_WRITE,
            .fill = FILL_NONE,
            .memory = "device"},
    };
    const struct job_constant n = {PARAM_CONSTANT, "n", value_int(N), NULL};
    const struct job_argument arguments[] = {
        {.buffer = 0, .report = -1, .name = "in", .type = "", .part = PART_ADDRESS},
        {.buffer = 1, .report = -1, .name = "out", .type = "", .part = PART_ADDRESS}};
    const struct job job = {.path = "math.cu",
        .source = source,
        .entry = "k",
        .constants = &n,
        .constant_count = 1,
        .buffers = buffers,
        .buffer_count = 2,
        .arguments = arguments,
        .argument_count = 2,
        .grid = {N / 128, 1, 1},
        .block = {128, 1, 1}};
    struct device *dev = device_sim.open("sim", &d);
    const bool good = device_sim.prepare(dev, &job, columns, &skip, &d) && device_sim.verify(dev, &v, &d);
    CHECK(good);
    if (good) {
        const struct sim_buffer *b = sim_device_of(dev)->point.buffers;
        compare(sim_host(sim_device_of(dev)->sim, b[0].block->address, N * 8),
            sim_host(sim_device_of(dev)->sim, b[1].block->address, N * 8 * FUNCTION_COUNT));
    } else diags_print(&d, stdout);
    device_sim.finish(dev);
    device_sim.close(dev);
    diags_clear(&d);
    free(source);
}

int main(void)
{
    with_each_compiler(run);
    return test_end();
}
