// What compile.c needs from a compiler: one struct for NVRTC, one for nvcc, one for clang. Also functions for all.
// SPDX-License-Identifier: MIT
#pragma once
#include "compile/compile.h"

struct compiler {
    const char *name;    // as GPUEXP_COMPILER spells it
    void (*begin)(void); // what it does once in a process, which may go on in another; NULL: nothing
    // "nvrtc 13.0.88"; NULL when it is not there, with why. It is looked for once in a process; the text lives as long.
    // `*unsure`: it may be there, the system did not let it be asked.
    const char *(*version)(char why[256], bool *unsure);
    // The architecture that it will really compile for, nearest to the one asked for.
    void (*arch)(const struct compile_options *, char arch[16]);
    // False: `log` says why the source is refused, or, where it is empty, diags what else is wrong.
    bool (*compile)(const char *source, const char *path, const char *arch, int maxregs, struct code *, struct str *log,
        struct diags *);
};
extern const struct compiler compiler_nvrtc, compiler_nvcc, compiler_clang;

// A program of the source and `runtime`, which stands in place of CUDA's; as `cubin`, beside the PTX of its kernels.
bool nvcc_program(const char *source, const char *runtime, const char *path, struct code *, struct str *log,
    struct diags *);

#define COMPILE_DEFAULT_ARCH "sm_90"
enum { COMPILER_OPTION = 512 };
int compiler_arch_number(const char *arch); // 90 of "sm_90" or "sm_90a"; 0 when it is neither

// Headers that a kernel may include, for compilers that have no host headers: name and text; ends with a NULL name.
struct compiler_header {
    const char *name, *text;
};
const struct compiler_header *compiler_headers(size_t *count);

// One error of a log. `at`: that line in the source, NULL where the source has it not.
struct compiler_error {
    const char *file, *what, *at;
    size_t file_length, what_length;
    int line, column;
};
// The next one of a log that is read from `*log` on; false: there is none.
bool compiler_error_next(const char **log, const char *source, struct compiler_error *);

// The first error of a compiler's log as a diag at the user's own line, NVRTC's spelling ("x.cu(3): error: …") and
// clang's
// ("x.cu:3:5: error: …") alike. Always adds one.
void compiler_complaint(const char *log, const char *source, const char *path, struct diags *);

// Adds an entry for each `.entry` of code->ptx; facts that the log of `ptxas -v` does not have stay unknown (-1).
void compiler_entries(struct code *, const char *source, const char *ptxas_log);

// How a source that asks for options of the compiler begins; the `n`-th of them into `option`. False: there are no
// more.
#define COMPILER_OPTIONS "// gpuexp: options"
#define COMPILER_WANTED "compiler:" // among them; no option for the compiler itself
bool compiler_option(const char *source, size_t n, char option[COMPILER_OPTION]);

// The compiler that the source asks for, else the environment; NULL: neither does.
const char *compiler_wanted(const char *source, char text[COMPILER_OPTION]);

// A line that asks for an entry by what C++ calls it; an instance of a template is made because it is asked for.
#define COMPILER_ENTRY "\n// gpuexp: entry "
// The same of an entry whose name in the code is that of the source. Such a line need not be: without it the kernels of
// one file have one text. Where that is refused, what a kernel needs has to be known, and the line asks.
#define COMPILER_PLAIN "\n// gpuexp: plain "
// The one behind `*p`, and where the next is looked for; false: there are no more.
bool compiler_entry(const char **p, char entry[CODE_ASKED]);
// joined.c: PTX that the source includes. What is it for? False: there is none.
bool joined_arch(const char *source, char arch[16]);
// To the code's own; machine code as entries without a body. False: it is of no use here, which is told.
bool joined_add(struct code *, const char *source, const char *path, struct diags *);
void joined_keep(struct code *, const char *source); // the machine code, as `given`
// For a compiler that has no such question: the source with a variable in each such line, which takes the address of
// the entry. The variables are gone from the PTX behind compiler_entries; for the caller to free.
char *compiler_with_entries(const char *source);
