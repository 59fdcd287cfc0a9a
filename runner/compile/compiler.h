// What compile.c needs from a compiler: one struct for NVRTC, one for clang. Also functions for both.
// SPDX-License-Identifier: MIT
#ifndef COMPILE_COMPILER_H
#define COMPILE_COMPILER_H
#include "compile/compile.h"

struct compiler {
    const char *name;    // as GPUEXP_COMPILER spells it
    void (*begin)(void); // what it does once in a process, which may go on in another; NULL: nothing
    // "nvrtc 13.0.88"; NULL when it is not there, with why. It is looked for once in a process; the text lives as long.
    // `*unsure`: it may be there, the system did not let it be asked.
    const char *(*version)(char why[256], bool *unsure);
    // The architecture that it will really compile for, nearest to the one asked for.
    void (*arch)(const struct compile_options *, char arch[16]);
    bool (*compile)(const char *source, const char *path, const char *arch, int maxregs, struct code *, struct diags *);
};
extern const struct compiler compiler_nvrtc, compiler_clang;

#define COMPILE_DEFAULT_ARCH "sm_80"
int compiler_arch_number(const char *arch); // 90 of "sm_90" or "sm_90a"; 0 when it is neither

// Headers that a kernel may include, for compilers that have no host headers: name and text; ends with a NULL name.
struct compiler_header {
    const char *name, *text;
};
const struct compiler_header *compiler_headers(size_t *count);

// The first error of a compiler's log as a diag at the user's own line, NVRTC's spelling ("x.cu(3): error: …") and
// clang's
// ("x.cu:3:5: error: …") alike. Always adds one.
void compiler_complaint(const char *log, const char *source, const char *path, struct diags *);

// Adds an entry for each `.entry` of code->ptx; facts that the log of `ptxas -v` does not have stay unknown (-1).
void compiler_entries(struct code *, const char *ptxas_log);

// How a source that asks for options of the compiler begins; the `n`-th of them into `option`. False: there are no
// more.
#define COMPILER_OPTIONS "// gpuexp: options"
bool compiler_option(const char *source, size_t n, char option[64]);
#endif
