// Source to code with whichever compilers are here (at least one must be): entries, facts, complaints at the user's own
// line, and a cache that notices every damaged entry.
// SPDX-License-Identifier: MIT
#include "base/file.h"
#include "compile/compile.h"
#include "compile/compiler.h"
#include "test.h"

#include <dirent.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char kernel[] =
    "/* fill_in(no) */\n"
    "extern \"C\" __global__ void scale(const T *in, T *out, size_t n)\n"
    "{\n"
    "    __shared__ T tile[64];\n"
    "    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    tile[threadIdx.x % 64] = in[i % n];\n"
    "    __syncthreads();\n"
    "    if (i < n) out[i] = tile[(threadIdx.x ^ 1) % 64] * factor + (order == order_reverse ? 1 : 0);\n"
    "}\n"
    "__device__ T fill_in(size_t i, double bias) { return T(i + bias); }\n"
    "__device__ bool check(size_t i, const T *in, const T *out_before, T *out, int n, double bias)\n"
    "{ return out[i] == in[i] + out_before[i] + n + bias; }\n";

static const struct argument check_arguments[] = {
    {.name = "i", .type = "size_t"},
    {.name = "in", .type = "const T *"},
    {.name = "out_before", .type = "const T *"},
    {.name = "out", .type = "T *"},
    {.name = "n", .type = "int"},
    {.name = "bias", .type = "double"},
};

struct example {
    struct job job;
    struct job_buffer buffers[2];
    struct job_constant constants[4];
    struct job_argument scalars[2];
    struct function check;
    struct value_list *names;
};

static void make_example(struct example *e, struct arena *a)
{
    memset(e, 0, sizeof *e);
    e->names = arena_alloc(a, sizeof *e->names + 2 * sizeof(struct value));
    e->names->count = 2;
    e->names->items[0] = value_text("forward");
    e->names->items[1] = value_text("reverse");
    e->buffers[0] = (struct job_buffer){.name = "in", .type = "T", .access = ACCESS_READ, .fill = FILL_CODE};
    e->buffers[1] = (struct job_buffer){.name = "out", .type = "T", .access = ACCESS_BOTH};
    e->constants[0] = (struct job_constant){PARAM_TYPE, "T", value_text("float"), NULL};
    e->constants[1] = (struct job_constant){PARAM_CONSTANT, "factor", value_real(2), NULL};
    e->constants[2] = (struct job_constant){PARAM_CONSTANT, "order", value_text("reverse"), e->names};
    e->constants[3] = (struct job_constant){PARAM_CONSTANT, "big", value_int(1LL << 40), NULL};
    e->scalars[0] =
        (struct job_argument){.buffer = -1, .report = -1, .value = value_int(100), .name = "n", .type = "size_t"};
    e->scalars[1] =
        (struct job_argument){.buffer = -1, .report = -1, .value = value_real(0.5), .name = "bias", .type = "double"};
    e->check = (struct function){.name = "check", .arguments = check_arguments, .count = 6, .line = 11};
    e->job = (struct job){.path = "kernels/scale.cu",
        .source = kernel,
        .entry = "scale",
        .constants = e->constants,
        .constant_count = 4,
        .buffers = e->buffers,
        .buffer_count = 2,
        .scalars = e->scalars,
        .scalar_count = 2,
        .check = &e->check};
}

static void test_source(struct arena *a)
{
    struct example e;
    struct diags d = {0};
    struct compile_argument take[16];
    make_example(&e, a);
    char *text = compile_source(&e.job, &d);
    CHECK(text && strstr(text, "typedef float T;\n"));
    CHECK(text && strstr(text, "constexpr double factor = 2.0;\n"));
    CHECK(text &&
        strstr(text,
            "enum order_values { order_forward, order_reverse, };\nconstexpr order_values order = order_reverse;\n"));
    CHECK(text && strstr(text, "constexpr long long big = 1099511627776LL;\n"));
    CHECK(text && strstr(text, "\n#line 1 \"kernels/scale.cu\"\n/* fill_in(no) */"));
    free(text);
    const enum compile_take want[] = {
        TAKE_BUFFER, TAKE_BUFFER, TAKE_BEFORE, TAKE_SCALAR, TAKE_SCALAR, TAKE_COUNT, TAKE_RESULT};
    CHECK_INT(compile_check_arguments(&e.job, take, 16), 7);
    for (size_t i = 0; i < 7; i++) CHECK_INT(take[i].take, want[i]);
    CHECK_INT(take[2].index, 1);
    e.job.scalar_count = 1; // `bias` is gone, and both functions ask for it
    CHECK(!compile_source(&e.job, &d));
    CHECK_INT(d.count, 2);
    CHECK_TEXT(d.items[0].what, "`check` asks for `bias`, which is not there");
    CHECK_INT(d.items[0].at.line, 11);
    CHECK_INT(d.items[1].at.line, 10);
    diags_clear(&d);
}

