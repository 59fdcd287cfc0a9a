// plan/: a point made ready to measure, and what is refused.
// SPDX-License-Identifier: MIT
#include "plan/job.h"
#include "unit/test.h"

static struct arena *memory;
static struct sandbox *box;
static struct kernel *kernel;

static const char source[] =
    "/*\n"
    "about: A kernel with one of everything.\n"
    "params:\n"
    "  n:     {default: 1000, min: 1}\n"
    "  scale: {default: 0.5}\n"
    "  tile:  {kind: constant, default: 32}\n"
    "  T:     {kind: type, default: float, one_of: [float, float4]}\n"
    "  order: {kind: constant, default: up, one_of: [up, down]}\n"
    "  variant: {default: plain, one_of: [plain, other]}\n"
    "buffers:\n"
    "  in:  {type: T, count: n, access: read, fill: cycle, step: tile / 4}\n"
    "  acc: {type: double, count: n * 2, access: both, fill: random}\n"
    "  out: {type: T, count: \"cdiv(n, 2)\", access: write}\n"
    "threads: [n, \"cdiv(n, tile)\"]\n"
    "useful: 2 * n * sizeof(T) + sizeof(double)\n"
    "flops: n * scale\n"
    "shared: tile * sizeof(T)\n"
    "reports:\n"
    "  cycles: {type: unsigned long long, about: what it took}\n"
    "*/\n"
    "extern \"C\" __global__ void k_plain(const T *in, double *acc, T *out, size_t n, unsigned long long *cycles) {}\n"
    "extern \"C\" __global__ void k_other(T *out, const T *in, double *acc, double scale, size_t n) {}\n"
    "__device__ bool check(size_t i, const T *out, size_t n) { return true; }\n";

static struct value dims(int count, int64_t x, int64_t y, int64_t z)
{
    struct value_list *list = arena_alloc(memory, sizeof *list + 3 * sizeof list->items[0]);
    list->count = (size_t)count;
    list->items[0] = value_int(x);
    list->items[1] = value_int(y);
    list->items[2] = value_int(z);
    return (struct value){VALUE_LIST, {.list = list}};
}

// The job of an experiment that sets `name` to the value; NULL: refused, with the first complaint in `why`.
static const char *why;
static const struct job *job_with2(const char *name, struct value v, const char *other, struct value w)
{
    struct assignment *with = arena_alloc(memory, 2 * sizeof *with);
    const char **names = arena_alloc(memory, 2 * sizeof *names);
    struct experiment *e = arena_alloc(memory, sizeof *e);
    struct job *job = arena_alloc(memory, sizeof *job);
    struct diags d = {0};
    const size_t count = (size_t)(name != NULL) + (size_t)(other != NULL);
    with[0] = (struct assignment){name, v, {0}};
    with[1] = (struct assignment){other, w, {0}};
    names[0] = name, names[1] = other;
    *e = (struct experiment){
        .name = "x", .kernel = kernel, .with = {with, count, {0}}, .names = names, .name_count = count};
    e->goals.precision = 0.005;
    struct plan *p = plan_new(e, box, &d);
    struct value values[2];
    plan_values(p, 0, values);
    bool good = job_make(p, values, memory, job, &d);
    why = arena_strdup(memory, diags_first(&d));
    plan_free(p);
    diags_clear(&d);
    return good ? job : NULL;
}

static const struct job *job_with(const char *name, struct value v) { return job_with2(name, v, NULL, v); }

static void refused(const char *name, struct value v, const char *message)
{
    CHECK(!job_with(name, v));
    CHECK_TEXT(why, message);
}

static void sizes_come_from_the_parameters(void)
{
    const struct job *j = job_with(NULL, value_int(0));
    CHECK_TEXT(why, "");
    CHECK_INT(j->buffer_count, 3);
    CHECK_INT(j->buffers[0].count, 1000);
    CHECK_INT(j->buffers[0].bytes, 4000);
    CHECK_INT(j->buffers[0].step, 8);
    CHECK(j->buffers[0].fill == FILL_CYCLE && j->buffers[2].fill == FILL_NONE);
    CHECK_TEXT(j->buffers[0].type, "float");
    CHECK_INT(j->buffers[1].bytes, 16000);
    CHECK_INT(j->buffers[2].count, 500);
    CHECK_TEXT(j->buffers[1].memory, "device");
    CHECK(j->useful_bytes == 8008 && j->flops == 500);
    CHECK_INT(j->shared, 128);
    CHECK_INT(job_memory(j), 4000 + 2 * 16000 + 2000);
    CHECK(j->goals.precision == 0.005);
}

