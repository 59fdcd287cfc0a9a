// compile/left_out: what no kernel names goes at once. What a compiler refuses of the rest is left out where no kernel
// could do without it unnoticed, and nothing else.
// SPDX-License-Identifier: MIT
#include "compile/left_out.h"

#include "unit/test.h"

#include <stdlib.h>
#include <string.h>

#define KERNEL "__global__ void k(){f(N);S;h;type;}\n"
#define ASKED "\n#line 1 \"gpuexp\"\n#line 1 \"own.cu\"\n// gpuexp: entry k\n"
#define AT(line, what) "a.cu(" #line "): error: " what "\n"
static const struct {
    const char *source, *log, *left; // the source from its first line on; NULL: nothing is left out
} rows[] = {
    // What the kernel does not name, nor what it names, whatever it is.
    {"PYBIND11_MODULE(a,m){m.def(1);}\n" KERNEL, NULL, "\n" KERNEL},
    {"using at::Tensor;\nstd::vector<float>v;\n" KERNEL, NULL, "\n\n" KERNEL},
    {"struct H{\nstd::string s;};\n" KERNEL, NULL, "\n\n" KERNEL},
    {"template<class T>using A=typename B<T>::type;\n" KERNEL, NULL, "\n" KERNEL},
    {"template<class T>requires C<T>struct A{};\n" KERNEL, NULL, "\n" KERNEL},
    {"__global__ void other(at::Tensor t){}\n" KERNEL, NULL, "\n" KERNEL},
    {"template void f<int>(int a);\n" KERNEL, NULL, "\n" KERNEL},
    {"template __global__ void k<int>(int a);\n" KERNEL, NULL, "\n" KERNEL},
    {"torch::Tensor own(int);\n" KERNEL, NULL, "\n" KERNEL}, // the file's name is no name of it
    {"int g(){return 1;}\nint f(int a){return g();}\nint i(){return 1;}\n" KERNEL, NULL,
        "int g(){return 1;}\nint f(int a){return g();}\n\n" KERNEL},
    {"#define N g(1)\nint g(int);\n" KERNEL, NULL, NULL},
    {"#if A\nint f(int a){\n#else\nint f(long a){\n#endif\nreturn 1;}\n" KERNEL, NULL, NULL},
    // What has no name stays, and what a macro makes. What a compiler misses comes back.
    {"#define MAKE(n) int n##_made;\nMAKE(a);\nint b;\n" KERNEL, NULL,
        "#define MAKE(n) int n##_made;\nMAKE(a);\n\n" KERNEL},
    {"A operator+(A,A);\nusing namespace a;\n" KERNEL, NULL, NULL},
    {"int q;\nint r;\n" KERNEL, AT(3, "identifier \"q\" is undefined"), "int q;\n\n" KERNEL},
    // A specialization of what is CUDA's own is for a type that is named.
    {"struct Q{};\ntemplate<>struct std::hash<Q>{};\nstruct S{};\ntemplate<>struct std::hash<S>{};\n" KERNEL, NULL,
        "\n\nstruct S{};\ntemplate<>struct std::hash<S>{};\n" KERNEL},
    {"template<>struct std::hash<int>{};\n" KERNEL, NULL, NULL},
    // So is a function of the device: a header may call it.
    {"struct S{};\n__device__ int hook(S);\nint own(S);\nstruct Q{};\n__device__ int hang(Q);\n" KERNEL, NULL,
        "struct S{};\n__device__ int hook(S);\n\n\n\n" KERNEL},
    // What is refused, and only a host can run.
    {KERNEL "int h(at::Tensor t){return 1;}\nint f(int a);\n", AT(2, "x"), KERNEL "\nint f(int a);\n"},
    {"void h(int){}\nvoid h(at::Tensor){}\n" KERNEL, AT(2, "x"), "void h(int){}\n\n" KERNEL},
    // Of a function of the device that has a namesake only the body: who calls it is told.
    {"__device__ int f(int a){return b;}\n" KERNEL, AT(1, "x"), "\n" KERNEL},
    {"__device__ int f(int a){return b;}\n__device__ int f(float a){return 1;}\n" KERNEL, AT(1, "x"),
        "__device__ int f(int a)=delete;\n__device__ int f(float a){return 1;}\n" KERNEL},
    {"__device__ int f(int a){return b;}\n#define f(a) 1\n" KERNEL, AT(1, "x"), "\n#define f(a) 1\n" KERNEL},
    {"#define D __device__\nD int f(int a){return b;}\nD int f(float a){return 1;}\n" KERNEL, AT(2, "x"),
        "#define D __device__\nD int f(int a)=delete;\nD int f(float a){return 1;}\n" KERNEL},
    // Unless it is for types that are not there, which its head tells.
    {"__device__ int f(int a){return 1;}\n__device__ int f(c10::Half a)\n{return 2;}\n" KERNEL, AT(2, "x"),
        "__device__ int f(int a){return 1;}\n\n\n" KERNEL},
    {"__device__ int f(int a){return 1;}\n__device__ int f(float a)\n{return b;}\n" KERNEL, AT(3, "x"),
        "__device__ int f(int a){return 1;}\n__device__ int f(float a)\n=delete;\n" KERNEL},
    {"template<class T>struct S{};\ntemplate<>struct S<int>{at::Half h;};\n" KERNEL, AT(2, "x"), NULL},
    {"template<class T>struct S{};\ntemplate<>struct S<c10::Half>{int h;};\n" KERNEL, "a.cu:2:20: error: x\n",
        "template<class T>struct S{};\n\n" KERNEL},
    {"template<class T>struct S{};\ntemplate<>struct S<int>:B<c10::Half>{};\n" KERNEL, "a.cu:2:27: error: x\n", NULL},
    // What is asked for stays, and what nobody knows the place of.
    {KERNEL, AT(1, "x"), NULL},
    {KERNEL, "/usr/include/a.h(1): error: x\n", NULL},
    {KERNEL, "", NULL},
    // A type keeps what stands beside a function that is left out; without a constructor it would have another.
    {"struct S{int a;\nvoid make(){cudaMalloc(a);}\nint b;};\n" KERNEL, AT(2, "x"),
        "struct S{int a;\n\nint b;};\n" KERNEL},
    {"struct S{int a;\nS(){cudaMalloc(a);}\nint b;};\n" KERNEL, AT(2, "x"), "\n\n\n" KERNEL},
    // Headers, by what each compiler says of them.
    {"#include <torch/all.h>\n" KERNEL, AT(1, "cannot open source file \"torch/all.h\""), "\n" KERNEL},
    {"#include \"b.h\"\n#include <b.h>\n" KERNEL, "a.cu:1:10: fatal error: b.h: No such file or directory\n",
        "\n\n" KERNEL},
    {"#include \"gpuexp_b.h\"\n" KERNEL, AT(1, "cannot open source file \"gpuexp_b.h\""), NULL},
    {"# include <b.h> // c\n" KERNEL, "a.cu:1:10: fatal error: 'b.h' file not found\n", "\n" KERNEL},
    // Directives stay, as do lines.
    {"int h(){\n#if 1\nexit(1);\n#endif\n}\n" KERNEL, AT(3, "x"), "\n#if 1\n\n#endif\n\n" KERNEL},
};