static struct code *must_compile(const char *source, const struct compile_options *o)
{
    struct diags d = {0};
    struct code *code = NULL;
    bool good = compile_code(source, "kernels/scale.cu", o, &code, &d);
    if (!good) diags_print(&d, stdout);
    CHECK(good && code && code->ptx);
    diags_clear(&d);
    return code;
}

static void test_code(struct arena *a, bool nvrtc)
{
    struct example e;
    struct diags d = {0};
    make_example(&e, a);
    char *source = compile_source(&e.job, &d);
    struct code *code = must_compile(source, &(struct compile_options){0});
    CHECK(code && !code->cached && code->entry_count == 3);
    const struct code_entry *entry = code ? code_entry_find(code, "scale") : NULL;
    CHECK(entry && code_entry_find(code, "gpuexp_check") && code_entry_find(code, "gpuexp_fill_in"));
    CHECK(entry && (entry->regs > 0) == nvrtc && (entry->shared_bytes == 256) == nvrtc);
    CHECK(entry && entry->spill_bytes == (nvrtc ? 0 : -1));
    CHECK(code && (code->cubin_bytes > 0) == nvrtc && strncmp(code->compiler, nvrtc ? "nvrtc " : "clang ", 6) == 0);
    CHECK(code && strstr(code->ptx, ".loc"));
    struct code *again = must_compile(source, &(struct compile_options){0});
    CHECK(again && again->cached && code && strcmp(again->ptx, code->ptx) == 0 &&
        again->cubin_bytes == code->cubin_bytes);
    CHECK(again && memcmp(again->entries, code->entries, code->entry_count * sizeof *code->entries) == 0);
    CHECK_TEXT(again ? again->compiler : "", code ? code->compiler : "?");
    code_free(again);
    struct code *other = must_compile(source, &(struct compile_options){.maxregs = 32});
    CHECK(other && !other->cached);
    code_free(other);
    code_free(code);
    free(source);
}

// What a kernel may be written with: compile_language.cu has some of everything.
static void test_language(void)
{
    struct diags d = {0};
    char *source = file_read(TESTS_DIR "/unit/compile_language.cu", 1 << 20, NULL, &d);
    struct code *code = source ? must_compile(source, &(struct compile_options){0}) : NULL;
    CHECK(code && code->entry_count == 7 && strstr(code->ptx, "st.global.v4.f32") &&
        strstr(code->ptx, "tex.2d.v4.f32.f32"));
    CHECK(code &&
        !strstr(code->ptx, "gpuexp-")); // the scratch folder's name is not in it: the same source gives the same PTX
    code_free(code);
    free(source);
    diags_clear(&d);
}

// The facts that ptxas gives of an entry and of what it calls, and what it refuses without a message.
static void test_ptxas(void)
{
    static const char calls[] =
        "__device__ __noinline__ float deep(const float *p, int n)\n"
        "{ float w[64]; for (int i = 0; i < 64; i++) w[i] = p[i * n]; return w[n & 63] + w[n * 7 & 63]; }\n"
        "extern \"C\" __global__ void calls(const float *a, float *o, int n) { o[n] = deep(a, n) + deep(o, n + 1); }\n"
        "extern \"C\" __global__ void plain(const float *a, float *o, int n) { o[n] = a[n]; }\n";
    static const char large[] = "extern \"C\" __global__ void large(float *o, int n)\n"
                                "{ __shared__ float s[30000]; s[n] = n; __syncthreads(); o[n] = s[n + 1]; }\n";
    struct diags d = {0};
    struct code *code = must_compile(calls, &(struct compile_options){0}), *none;
    const struct code_entry *e = code ? code_entry_find(code, "calls") : NULL,
                            *p = code ? code_entry_find(code, "plain") : NULL;
    CHECK(e && e->local_bytes >= 256 && p && p->local_bytes == 0 && p->regs < e->regs);
    code_free(code);
    CHECK(!compile_code(large, "kernels/large.cu", &(struct compile_options){0}, &none, &d));
    CHECK_TEXT(diags_first(&d), "120000 bytes of shared memory are declared; a block can have 49152");
    diags_clear(&d);
}

