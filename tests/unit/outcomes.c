// plan/outcomes.h: of every point the same answer as job_make's, whatever was asked before.
// SPDX-License-Identifier: MIT
#include "plan/outcomes.h"
#include "unit/test.h"

static struct arena *memory;
static struct sandbox *box;
static struct kernel *kernel, *sequence;

// What decides the memory differs from point to point: `wide` only where `T` is float4, n only below a limit.
static const char source[] =
    "/*\n"
    "about: Its sizes look at some values only for some others.\n"
    "params:\n"
    "  n:     {default: 1000, min: 1, max: 4000}\n"
    "  wide:  {default: 1}\n"
    "  gap:   {default: 1, min: 1}\n"
    "  small: {default: 1}\n"
    "  T:     {kind: type, default: float, one_of: [float, float4]}\n"
    "buffers:\n"
    "  in:  {type: T, count: n, access: read, fill: cycle}\n"
    "  out: {type: T, count: \"sizeof(T) == 16 and n * wide or n\", access: write}\n"
    "threads: n\n"
    "useful: n\n"
    "*/\n"
    "extern \"C\" __global__ void k(const T *in, T *out, size_t n, size_t wide, size_t gap, unsigned char small) {}\n"
    "__device__ bool check(size_t i, const T *out, size_t n) { return true; }\n";

// What a sequence needs is looked up with all else: its launches have no shape of their own.
static const char in_steps[] =
    "/*\n"
    "about: Two launches that need a whole number of blocks.\n"
    "params: {n: 1000, wide: 1, gap: 1, small: 1, T: {kind: type, default: float, one_of: [float, float4]}}\n"
    "buffers:\n"
    "  in: {type: T, count: 4096, access: both, fill: cycle}\n"
    "needs: n % 500 == 0\n"
    "threads: 4096\n"
    "sequence:\n"
    "  - {launch: k, repeat: 2}\n"
    "*/\n"
    "extern \"C\" __global__ void k(T *in, size_t n, size_t wide, size_t gap, unsigned char small) {}\n";

static const struct axes *axis_of(const char *name, const struct value *values, size_t count)
{
    struct axis *axis = arena_alloc(memory, sizeof *axis);
    struct axes *axes = arena_alloc(memory, sizeof *axes);
    *axis = (struct axis){name, values, count, {0}};
    *axes = (struct axes){axis, 1};
    return axes;
}

static struct plan *make_plan(struct kernel *of)
{
    static const char *const names[] = {"T", "n", "wide", "gap", "small", "block", "memory.in"};
    struct value *numbers[4], *texts = arena_alloc(memory, 4 * sizeof *texts);
    static const int64_t said[4][3] = {{7, 1000, 5000}, {0, 1, 3}, {0, 1, 2}, {1, 255, 256}};
    for (int a = 0; a < 4; a++) {
        numbers[a] = arena_alloc(memory, 3 * sizeof **numbers);
        for (int i = 0; i < 3; i++) numbers[a][i] = value_int(said[a][i]);
    }
    texts[0] = value_text("float"), texts[1] = value_text("float4");
    texts[2] = value_text("device"), texts[3] = value_text("pitched");
    struct value *blocks = arena_alloc(memory, 2 * sizeof *blocks);
    blocks[0] = value_int(64), blocks[1] = value_int(2048);
    struct axes *sweep = arena_alloc(memory, 7 * sizeof *sweep);
    sweep[0] = *axis_of("T", texts, 2);
    for (int a = 0; a < 4; a++) sweep[1 + a] = *axis_of(names[1 + a], numbers[a], 3);
    sweep[5] = *axis_of("block", blocks, 2);
    sweep[6] = *axis_of("memory.in", texts + 2, 2);
    struct experiment *e = arena_alloc(memory, sizeof *e);
    *e = (struct experiment){
        .name = "x", .kernel = of, .sweep = sweep, .sweep_count = 7, .names = names, .name_count = 7};
    struct diags d = {0};
    struct plan *p = plan_new(e, box, &d);
    CHECK_TEXT(diags_first(&d), "");
    return p;
}

static void same_as_the_job(const struct plan *p, const struct plan *fresh, struct outcomes *o, size_t point)
{
    struct value values[7];
    struct job job;
    struct diags why = {0}, said = {0};
    uint64_t bytes = 0;
    plan_values(p, point, values);
    const bool can = job_make(fresh, values, memory, &job, &said), good = outcomes_memory(o, values, &bytes, &why);
    CHECK_INT(good, can);
    if (can) CHECK_INT(bytes, job_memory(&job));
    else CHECK_TEXT(diags_first(&why), diags_first(&said));
    diags_clear(&why);
    diags_clear(&said);
}

static void every_point_has_its_own_answer(struct kernel *of)
{
    for (int back = 0; back < 3; back++) {
        struct plan *p = make_plan(of), *fresh = make_plan(of);
        struct outcomes *o = outcomes_new(p);
        const size_t count = plan_count(p);
        CHECK_INT(count, 2 * 81 * 4);
        for (size_t i = 0; i < count; i++)
            same_as_the_job(p, fresh, o, back == 0 ? i : back == 1 ? count - 1 - i : i * 131 % count);
        outcomes_free(o);
        plan_free(p);
        plan_free(fresh);
    }
}

int main(void)
{
    struct diags d = {0};
    memory = arena_new();
    box = sandbox_new(&(struct sandbox_limits){0});
    kernel = kernel_parse("kernels/k.cu", source, &d);
    CHECK_TEXT(diags_first(&d), "");
    sequence = kernel_parse("kernels/s.cu", in_steps, &d);
    CHECK_TEXT(diags_first(&d), "");
    if (kernel) every_point_has_its_own_answer(kernel);
    if (sequence) every_point_has_its_own_answer(sequence);
    kernel_free(sequence);
    kernel_free(kernel);
    sandbox_free(box);
    arena_free(memory);
    return test_end();
}