// Launches at once do the work once each; a copy in pieces over several streams moves its bytes once.
static void streams_multiply_launches_and_not_copies(void)
{
    const struct job *j = job_with("streams", value_int(4));
    CHECK(j && j->useful_bytes == 4 * 8008);
    const double up = 4000 + 16000, down = 16000 + 2000; // `acc` goes both ways
    j = job_with("timed", value_text("roundtrip"));
    CHECK(j && j->useful_bytes == up + down);
    j = job_with2("timed", value_text("roundtrip"), "streams", value_int(4));
    CHECK(j && j->useful_bytes == up + down);
    j = job_with2("timed", value_text("upload"), "streams", value_int(2));
    CHECK(j && j->useful_bytes == up);
}

static void a_type_is_an_axis(void)
{
    const struct job *j = job_with("T", value_text("float4"));
    CHECK_INT(j->buffers[0].bytes, 16000);
    CHECK_TEXT(j->buffers[0].scalar, "float");
    CHECK_INT(j->buffers[0].lanes, 4);
    CHECK(j->useful_bytes == 32008);
}

static void the_grid_covers_the_threads(void)
{
    const struct job *j = job_with(NULL, value_int(0));
    CHECK_INT(j->block[0], 256);
    CHECK_INT(j->grid[0], 4); // 1000 threads
    CHECK_INT(j->grid[1], 32);
    CHECK_INT(j->grid[2], 1);
    j = job_with("block", dims(2, 32, 8, 0));
    CHECK_INT(j->grid[0], 32);
    CHECK_INT(j->grid[1], 4);
    j = job_with("n", value_int(1));
    CHECK_INT(j->grid[0], 1);
    CHECK_INT(j->grid[1], 1);
    j = job_with("n", value_int(1024));
    CHECK_INT(j->grid[0], 4);
    j = job_with("grid", dims(2, 7, 3, 0));
    CHECK_INT(j->grid[0] * 100 + j->grid[1] * 10 + j->grid[2], 731);
}

static void arguments_follow_the_signature_of_the_variant(void)
{
    const struct job *j = job_with(NULL, value_int(0));
    CHECK_TEXT(j->entry, "k_plain");
    CHECK_INT(j->argument_count, 5);
    CHECK_INT(j->arguments[1].buffer, 1);
    CHECK_INT(j->arguments[3].buffer, -1);
    CHECK_INT(j->arguments[3].value.i, 1000);
    CHECK_TEXT(j->arguments[3].type, "size_t");
    CHECK_INT(j->arguments[4].report, 0);
    j = job_with("variant", value_text("other"));
    CHECK_TEXT(j->entry, "k_other");
    CHECK_INT(j->arguments[0].buffer, 2);
    CHECK(j->arguments[3].value.r == 0.5);
    CHECK_INT(j->arguments[3].report, -1);
}

static void constants_and_scalars_are_apart(void)
{
    const struct job *j = job_with("order", value_text("down"));
    CHECK_INT(j->constant_count, 3);
    CHECK_TEXT(j->constants[0].name, "tile");
    CHECK(j->constants[0].one_of == NULL);
    CHECK(j->constants[1].kind == PARAM_TYPE);
    CHECK_TEXT(j->constants[2].value.text, "down");
    CHECK_INT(j->constants[2].one_of->count, 2);
    CHECK_INT(j->scalar_count, 2);
    CHECK_TEXT(j->scalars[1].name, "scale");
}

static void check_counts_the_first_buffer_written(void)
{
    const struct job *j = job_with(NULL, value_int(0));
    CHECK(j->check != NULL);
    CHECK_INT(j->check_count, 2000);
}

static void memory_can_be_set_for_one_buffer(void)
{
    const struct job *j = job_with("memory.acc", value_text("managed"));
    CHECK_TEXT(j->buffers[0].memory, "device");
    CHECK_TEXT(j->buffers[1].memory, "managed");
    j = job_with("memory", value_text("mapped"));
    CHECK_TEXT(j->buffers[0].memory, "mapped");
    CHECK_TEXT(j->settings[SETTING_MEMORY].text, "mapped");
}