// A function of another file: machine code cannot be made, but PTX. What launches kernels is refused.
static void test_elsewhere(void)
{
    static const char *const sources[] = {
        "extern \"C\" __device__ int elsewhere();\n"
        "extern \"C\" __global__ void k(float *o) { o[threadIdx.x] = elsewhere(); }\n",
        "#include <cuda_device_runtime_api.h>\n"
        "extern \"C\" __global__ void k(float *o, int n) { if (n) k<<<1, 32>>>(o, n - 1); }\n"};
    for (int i = 0; i < 2; i++) {
        struct diags d = {0};
        struct code *code = NULL;
        CHECK(compile_code(sources[i], "kernels/k.cu", &(struct compile_options){0}, &code, &d) == !i);
        CHECK(i || (code && code->cubin_bytes == 0 && strstr(code->ptx, "elsewhere")));
        CHECK(!i || (d.count && strstr(diags_first(&d), "the kernel launches kernels, or asks the runtime: `")));
        code_free(code);
        diags_clear(&d);
    }
}

static void complains(const char *text, int line, int column, const char *what)
{
    struct diags d = {0};
    struct code *code = NULL;
    CHECK(!compile_code(text, "kernels/bad.cu", &(struct compile_options){0}, &code, &d) && !code);
    CHECK_INT(d.count, 1);
    if (!d.count) return;
    CHECK_TEXT(d.items[0].at.file, "kernels/bad.cu");
    CHECK_INT(d.items[0].at.line, line);
    CHECK(d.items[0].at.column == column || d.items[0].at.column == column + 1); // behind the last word, or at the next
    CHECK(strstr(d.items[0].what, what));
    diags_clear(&d);
}

static void test_complaints(void)
{
    complains(
        "typedef int T;\n\n#line 1 \"kernels/bad.cu\"\n// one\n__global__ void f(T *a)\n{\n\ta[0] = nonsense;\n}\n", 4,
        9, "nonsense");
    complains("\n#line 1 \"kernels/bad.cu\"\n__global__ void f(int *a) { a[0] = 1 }\n", 1, 37, ";");
}

// One file of the cache's folder; returns how many there are.
static int cache_entry(const char *cache, char path[PATH_MAX])
{
    int count = 0;
    char folder[PATH_MAX - 300];
    snprintf(folder, sizeof folder, "%s/gpuexp/code", cache);
    DIR *dir = opendir(folder);
    path[0] = '\0';
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (!strchr(e->d_name, '.')) snprintf(path, PATH_MAX, "%s/%s", folder, e->d_name), count++;
    if (dir) closedir(dir);
    return count;
}

static const char tiny[] = "extern \"C\" __global__ void tiny(int *a) { a[0] = 1; }\n";

// What nvcc has to be told NVRTC does anyway; what is for ptxas has another name there.
static void test_options(void)
{
    static const char source[] = COMPILER_OPTIONS " --expt-relaxed-constexpr -Xptxas=-O1\n"
                                                  "extern \"C\" __global__ void tiny(int *a) { a[0] = 1; }\n";
    struct code *code = must_compile(source, &(struct compile_options){0});
    CHECK(code && code->cubin_bytes > 0);
    code_free(code);
}

static void test_damage(const char *scratch)
{
    char cache[PATH_MAX - 100], path[PATH_MAX];
    struct diags d = {0};
    size_t size = 0;
    snprintf(cache, sizeof cache, "%s/damage", scratch);
    setenv("XDG_CACHE_HOME", cache, 1);
    code_free(must_compile(tiny, &(struct compile_options){0}));
    cache_entry(cache, path);
    char *good = file_read(path, 1 << 26, &size, &d);
    CHECK(good && size > 100);
    for (int damage = 0; good && damage < 4; damage++) {
        char *bad = mem_alloc(size);
        memcpy(bad, good, size);
        size_t kept = damage == 0 ? 0 : damage == 1 ? size / 2 : size;
        if (damage == 2) bad[size - 3] ^= 1;
        if (damage == 3) bad[0] ^= 1;
        CHECK(file_write(path, bad, kept, &d));
        struct code *code = must_compile(tiny, &(struct compile_options){0});
        CHECK(code && !code->cached);
        code_free(code);
        code = must_compile(tiny, &(struct compile_options){0}); // and the entry was put right
        CHECK(code && code->cached);
        code_free(code);
        free(bad);
    }
    free(good);
    diags_clear(&d);
}

