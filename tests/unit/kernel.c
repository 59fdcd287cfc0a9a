// spec/kernel: what is read from a kernel file's description and source.
// SPDX-License-Identifier: MIT
#include "spec/kernel.h"

#include "spec/source.h"
#include "spec/words.h"
#include "unit/test.h"

static void sizes_are_those_of_cuda(void)
{
    static const struct {
        const char *type, *scalar;
        int size, lanes;
    } rows[] = {
        {"char", "char", 1, 1},
        {"bool", "bool", 1, 1},
        {"unsigned", "unsigned int", 4, 1},
        {"unsigned long long", "unsigned long long", 8, 1},
        {"unsigned long  long int", "unsigned long long", 8, 1},
        {"size_t", "unsigned long long", 8, 1},
        {"uchar", "unsigned char", 1, 1},
        {"const ushort", "unsigned short", 2, 1},
        {"uint", "unsigned int", 4, 1},
        {"ulong", "unsigned long long", 8, 1},
        {"int64_t", "long long", 8, 1},
        {"uint8_t", "unsigned char", 1, 1},
        {"half", "half", 2, 1},
        {"__half2", "half", 4, 2},
        {"float3", "float", 12, 3},
        {"float4", "float", 16, 4},
        {"double2", "double", 16, 2},
        {"uchar4", "unsigned char", 4, 4},
        {"longlong2", "long long", 16, 2},
        {"ulong1", "unsigned long long", 8, 1},
        {"const float *", "unsigned long long", 8, 1},
        {"const unsigned int", "unsigned int", 4, 1},
        {"short3", "short", 6, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int lanes = 0;
        CHECK_INT(kernel_type_size(rows[i].type), rows[i].size);
        CHECK_TEXT(kernel_type_scalar(rows[i].type, &lanes), rows[i].scalar);
        CHECK_INT(lanes, rows[i].lanes);
    }
    static const char *const unknown[] = {"", "flaot", "float5", "float0", "half4", "struct x", "4", "void", "T"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        CHECK_INT(kernel_type_size(unknown[i]), 0);
        CHECK(kernel_type_scalar(unknown[i], NULL) == NULL);
    }
}

// All functions as "name(type|name, ...)", global ones with a star.
static void source_is(const char *text, const char *want)
{
    struct arena *a = arena_new();
    struct str s = {0};
    size_t count;
    const struct source_function *f = source_functions(text, a, &count);
    str_add(&s, "");
    for (size_t i = 0; i < count; i++) {
        str_addf(&s, "%s%s%s%s:%d(", i ? " " : "", f[i].global ? "*" : "", f[i].is_template ? "<>" : "", f[i].is.name,
            f[i].is.line);
        for (size_t k = 0; k < f[i].is.count; k++)
            str_addf(&s, "%s%s|%s", k ? ", " : "", f[i].is.arguments[k].type, f[i].is.arguments[k].name);
        str_add(&s, ")");
    }
    CHECK_TEXT(s.text, want);
    str_release(&s);
    arena_free(a);
}

static void signatures_are_read_whatever_stands_around_them(void)
{
    source_is("extern \"C\" __global__ void k(const float *in, float *out, size_t n) { }",
        "*k:1(const float *|in, float *|out, size_t|n)");
    source_is("__global__ void __launch_bounds__(256, 2)\nk(const T *__restrict__ in,\n  unsigned long long n)\n{}",
        "*k:2(const T *|in, unsigned long long|n)");
    source_is("extern \"C\" {\n__global__ void a(int*x){if(x){}}\n__device__ int b(int i) { return i; }\n}",
        "*a:2(int *|x) b:3(int|i)");
    source_is("namespace n { __global__ void a(void) {} } void b() {}", "*a:1() b:1()");
    source_is("template <typename T, int N> __global__ void a(T *x) {}\n__global__ void b(T *const *x) {}",
        "*<>a:1(T *|x) *b:2(T * const *|x)");
    source_is("// __global__ void no(int x) {}\n/* __global__ void no(int x) {} */\n#define K __global__ void no(int "
              "x) \\\n {}\n"
              "const char *s = \"__global__ void no(int x) {}\";\n__global__ void yes(int x) {}",
        "*yes:6(int|x)");
    source_is("__global__ void k(int x); __global__ void k(int y) {}", "*k:1(int|y)");
    source_is("__global__ void k(float a[], int b = f(1, 2), pair<int, long> c) {}",
        "*k:1(float *|a, int|b, pair<int, long>|c)");
    source_is("__global__ void k(const T &v, int /* no name */) {}", "*k:1(const T &|v, int|2)");
    source_is("struct s { void f(int x) {} }; __global__ void k(struct s x) {}", "*k:1(struct s|x)");
    source_is("auto r = R\"x({ \" )x\"; __global__ void k(long long x) {}", "*k:1(long long|x)");
    source_is("// a comment that goes on \\\n__global__ void no(int x) {}\n__global__ void yes(int x) {}",
        "*yes:3(int|x)");
    source_is("const int n = 1'000, m = 0x1'0; __global__ void k(int x) {}", "*k:1(int|x)");
    source_is("auto r = u8R\"(})\" \"\\\"{\"; __global__ void k(int x) {}", "*k:1(int|x)");
    source_is("__global__ void k(int x", "");
    source_is("__global__ void k(int x) { {", "*k:1(int|x)");
    source_is("", "");
}

static void words_are_found_outside_comments_and_strings(void)
{
    CHECK(source_has_word("half x;", "half"));
    CHECK(source_has_word("#define T half\n", "half"));
    CHECK(source_has_word("/* x */half/**/x;", "half"));
    CHECK(!source_has_word("// half\nhalf2 x; \"half\" 'h' R\"(half)\" my_half", "half"));
    CHECK(!source_has_word("// \\\nhalf\n", "half"));
    CHECK(!source_has_word("", "half"));
    CHECK(!source_has_word("/* half", "half"));
}

// Only what is certain: bytes and vectors of the same numbers are other views, a name of the source's own may be
// anything.
static void a_pointer_to_another_type_is_known(void)
{
    static const struct {
        const char *pointer, *element;
        bool differs;
    } rows[] = {
        {"float *", "float", false},
        {"const float *__restrict__", "float", false},
        {"double *", "float", true},
        {"const int *", "float", true},
        {"unsigned *", "int", true},
        {"const size_t *", "unsigned long long", false},
        {"long *", "long long", false},
        {"float4 *", "float", false},
        {"float *", "float2", false},
        {"int4 *", "float4", true},
        {"void *", "float", false},
        {"const char *", "float", false},
        {"unsigned char *", "int", false},
        {"bool *", "unsigned char", false},
        {"bool *", "int", true},
        {"int *", "char", true},
        {"half *", "__half", false},
        {"__half2 *", "half", false},
        {"float *", "half", true},
        {"real *", "float", false},
        {"float *", "body", false},
        {"float **", "int", false},
        {"int", "float", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool got = kernel_type_differs(rows[i].pointer, rows[i].element);
        if (got != rows[i].differs) printf("%s to %s\n", rows[i].pointer, rows[i].element);
        CHECK(got == rows[i].differs);
    }
}

static const char good[] = "// a line of its own\n"
                           "/*\n"
                           "about: reads and writes\n"
                           "params:\n"
                           "  n: 64Mi\n"
                           "  scale: {default: 2, min: 0.5, about: a factor}\n"
                           "  T: {kind: type, default: float, one_of: [float, double]}\n"
                           "  tile: {kind: constant, default: 32, one_of: [16, 32]}\n"
                           "  order: {kind: constant, default: up, one_of: [up, down]}\n"
                           "  variant: {default: plain, one_of: [plain, fast]}\n"
                           "  must: {min: 1}\n"
                           "buffers:\n"
                           "  in: {type: T, count: n * must, access: read}\n"
                           "  links: {type: unsigned, count: n, access: both, fill: cycle, step: tile}\n"
                           "  made: {type: int, count: n, access: read}\n"
                           "  out: {type: T, count: n, access: write}\n"
                           "reports: {cycles: what the clock says}\n"
                           "threads: [n / tile, 'tile']\n"
                           "useful: 2 * n * sizeof(T) + sizeof(float)\n"
                           "entry: k\n"
                           "*/\n"
                           "__device__ int fill_made(size_t i, size_t n) { return i % n; }\n"
                           "extern \"C\" __global__ void k_plain(const T *in, unsigned *links, const int *made, T "
                           "*out, size_t n, float scale,\n"
                           "    unsigned long long *cycles, int must) {}\n"
                           "extern \"C\" __global__ void k_fast(const T *in, T *out, size_t n) {}\n"
                           "__device__ bool check(size_t i, const T *in, const unsigned *links, const unsigned "
                           "*links_before, const T *out, size_t n)\n"
                           "{ return true; }\n";

static void a_description_becomes_a_kernel(void)
{
    struct diags d = {0};
    struct kernel *k = kernel_parse("dir/odd-name.cu", good, &d);
    diags_print(&d, stdout);
    CHECK(k != NULL);
    if (!k) return;
    CHECK_TEXT(k->name, "odd-name");
    CHECK_TEXT(k->entry, "k");
    CHECK_INT(k->param_count, 7);
    CHECK_INT(kernel_param(k, "n")->fallback.i, 64 << 20);
    CHECK(kernel_param(k, "scale")->is_real && kernel_param(k, "scale")->fallback.r == 2.0 &&
        kernel_param(k, "scale")->min.r == 0.5);
    CHECK(kernel_param(k, "T")->kind == PARAM_TYPE && kernel_param(k, "T")->is_text);
    CHECK_TEXT(kernel_param(k, "T")->fallback.text, "float");
    CHECK(kernel_param(k, "tile")->kind == PARAM_CONSTANT && !kernel_param(k, "tile")->is_text);
    CHECK(kernel_param(k, "order")->is_text && kernel_param(k, "order")->one_of->count == 2);
    CHECK(kernel_param(k, "variant")->kind == PARAM_VARIANT);
    CHECK(kernel_param(k, "must")->fallback.kind == VALUE_NONE && kernel_param(k, "must")->has_min);
    CHECK_TEXT(kernel_buffer(k, "in")->fill, "random");
    CHECK_TEXT(kernel_buffer(k, "links")->fill, "cycle");
    CHECK_TEXT(kernel_buffer(k, "made")->fill, "code");
    CHECK(kernel_buffer(k, "out")->fill == NULL);
    CHECK_TEXT(kernel_buffer(k, "in")->count.text, "n * must");
    CHECK_INT(kernel_buffer(k, "in")->count.at.line, 13);
    CHECK_INT(kernel_buffer(k, "in")->count.at.column, 24);
    CHECK_TEXT(k->threads[1].text, "tile");
    CHECK_INT(k->threads[1].at.column, 22); // behind the quote
    CHECK(k->threads[2].text == NULL);
    CHECK_TEXT(k->reports[0].type, "unsigned long long");
    CHECK_INT(k->function_count, 2);
    CHECK_INT(kernel_function(k, "k_fast")->line, 25);
    CHECK(k->check && k->check->count == 6);
    CHECK_TEXT(k->check->arguments[3].name, "links_before");
    CHECK_INT(d.count, 0);
    kernel_free(k);
    diags_clear(&d);
}

// Of a buffer that has a count alone the rest stands in the entry's signature, and in `expected` where that is not
// read.
static void a_buffer_is_what_the_source_takes(void)
{
    static const char *const wanted = "x float read, y float write, z int both, w double2 read, v char write, ";
    static const char text[] =
        "/*\nparams: {n: 1}\nbuffers: {x: n, y: [n, 2], z: {count: n, fill: 0}, w: n, v: n}\n"
        "sequence: [{launch: 'k<float, 2, double2>'}, {launch: late, arguments: {from: 'v + n'}}]\nthreads: n\n*/\n"
        "template <class T, int N, class U = short, class = void>\n"
        "__global__ void k(const T *x, T *y, int *__restrict__ z, U const *w, const char *v, int n) {}\n"
        "__global__ void late(char *from) {}\n";
    struct diags d = {0};
    struct kernel *k = kernel_parse("k.cu", text, &d);
    LOCAL(str_release) struct str s = {0};
    diags_print(&d, stdout);
    for (size_t i = 0; k && i < k->buffer_count; i++)
        str_addf(&s, "%s %s %s, ", k->buffers[i].name, k->buffers[i].type, words_access[k->buffers[i].access].word);
    CHECK_TEXT(s.text, wanted);
    CHECK(k && k->buffers[1].rows.text);
    kernel_free(k);
    k = kernel_parse("k.cu",
        "/*\nbuffers: {x: 4, y: {count: 4, access: write}}\ngrid: 1\n*/\n"
        "__global__ void k(const theirs *x, float **y) {}\n",
        &d);
    CHECK(!k && d.count == 2);
    CHECK(d.count && strstr(d.items[0].what, "`x` does not say its `type`, nor"));
    CHECK(d.count > 1 && strstr(d.items[1].what, "`y` does not say its `type`, nor"));
    diags_clear(&d);
    k = kernel_parse("k.cu",
        "/*\nbuffers: {x: {count: 4, access: read}, y: {count: 4, access: write}}\ngrid: 1\n"
        "entry: theirs\narguments: {1: x, 2: y}\n*/\n#include <theirs.h>\n"
        "__device__ float expected(size_t i, const short *x, const float *y) { return x[i]; }\n",
        &d);
    CHECK(k && strcmp(k->buffers[0].type, "short") == 0 && strcmp(k->buffers[1].type, "float") == 0);
    kernel_free(k);
    k = kernel_parse("k.cu",
        "/*\nbuffers: {x: 4, y: 4}\ngrid: 1\n*/\ntypedef struct { int surreal; } odd;\ntypedef unsigned char real;\n"
        "using pair = double2;\n__global__ void k(const real *x, pair *y) {}\n",
        &d);
    CHECK(k && strcmp(k->buffers[0].type, "unsigned char") == 0 && strcmp(k->buffers[1].type, "double2") == 0);
    kernel_free(k);
    diags_clear(&d);
}

int main(void)
{
    sizes_are_those_of_cuda();
    a_pointer_to_another_type_is_known();
    signatures_are_read_whatever_stands_around_them();
    words_are_found_outside_comments_and_strings();
    a_description_becomes_a_kernel();
    a_buffer_is_what_the_source_takes();
    return test_end();
}