static void what_cannot_work_is_refused(void)
{
    refused("n", value_int(0), "`n` = 0 is out of range: at least 1 (at n = 0)");
    refused("cache", value_text("lukewarm"), "`cache` takes cold or warm, not `lukewarm` (at cache = lukewarm)");
    refused("memory.acc", value_text("far"),
        "`memory.acc` takes device, managed, mapped, pool, peer, pitched, constant, symbol, texture or surface, not "
        "`far` (at "
        "memory.acc = "
        "far)");
    refused("n", value_text("many"), "`n` takes a whole number, not `many` (at n = many)");
    refused("n", value_real(1.5), "`n` takes a whole number, not `1.5` (at n = 1.5)");
    CHECK(job_with("n", value_real(8.0)) != NULL);
    refused("tile", value_int(6),
        "the step of buffer `in` is 1.5, not a whole number; cdiv(a, b) divides and rounds up (at tile = 6)");
    refused("tile", value_int(0), "the step of buffer `in` is 0; it must be at least 1 (at tile = 0)");
    refused("T", value_text("double"), "`T` = double is not one of: float, float4 (at T = double)");
    refused("variant", value_text("third"), "`variant` = third is not one of: plain, other (at variant = third)");
    refused("block", value_int(1025),
        "a block of 1025 x 1 x 1 has 1025 threads, and the most are 1024; `where` leaves such points "
        "out (at block = 1025)");
    refused("block", dims(2, 64, 32, 0),
        "a block of 64 x 32 x 1 has 2048 threads, and the most are 1024; `where` leaves such points "
        "out (at block = 64x32)");
    refused("block", dims(3, 1, 1, 65), "a block of 1 x 1 x 65 threads; the most in z are 64 (at block = 1x1x65)");
    refused("block", value_int(0),
        "`block` takes a whole number of at least 1, or a list of up to three: [x, y, z], not `0` (at block = 0)");
    CHECK(job_with("block", dims(3, 16, 1, 64)) != NULL);
    refused("grid", dims(2, 1, 65536, 0),
        "a grid of 1 x 65536 x 1 blocks; the most are 2147483647 x 65535 x 65535 (at grid = 1x65536)");
    refused("n", value_int(32 * 65536 + 1),
        "a grid of 8193 x 65537 x 1 blocks; the most are 2147483647 x 65535 x 65535 (at n = 2097153)");
    refused("n", value_int(INT64_MAX),
        "buffer `in`: 9223372036854775807 elements of 4 bytes are more than memory can be addressed "
        "(at n = 9223372036854775807)");
    refused("n", value_int(INT64_MAX / 4),
        "the buffers together are larger than memory can be addressed (at n = 2305843009213693951)");
    CHECK(job_with("shared", value_int(1024))->shared == 1152);
}

// Of a kernel that says no more than it must.
static struct kernel *other(const char *more, const char *entry)
{
    struct diags d = {0};
    char text[1024];
    snprintf(text, sizeof text,
        "/*\nabout: x\nparams:\n  n: 8\n  T: {kind: type, default: float, one_of: [float, double]}\n"
        "buffers:\n  a: {type: T, count: n, access: both}\nthreads: n\n%s*/\n%s\n",
        more, entry);
    struct kernel *k = kernel_parse("kernels/o.cu", text, &d);
    CHECK_TEXT(diags_first(&d), "");
    return k;
}

static void what_is_not_said_of_a_launch_is_one_or_nothing(void)
{
    struct kernel *const before = kernel;
    kernel = other("", "__global__ void o(T *a, int n) {}");
    const struct job *j = job_with("block", value_int(4));
    CHECK(j && j->shared == 0 && j->block[0] == 4 && j->block[1] == 1 && j->block[2] == 1);
    CHECK(j && j->grid[0] == 2 && j->grid[1] == 1 && j->grid[2] == 1);
    kernel_free(kernel);
    kernel = other("block: [n]\n", "__global__ void o(T *a, int n) {}");
    j = job_with(NULL, value_int(0));
    CHECK(j && j->shared == 0 && j->block[0] == 8 && j->block[1] == 1 && j->block[2] == 1);
    kernel_free(kernel);
    kernel = before;
}

