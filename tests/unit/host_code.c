// spec/host_code: what only a host can run is left out of what is compiled, and nothing else.
// SPDX-License-Identifier: MIT
#include "spec/host_code.h"

#include "unit/test.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *source, *left;
} rows[] = {
    {"int main() { return f(1); }\nint a;", "\nint a;"},
    {"int a; int main(int n, char **v)\n{\n  k<<<1, 2>>>(v);\n} // b\nint c;", "int a;\n\n\n // b\nint c;"},
    {"static void run(int *p) { cudaFree(p); }", ""},
    {"void run() { k<<<1, 2>>>(); }", ""},
    {"__host__ int f() { return 1; }", ""},
    // These stay: a check may call a function without a mark, and what is shown or taken as a comment calls nothing.
    {"__global__ void k() { g<<<1, 2>>>(); }", "__global__ void k() { g<<<1, 2>>>(); }"},
    {"__host__ __device__ int f() { return 1; }", "__host__ __device__ int f() { return 1; }"},
    {"int f() { return 1; }", "int f() { return 1; }"},
    {"int f() { return cudaFree; } // cudaFree(p)", "int f() { return cudaFree; } // cudaFree(p)"},
    {"int f() { return \"cudaFree(p) <<<\"[0]; }", "int f() { return \"cudaFree(p) <<<\"[0]; }"},
    {"void f() { cudaGridDependencySynchronize(); }", "void f() { cudaGridDependencySynchronize(); }"},
    {"int domain() { return 1; } int mainly;", "int domain() { return 1; } int mainly;"},
    {"int f(cudaTextureObject_t t) { return 1; }", "int f(cudaTextureObject_t t) { return 1; }"},
    // The one before and the one behind stay whole, whatever the one between has in it.
    {"void f() {} int main() { g(\"}\"); /* } */ } void h() {}", "void f() {} void h() {}"},
    {"int main()\n{\n#ifdef A\n  f();\n#endif\n}\n#define B", "\n\n#ifdef A\n\n#endif\n\n#define B"},
    {"int main() { f(R\"(\n#endif\n)\"); }", "\n\n"},
    {"#if 1\nint main() {}\n#endif\n", "#if 1\n\n#endif\n"},
    {"extern \"C\" {\nint main() {}\nint f() { return 1; }\n}", "extern \"C\" {\n\nint f() { return 1; }\n}"},
    {"int main() { f(", ""},
    {"", ""},
};

// Without the blanks that stand in the place of what was left out.
static void without_blanks(const char *from, char *to)
{
    for (; *from; from++)
        if (*from != ' ') *to++ = *from;
    *to = '\0';
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = host_code_left_out(rows[i].source), got[256], wanted[256];
        without_blanks(text, got);
        without_blanks(rows[i].left, wanted);
        CHECK(strlen(text) == strlen(rows[i].source)); // each place stays where it is
        if (strcmp(got, wanted) != 0) printf("%s: left `%s`\n", rows[i].source, text);
        CHECK(strcmp(got, wanted) == 0);
        free(text);
    }
    return test_end();
}