// A cache that takes nothing (a file stands where the folder should be): compiled once, kept in memory.
static void test_no_cache(const char *scratch)
{
    char path[PATH_MAX];
    struct diags d = {0};
    snprintf(path, sizeof path, "%s/not-a-folder", scratch);
    CHECK(file_write(path, "", 0, &d));
    setenv("XDG_CACHE_HOME", path, 1);
    struct code *code = must_compile(tiny, &(struct compile_options){.maxregs = 40});
    CHECK(code && !code->cached);
    code_free(code);
    code = must_compile(tiny, &(struct compile_options){.maxregs = 40});
    CHECK(code && code->cached && code_entry_find(code, "tiny"));
    code_free(code);
    diags_clear(&d);
}

static void *compile_one(void *unsaid)
{
    struct code *code = NULL;
    compile_code(tiny, "kernels/scale.cu", &(struct compile_options){0}, &code, unsaid);
    return code;
}

// Four threads want the same code: one compiles it, three find it. Then the same by compile_ahead.
static void test_threads(const char *scratch)
{
    char cache[PATH_MAX];
    pthread_t threads[4];
    int found = 0;
    snprintf(cache, sizeof cache, "%s/threads", scratch);
    setenv("XDG_CACHE_HOME", cache, 1);
    struct diags unsaid[4] = {0};
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, compile_one, &unsaid[i]);
    for (int i = 0; i < 4; i++) {
        void *result;
        pthread_join(threads[i], &result);
        struct code *one = result;
        CHECK(one && unsaid[i].count == 0);
        found += one && one->cached;
        code_free(one);
    }
    CHECK_INT(found, 3);
    struct compile_ahead *ahead = compile_ahead_new(2);
    struct compile_options o = {.maxregs = 48};
    compile_ahead_add(ahead, memcpy(mem_alloc(sizeof tiny), tiny, sizeof tiny), "kernels/scale.cu", &o);
    compile_ahead_add(ahead, memcpy(mem_alloc(sizeof tiny), tiny, sizeof tiny), "kernels/scale.cu", &o);
    char path[PATH_MAX];
    for (int i = 0; i < 3000 && cache_entry(cache, path) < 2; i++) usleep(10000); // free drops what is still queued
    compile_ahead_free(ahead);
    struct code *code = must_compile(tiny, &o);
    CHECK(code && code->cached);
    code_free(code);
}

// As the loop of gpuexp_check has it.
static uint64_t asked_one_by_one(uint64_t n, uint64_t part, uint64_t pick)
{
    uint64_t asked = 0;
    for (uint64_t k = 0; k < (n + 256 * part - 1) / (256 * part) * 256; k++) {
        uint64_t of = (k >> 8) * 0x9e3779b97f4a7c15u + pick;
        of = (of ^ of >> 30) * 0xbf58476d1ce4e5b9u;
        asked += ((((k >> 8) * part + (of ^ of >> 31) % part) << 8) | (k & 255)) < n;
    }
    return asked;
}

static void how_many_a_look_asks_is_known(void)
{
    for (uint64_t n = 4000; n < 12000; n += 37)
        for (uint64_t part = 1; part < 9; part += 2)
            CHECK_INT(compile_check_asked(n, part, n % 5), asked_one_by_one(n, part, n % 5));
    CHECK(compile_check_few(8191) < 2 && compile_check_few(1 << 20) == 256);
}

int main(void)
{
    how_many_a_look_asks_is_known();
    char scratch[] = "/tmp/gpuexp-compile-XXXXXX", command[PATH_MAX];
    static const char *const compilers[] = {"nvrtc", "clang"};
    int here = 0;
    struct arena *a = arena_new();
    if (!mkdtemp(scratch)) return 1;
    test_source(a);
    for (int i = 0; i < 2; i++) {
        struct diags d = {0};
        setenv("GPUEXP_COMPILER", compilers[i], 1);
        const char *name = compile_compiler(&d);
        printf("%s\n", name ? name : diags_first(&d));
        CHECK(name || d.count == 1);
        diags_clear(&d);
        if (!name) continue;
        here++;
        snprintf(command, sizeof command, "%s/cache-%d", scratch, i);
        setenv("XDG_CACHE_HOME", command, 1);
        test_code(a, i == 0);
        test_language();
        if (i == 0) test_ptxas(), test_elsewhere(), test_options();
        test_complaints();
        test_damage(scratch);
        test_no_cache(scratch);
        test_threads(scratch);
        snprintf(command, sizeof command, "rm -rf %s/*", scratch);
        CHECK(system(command) == 0);
    }
    CHECK(here > 0);
    rmdir(scratch);
    arena_free(a);
    return test_end();
}
