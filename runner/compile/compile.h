// From a job's source to code: PTX, machine code where there is a Toolkit, and the compiler's facts. NVRTC where it
// takes the source, nvcc where it does not, clang without a Toolkit; cached by content under the user's cache folder
// ($XDG_CACHE_HOME or ~/.cache, /gpuexp).
// SPDX-License-Identifier: MIT
#pragma once
#include "base/str.h"
#include "plan/job.h"

// The text that is compiled: constants and types, `#line 1 "kernels/x.cu"`, the file, then generated entries
//   gpuexp_check(all buffers, befores, scalars as declared, size_t n, unsigned long long *result)
// which calls `check` for every element i < n, or holds it to what `expected` returns; result: enum check_result; and
// gpuexp_fill_<buffer>(T *out, size_t n, scalars...) for each buffer filled by code. Allocated with malloc. Where
// another kernel's text does that (`contract` of the job), these two are left out.
char *compile_source(const struct job *, struct diags *);
// The same for a program that runs the description's `host`, without what the device needs beside it.
char *compile_host_source(const struct job *, struct diags *);
// and gpuexp_arguments(all buffers, scalars, unsigned char *out) where an argument is C++ that the device makes.
enum { COMPILE_MADE_BYTES = 4096 };
// Arguments of the generated entries, so that devices can pack them: what each takes, in order.
enum compile_take { TAKE_BUFFER, TAKE_BEFORE, TAKE_SCALAR, TAKE_TOLERANCE, TAKE_LENGTH, TAKE_COUNT, TAKE_RESULT };
struct compile_argument {
    enum compile_take take;
    size_t index; // of the job's buffer (LENGTH: how many elements it has) or scalar, or of its tolerance
};
// What gpuexp_check leaves in its result: how many elements are wrong, the lowest of them (at first ~0), and where
// there is an expected value the bits of the largest error as a double. Behind the index that is asked about (~0:
// none) it puts what was expected there: of each number of the element the bits of a double, or 64 bits where the
// scalar is no real one. Of CHECK_PART times 256 elements side by side (0: of all) it looks at 256 that CHECK_PICK
// draws.
bool compile_is_real(const char *scalar);
enum check_result {
    CHECK_WRONG,
    CHECK_FIRST,
    CHECK_ERROR,
    CHECK_ASKED,
    CHECK_PART,
    CHECK_PICK,
    CHECK_BY, // which of the job's `expects` that is
    CHECK_VALUE,
    CHECK_WORDS = CHECK_VALUE + 4
};
// How many it looks at. And the parts of which few pieces of 256 are left.
uint64_t compile_check_asked(uint64_t count, uint64_t part, uint64_t pick);
static inline uint64_t compile_check_few(uint64_t count) { return count / 256 / 16; }
size_t compile_check_arguments(const struct job *, struct compile_argument *, size_t most);

enum { CODE_NAME = 2048, CODE_ASKED = 512 };
struct code_entry {
    char name[CODE_NAME];                             // as the code has it: mangled, unless it is extern "C"
    char asked[CODE_ASKED];                           // what the source calls it; "": nobody asked for it by name
    int regs, local_bytes, shared_bytes, spill_bytes; // -1: not known (clang has no ptxas)
};
struct code {
    char *ptx;   // NUL-terminated, always there
    void *cubin; // NULL when only PTX could be made
    size_t cubin_bytes;
    void *given; // machine code that the source includes, as its file has it: for a driver; NULL: none
    size_t given_bytes, given_from, given_count; // and where in it a cubin is
    char compiler[64];                           // "nvrtc 13.0.88", "nvcc 13.0.88", "clang 14.0.6"
    char left_out[256]; // headers that are not here, and that no kernel needs: "<torch/extension.h>"
    char arch[16]; // what it was compiled for: the nearest that the compiler still makes, not always what was asked for
    struct code_entry *entries;
    size_t entry_count;
    bool cached; // it came from the cache
};

struct compile_options {
    const char *arch; // "sm_90"; NULL: the default for simulation
    int maxregs;      // 0: no limit
};

// Compiles or finds in the cache. GPUEXP_COMPILER=nvrtc, nvcc or clang in the environment chooses one. False: the
// compiler's first complaint, with file and line of the user's own source.
bool compile_code(const char *source, const char *path, const struct compile_options *, struct code **, struct diags *);
// What a reader of its rows should know, as warnings: headers left out, a compiler that is not the usual one.
void code_notes(const struct code *, const char *source, struct diags *);
void code_free(struct code *);
const struct code_entry *code_entry_find(const struct code *, const char *name);
// The same by what the source calls it: "k", "ns::k", "sum<float, 128>". NULL: there is none.
const struct code_entry *code_entry_named(const struct code *, const char *name);

// The architecture that `wanted` is really compiled for (CUDA 13 makes none older than sm_75, clang 14 none newer than
// sm_86).
bool compile_arch(const char *wanted, char arch[16], struct diags *);

// What `job_host` is: the program is compiled by nvcc with a runtime of ours (text/host.h), and run.
bool host_launch(struct job *, struct job_device *, struct arena *, struct diags *);

// Once, before other threads and libraries are there: what the compiler needs is made ready by other processes, which
// end with the calling thread. Without it the first question does so.
void compile_begin(void);

// What would compile, for `devices` and keys: "nvrtc 13.0.88", "clang 14.0.6"; NULL with a sentence in diags when
// nothing can.
extern const struct choice compile_environment[]; // the environment variables that say which compiler, and where
const char *compile_compiler(struct diags *);
const char *compile_nvrtc(char why[256]); // the library that it is; NULL: none of use, and why
// After compile_compiler gave NULL: true when there is none, false when it could not be told (no memory, no process).
bool compile_sure(void);

// Ahead of need, by a few threads of the calling process: sources queued here are compiled into the cache.
struct compile_ahead;
struct compile_ahead *compile_ahead_new(int threads);
void compile_ahead_add(struct compile_ahead *, char *source, const char *path,
    const struct compile_options *);             // takes source
void compile_ahead_free(struct compile_ahead *); // waits for what is running, drops the rest