// The first buffer is one as any other.
static void a_pointer_of_another_type_is_refused_where_the_point_makes_it_so(void)
{
    struct kernel *const before = kernel;
    kernel = other("", "__global__ void o(float *a, int n) {}");
    CHECK(job_with(NULL, value_int(0)));
    refused("T", value_text("double"), "`a` is `float *` here, and a buffer of double at this point (at T = double)");
    kernel_free(kernel);
    kernel = before;
}

static void a_sequence_has_a_most_of_launches(void)
{
    static const char *const steps[] = {
        "sequence:\n  - {launch: o, repeat: 20000}\n", "sequence:\n  - {launch: o, repeat: 20000}\n  - {launch: o}\n"};
    struct kernel *const before = kernel;
    for (int i = 0; i < 2; i++) {
        kernel = other(steps[i], "__global__ void o(T *a, int n) {}");
        const struct job *j = job_with(NULL, value_int(0));
        CHECK(i ? !j : j && j->launch_count == 20000);
        CHECK_TEXT(why, i ? "the sequence has more than 20000 launches (at the only point)" : "");
        kernel_free(kernel);
    }
    kernel = before;
}

// A name to which a file gives nothing has the kernel's default, else the setting's: every one of them.
static void what_nobody_says_has_its_default(void)
{
    const struct experiment e = {.name = "x", .kernel = kernel};
    for (enum setting s = 0; s < SETTING_COUNT; s++)
        CHECK(value_equal(plan_default(&e, setting_table[s].name), setting_default(s)));
    CHECK(plan_default(&e, "scale").r == 0.5 && plan_default(&e, "nothing").kind == VALUE_NONE);
}

static void the_key_is_what_decides_the_number(void)
{
    char key[17], other[17];
    job_key(job_with(NULL, value_int(0)), "gpu", "1", key);
    CHECK_INT(strlen(key), 16);
#define SAME(name, value) (job_key(job_with(name, value), "gpu", "1", other), strcmp(key, other) == 0)
    CHECK(SAME("n", value_int(1000))); // as by default
    CHECK(SAME("device", value_text("sim")));
    CHECK(SAME("timeout", value_real(5)));
    CHECK(!SAME("n", value_int(1001)));
    CHECK(!SAME("scale", value_real(0.25)));
    CHECK(!SAME("order", value_text("down")));
    CHECK(!SAME("variant", value_text("other")));
    CHECK(!SAME("T", value_text("float4")));
    CHECK(!SAME("block", value_int(128)));
    CHECK(!SAME("cache", value_text("warm")));
    CHECK(!SAME("memory.in", value_text("managed")));
    CHECK(!SAME("shared", value_int(1024)));
    const struct job *j = job_with(NULL, value_int(0));
    CHECK((job_key(j, "other gpu", "1", other), strcmp(key, other) != 0));
    CHECK((job_key(j, "gpu", "2", other), strcmp(key, other) != 0));
    struct job edited = *j;
    edited.source = "other";
    CHECK((job_key(&edited, "gpu", "1", other), strcmp(key, other) != 0));
    // Of a setting its name and its value, where that is not its default.
    CHECK(SAME("host", setting_default(SETTING_HOST)) && !SAME("host", value_text("registered")));
    job_key(job_with("host", value_text("pinned")), "gpu", "1", key);
    CHECK(!SAME("host", value_text("registered")));
}

int main(void)
{
    struct diags d = {0};
    box = sandbox_new(&(struct sandbox_limits){0});
    memory = arena_new();
    kernel = kernel_parse("kernels/k.cu", source, &d); // the file's name is the stem of the entries
    diags_print(&d, stdout);
    if (!kernel) return 1;
    sizes_come_from_the_parameters();
    streams_multiply_launches_and_not_copies();
    a_type_is_an_axis();
    the_grid_covers_the_threads();
    arguments_follow_the_signature_of_the_variant();
    constants_and_scalars_are_apart();
    check_counts_the_first_buffer_written();
    memory_can_be_set_for_one_buffer();
    what_cannot_work_is_refused();
    what_is_not_said_of_a_launch_is_one_or_nothing();
    a_pointer_of_another_type_is_refused_where_the_point_makes_it_so();
    a_sequence_has_a_most_of_launches();
    what_nobody_says_has_its_default();
    the_key_is_what_decides_the_number();
    kernel_free(kernel);
    arena_free(memory);
    sandbox_free(box);
    return test_end();
}