static void without_blanks(const char *from, char *to)
{
    for (; *from; from++)
        if (*from != ' ') *to++ = *from;
    *to = '\0';
}

static void leaves_out(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char source[512], wanted[512], got[512];
        struct left_out l;
        snprintf(source, sizeof source, "\n#line 1 \"a.cu\"\n%s" ASKED, rows[i].source);
        snprintf(got, sizeof got, "\n#line 1 \"a.cu\"\n%s" ASKED, rows[i].left ? rows[i].left : rows[i].source);
        without_blanks(got, wanted);
        left_out_begin(&l, source);
        if (rows[i].log) CHECK(left_out_more(&l, rows[i].log) == (rows[i].left != NULL));
        CHECK(strlen(l.text) == strlen(source)); // each place stays where it is
        without_blanks(l.text, got);
        CHECK_TEXT(got, wanted);
        left_out_end(&l);
    }
}

// Of what is missed it is told why it was left out; without a cause, what it is, and which headers are not here.
static void complains(void)
{
    static const char source[] = "\n#line 1 \"a.cu\"\n__device__ int f(int a) { return b; }\n" KERNEL ASKED;
    static const char chain[] = "\n#line 1 \"a.cu\"\n__device__ int f(int a) { return b; }\n"
                                "__device__ int g(int f) { return f(a); }\n__global__ void k(){g(N);}\n" ASKED;
    static const char spaces[] =
        "\n#line 1 \"a.cu\"\nnamespace n{\ntemplate<class T>__device__ int f(T a){return 1;}\n"
        "template<>__device__ int f<int>(int a){return b;}\n__device__ int g(float){return 1;}\n"
        "__device__ int g(int a){return f(a);}}\n__global__ void k(){n::g(N);g(N);}\n" ASKED;
    static const char torch[] = "\n#line 1 \"a.cu\"\n#include <torch/all.h>\n" KERNEL ASKED;
    struct left_out l;
    struct diags d = {0};
    left_out_begin(&l, source);
    CHECK(left_out_more(&l, AT(1, "identifier \"b\" is undefined")));
    CHECK(!left_out_more(&l, AT(2, "identifier \"f\" is undefined")));
    left_out_complain(&l, AT(2, "identifier \"f\" is undefined"), "a.cu", &d);
    CHECK_TEXT(diags_first(&d), "identifier \"b\" is undefined");
    CHECK(d.count == 1 && d.items[0].at.line == 1);
    left_out_end(&l);
    diags_clear(&d);
    left_out_begin(&l, chain); // of what was left out for that, the last
    CHECK(left_out_more(&l, AT(1, "identifier \"b\" is undefined")));
    CHECK(left_out_more(&l, AT(2, "identifier \"f\" is undefined")));
    left_out_complain(&l, AT(3, "identifier \"g\" is undefined"), "a.cu", &d);
    CHECK_TEXT(diags_first(&d), "identifier \"b\" is undefined");
    CHECK(d.count == 1 && d.items[0].at.line == 1);
    left_out_end(&l);
    diags_clear(&d);
    left_out_begin(&l, spaces); // what a compiler says of a body that is deleted, and where nvcc's caret is
    CHECK(left_out_more(&l, AT(3, "identifier \"b\" is undefined")));
    CHECK(left_out_more(&l, AT(5, "function \"n::f(T)\" (declared at line 2) cannot be referenced")));
    left_out_complain(&l, AT(6, "function \"n::g(int)\" (declared at line 4) cannot be referenced"), "a.cu", &d);
    CHECK_TEXT(diags_first(&d), "identifier \"b\" is undefined");
    CHECK(d.count == 1 && d.items[0].at.line == 3);
    diags_clear(&d);
    left_out_complain(&l,
        AT(6, "x") "  __attribute__((global)) void k(){n::g(N);g(N);}\n"
                   "                                           ^\n",
        "a.cu", &d);
    CHECK(d.count == 1 && d.items[0].at.line == 6);
    CHECK_INT(d.items[0].at.column, 29);
    left_out_end(&l);
    diags_clear(&d);
    left_out_begin(&l, torch);
    CHECK(left_out_more(&l, AT(1, "cannot open source file \"torch/all.h\"")));
    CHECK_TEXT(l.headers, "<torch/all.h>");
    left_out_complain(&l, AT(2, "identifier \"N\" is undefined"), "a.cu", &d);
    CHECK_TEXT(diags_first(&d), "identifier \"N\" is undefined");
    CHECK(d.count == 1 && d.items[0].at.line == 2 && strstr(d.items[0].hint, "<torch/all.h>"));
    left_out_end(&l);
    diags_clear(&d);
}

static bool takes_one(void *context, const char *include)
{
    ++*(int *)context;
    return !strstr(include, "random");
}

static void tries_headers(void)
{
    static const char source[] = "\n#line 1 \"a.cu\"\n#include <map>\n#include <random>\n#include <map>\n" KERNEL ASKED;
    static const char in_header[] = "/usr/include/random(9): error: x\n";
    struct left_out l;
    int tried = 0;
    left_out_begin(&l, source);
    CHECK(!left_out_header(&l, AT(2, "identifier \"f\" is undefined"), takes_one, &tried)); // no header is blamed
    CHECK_INT(tried, 0);
    CHECK(left_out_header(&l, in_header, takes_one, &tried));
    CHECK_INT(tried, 2);
    CHECK_TEXT(l.headers, "<random>");
    CHECK(strstr(l.text, "<map>") && !strstr(l.text, "random"));
    left_out_end(&l);
}

int main(void)
{
    leaves_out();
    complains();
    tries_headers();
    return test_end();
}
