// spec/device_part: what only the host's part of a source needs is left out, and what a kernel reaches stays.
// SPDX-License-Identifier: MIT
#include "spec/device_part.h"

#include "unit/test.h"

#include <stdlib.h>
#include <string.h>

#define KERNEL "__global__ void k(){f(N);}"
static const struct {
    const char *source, *left; // without blanks; NULL: all stays
} rows[] = {
    {KERNEL "int f(int a){return a;}", NULL},
    {KERNEL "int f(int a){return g(a);}int g(int a){return a;}int h(){exit(1);}",
        KERNEL "int f(int a){return g(a);}int g(int a){return a;}"},
    // Types, variables, enumerations, what they are called by.
    {KERNEL "const int N=8;std::vector<float>v;", KERNEL "const int N=8;"},
    {KERNEL "enum{M,N};enum H{A,B};", KERNEL "enum{M,N};"},
    {KERNEL "struct S{}N;struct H{std::string name;};", KERNEL "struct S{}N;"},
    {"struct S;struct H:S{};__global__ void k(S s){}", "struct S;__global__ void k(S s){}"},
    {"template<class T>struct S{T x;};__global__ void k(S<int> s){}", NULL},
    {"template<>struct S<int>{};__global__ void k(){}", "__global__ void k(){}"},
    {"typedef void(*call)(FILE*);typedef int T;__global__ void k(T a){}", "typedef int T;__global__ void k(T a){}"},
    {"using A=std::string;using B=int;__global__ void k(B a){}", "using B=int;__global__ void k(B a){}"},
    {"using namespace std;using namespace std::chrono;" KERNEL, "using namespace std;" KERNEL},
    {"C::C(int a):x(a),y{a}{}" KERNEL, KERNEL},
    {"std::ostream&operator<<(std::ostream&o,C c){return o;}" KERNEL, KERNEL},
    {KERNEL "V operator+(V a,V b){return a;}bool operator()(V a){return 1;}", NULL},
    {"struct __align__(16)N{float x;};struct __align__(8)H{FILE*f;};" KERNEL,
        "struct __align__(16)N{float x;};" KERNEL},
    // Macros are names too, and marks.
    {"#define N M\nint M;int O;" KERNEL, "#define N M\nint M;" KERNEL},
    {"#define DEVICE __device__\n#define BOTH __host__ DEVICE\nBOTH int g(){return 1;}int h(){return 2;}",
        "#define DEVICE __device__\n#define BOTH __host__ DEVICE\nBOTH int g(){return 1;}"},
    {"namespace a{namespace{int f(int x){return x;}int g(){return 1;}}}" KERNEL,
        "namespace a{namespace{int f(int x){return x;}}}" KERNEL},
    {"extern \"C\"{int g();int f(int);}" KERNEL, "extern \"C\"{int f(int);}" KERNEL},
    // What runs kernels is of the host whatever reaches its name, and so is what calls it; a type keeps its functions.
    {"template<class T>void f(T a){k<<<1,1>>>();}" KERNEL, KERNEL},
    {"template<class T>void g(T a){k<<<1,1>>>();}void f(int a){g(a);}" KERNEL, KERNEL},
    {"struct N{void make(){cudaMalloc(&p,4);}int size(){return 4;}};" KERNEL,
        "struct N{void make(){}int size(){return 4;}};" KERNEL},
    {"struct N{__host__ void a();__host__ __device__ int b();__host__ int c(){return 1;}};" KERNEL,
        "struct N{void a();__host__ __device__ int b();int c(){}};" KERNEL},
    {"template<class T>__host__ void f(T a){}" KERNEL, KERNEL},
    {"void f(int a){cudaFree(a);}template void f<int>(int a);" KERNEL, KERNEL},
    // A function of a type that nothing reaches is not reached by its name alone.
    {"void C::f(int a){exit(a);}template<class T>T C<T>::f(int a){exit(a);}C::~f(){exit(1);}" KERNEL, KERNEL},
    {"struct C{int a;int f(int);};int C::f(int b){return b;}__global__ void k(C c){c.f(1);}", NULL},
    {"namespace a{int f(int);}int a::f(int b){return b;}__global__ void k(){a::f(1);}", NULL},
    // Directives stay, as do lines.
    {"int h(){\n#if 1\nexit(1);\n#endif\n}\n" KERNEL, "\n#if 1\n\n#endif\n\n" KERNEL},
    {"#include <sys/time.h>\n#include \"own.h\"\n" KERNEL, "\n#include\"own.h\"\n" KERNEL},
    {"#include <sys/time.h>", ""},
    {"int h(){\"}\"; /* } */ return 1;}" KERNEL, KERNEL},
    {"int h({" KERNEL, NULL}, // who knows
    {"} ; ) int h(){return 1;}" KERNEL, "};" KERNEL},
    {"#define\n#define 1\n#define \"a\"\n" KERNEL, NULL},
    {"", NULL},
};

static void without_blanks(const char *from, char *to)
{
    for (; *from; from++)
        if (*from != ' ') *to++ = *from;
    *to = '\0';
}

static void lines_stay(void)
{
    char *text = device_part("#include <cublas_v2.h>\n__global__ void k() {}\n");
    CHECK(text && strstr(text, "#include <cuda_bf16.h>")); // which that one brings
    free(text);
    text = device_part("// gpuexp: options --use_fast_math\n#line 1 \"a.cu\"\n#include <cublas_v2.h>\n");
    CHECK(text && strncmp(text, "// gpuexp: options --use_fast_math\n#ifndef", 42) == 0);
    free(text);
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = device_part(rows[i].source), got[512], wanted[512];
        without_blanks(text ? text : rows[i].source, got);
        without_blanks(rows[i].left ? rows[i].left : rows[i].source, wanted);
        if (strcmp(got, wanted) != 0) printf("%s: left `%s`\n", rows[i].source, text ? text : "all");
        CHECK(strcmp(got, wanted) == 0);
        CHECK(!text || strlen(text) == strlen(rows[i].source)); // each place stays where it is
        free(text);
    }
    lines_stay();
    return test_end();
}
