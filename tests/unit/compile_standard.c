// Names that a kernel may use without a header of its own: those of nvcc, of host headers that are often included, and
// with NVRTC those of the Toolkit's C++ library.
// SPDX-License-Identifier: MIT
#include "unit/compilers.h"

// Whether this text compiles; else the complaint is printed.
static bool compiles(const char *source)
{
    struct diags d = {0};
    struct code *code = NULL;
    const bool good = compile_code(source, "kernels/k.cu", &(struct compile_options){0}, &code, &d);
    if (!good) printf("%s\n  in: %s\n", diags_first(&d), source);
    code_free(code);
    diags_clear(&d);
    return good;
}

static void add_kernel(struct str *s, size_t number, const char *statement)
{
    str_addf(s, "__global__ void k%zu(float *o, double *d, int n) { %s }\n", number, statement);
}

// Names that nvcc takes without an include, and host headers that kernels often include.
static void test_standard(void)
{
    static const char *const statements[] = {
        "o[0] = INFINITY + HUGE_VALF + (float)HUGE_VAL; constexpr float c = -INFINITY; o[1] = c;",
        "o[0] = NAN; d[0] = M_PI + M_E + M_SQRT1_2 + M_LN2;",
        "uint u = 1; ushort s = 2; ulong l = 3; uchar c = 4; o[0] = u + s + l + c;",
        "o[0] = INT_MAX + UINT_MAX + SHRT_MIN + SCHAR_MIN + LLONG_MIN + FLT_MAX + FLT_EPSILON; d[0] = DBL_MAX;",
        "int64_t i = n; uint64_t u = n; int32_t j = 1; uint8_t b = 2; o[0] = i + u + j + b + INT64_MAX;",
        "atomicAdd((uint64_t *)d, (uint64_t)1); atomicAdd(d, 1.0); atomicMax((int *)o, 3);",
        "o[0] = std::max(o[1], 2.0f) + std::min(1, 2) + std::sqrt(o[2]) + std::abs(o[3]) + std::fabs(d[0]);",
        "std::swap(o[0], o[1]); d[0] = std::numeric_limits<double>::max();",
        "o[2] = std::numeric_limits<float>::infinity();",
        "static_assert(std::is_same<float, float>::value && !std::is_integral<float>::value, \"\");",
        "o[0] = erff(o[1]) + erfcf(o[2]) + normcdff(o[3]) + lrintf(o[4]) + sinpif(o[5]) + __tanf(o[6]) + rsqrtf(o[7]);",
    };
    static const char *const headers[] = {"stdint.h", "cstdint", "stdio.h", "cstdlib", "cmath", "math_constants.h",
        "cuda_runtime.h", "device_launch_parameters.h", "limits", "type_traits", "algorithm", "cuda_fp16.h"};
    struct str s = {0};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) str_addf(&s, "#include <%s>\n", headers[i]);
    str_add(&s, "__global__ void k(float *o) { o[0] = 1; }\n");
    CHECK(compiles(s.text));
    // All in one text, since a compile is most of the price; where that fails each for itself says which.
    const size_t count = sizeof statements / sizeof *statements;
    str_clear(&s);
    for (size_t i = 0; i < count; i++) add_kernel(&s, i, statements[i]);
    const bool all = compiles(s.text);
    CHECK(all);
    for (size_t i = 0; i < count && !all; i++) {
        str_clear(&s);
        add_kernel(&s, i, statements[i]);
        CHECK(compiles(s.text));
    }
    str_release(&s);
}

// The Toolkit's C++ library, which defines int64_t differently.
static void test_toolkit(void)
{
    CHECK(compiles(
        "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n#include <cuda/std/cstdint>\n"
        "#include <cuda/atomic>\n#include <cuda/barrier>\n"
        "namespace cg = cooperative_groups;\n"
        "__global__ void k(float *o, int64_t *p, int *c)\n"
        "{\n"
        "    auto tile = cg::tiled_partition<32>(cg::this_thread_block());\n"
        "    o[0] = cg::reduce(tile, o[threadIdx.x], cg::plus<float>());\n"
        "    cuda::atomic_ref<int, cuda::thread_scope_device>(*c).fetch_add(1);\n"
        "}\n"));
    CHECK(compiles("#include <cub/cub.cuh>\n"
                   "__global__ void k(int *o)\n"
                   "{\n"
                   "    typedef cub::BlockReduce<int, 128> reduce;\n"
                   "    typedef cub::BlockRadixSort<int, 128, 1> sort;\n"
                   "    __shared__ reduce::TempStorage scratch;\n"
                   "    __shared__ sort::TempStorage place;\n"
                   "    int v[1] = {o[threadIdx.x]};\n"
                   "    sort(place).Sort(v);\n"
                   "    o[0] = reduce(scratch).Sum(v[0]);\n"
                   "}\n"));
}

static void run(void)
{
    test_standard();
    if (strcmp(getenv("GPUEXP_COMPILER"), "nvrtc") == 0) test_toolkit();
}

int main(void)
{
    with_each_compiler(run);
    return test_end();
}
