// nvcc, the compiler that people use: it takes host code, all attributes and every header that a program takes. It is a
// process of its own in a scratch folder. It makes PTX; machine code is made of that by the ptxas beside it.
// SPDX-License-Identifier: MIT
#include "base/child.h"
#include "base/file.h"
#include "base/str.h"
#include "base/toolkit.h"
#include "compile/compiler.h"
#include "compile/scratch.h"
#include "spec/source.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char version_text[64], program[PATH_MAX], assembler[PATH_MAX], missing[256];
static int archs[64], arch_count;
static bool is_unsure;

// Its preprocessor, front end and back end, one after the other. A file of CUTLASS takes more than 4 GiB.
enum { MEMORY_GIB = 16 };
static const struct child_limits limits = {(size_t)MEMORY_GIB << 30, 300};

static char *in(struct arena *a, const struct scratch *s, const char *name)
{
    return arena_printf(a, "%s/%s", s->path, name);
}

static bool find_program(void)
{
    const bool good = toolkit_program("nvcc", program) && toolkit_program("ptxas", assembler);
    if (!good) snprintf(missing, sizeof missing, "no nvcc (CUDA Toolkit) is found");
    return good;
}

// What it is, and that it compiles: it takes a compiler of the host too.
static void find(void)
{
    struct scratch folder;
    LOCAL(arena_drop) struct arena *a = arena_new();
    if (!find_program()) return;
    if (!scratch_make(&folder)) {
        snprintf(missing, sizeof missing, "no scratch folder %.150s: %s", folder.path, strerror(errno));
        is_unsure = true;
        return;
    }
    char *log = in(a, &folder, "log"), *source = in(a, &folder, "empty.cu");
    char *const asks[][5] = {{program, (char *)"--version", NULL}, {program, (char *)"--list-gpu-code", NULL},
        {program, (char *)"-E", source, NULL}};
    bool good = scratch_put(source, "");
    for (int i = 0; good && i < 3; i++) {
        const enum child_end end = child_run(asks[i], log, &limits);
        is_unsure |= end == CHILD_NOT_STARTED;
        char *text = scratch_text(log);
        const char *v = text ? strstr(text, ", V") : NULL;
        if ((good = end == CHILD_WELL && text) && i == 0 && v)
            snprintf(version_text, sizeof version_text, "nvcc %.*s", (int)strspn(v + 3, "0123456789."), v + 3);
        for (const char *p = text; good && i == 1 && (p = strstr(p, "sm_")) && arch_count < 64; p += 3)
            archs[arch_count++] = atoi(p + 3);
        if (!good) snprintf(missing, sizeof missing, "%.120s fails: %.100s", program, text ? text : strerror(errno));
        free(text);
    }
    if (!good || !arch_count) *version_text = '\0';
    scratch_remove(&folder);
}

static const char *nvcc_version(char why[256], bool *unsure)
{
    pthread_once(&once, find);
    *unsure = is_unsure;
    if (*version_text) return version_text;
    snprintf(why, 256, "%s", missing);
    return NULL;
}

static void nvcc_arch(const struct compile_options *o, char arch[16])
{
    const int wanted = compiler_arch_number(o->arch ? o->arch : COMPILE_DEFAULT_ARCH);
    int best = arch_count ? archs[0] : wanted;
    for (int i = 0; i < arch_count; i++)
        if (archs[i] <= wanted && archs[i] > best) best = archs[i];
    if (o->arch && best == wanted) snprintf(arch, 16, "%s", o->arch);
    else snprintf(arch, 16, "sm_%d", best);
}

enum { ARGUMENTS = 64 };
struct compiler_command {
    char *argv[ARGUMENTS + 1];
    size_t count;
};

static void add(struct compiler_command *c, const char *argument)
{
    if (c->count < ARGUMENTS) c->argv[c->count++] = (char *)(uintptr_t)argument;
}

// Options for ptxas come as `-Xptxas=...`, and one by itself; the others are nvcc's own.
static void add_options(struct compiler_command *c, const char *source, bool of_assembler, struct arena *a)
{
    char option[COMPILER_OPTION];
    for (size_t i = 0; compiler_option(source, i, option); i++) {
        const bool passed = strncmp(option, "-Xptxas=", 8) == 0, own = strncmp(option, "--maxrregcount=", 15) == 0;
        if ((passed || own) == of_assembler) add(c, arena_strdup(a, passed ? option + 8 : option));
    }
}

// False: it could not run, which `d` says, or refused what it was given, which the log says.
static bool ran(const struct compiler_command *c, const char *log_file, const char *path, struct str *log,
    struct diags *d)
{
    const struct where file = {.file = path};
    const enum child_end end = child_run(c->argv, log_file, &limits);
    const int error = errno;
    LOCAL(mem_drop) char *text = scratch_text(log_file);
    if (text) str_add(log, text);
    if (end == CHILD_WELL) return true;
    if (end == CHILD_NOT_STARTED || end == CHILD_NOT_THERE)
        diag_system(d, NULL, "%s cannot be started: %s", c->argv[0], strerror(error));
    else if (end == CHILD_TOO_LONG)
        diag_user(d, file, NULL, "the compiler was ended after %u s of processor time", limits.seconds);
    else if (log->size && strstr(log->text, "out of memory")) // no refusal: leaving out would cut what is right
        diag_user(d, file, NULL, "the compiler took more memory than there is for it, %d GiB", MEMORY_GIB);
    else if (!log->size) diag_user(d, file, NULL, "the compiler died over it");
    return false;
}

// What both a kernel and a program with it are compiled with.
static void add_front(struct compiler_command *c, struct arena *a, const struct scratch *folder, const char *source)
{
    add(c, "/usr/bin/env");
    add(c, arena_printf(a, "TMPDIR=%s", folder->path));
    add(c, program);
    if (!strstr(arena_strndup(a, source, strcspn(source, "\n")), "-std=")) add(c, "-std=c++17");
    add(c, "--extended-lambda");
    add(c, "--expt-relaxed-constexpr");
    add(c, "-w");
    for (int i = 0; i < 2; i++) { // what NVRTC has in front of a source too
        add(c, "-include");
        add(c, i ? "limits" : "stdint.h");
    }
    add_options(c, source, false, a);
    add(c, in(a, folder, "source.cu"));
}

static void make_ptx(struct compiler_command *c, struct arena *a, const struct scratch *folder, const char *source,
    const char *arch)
{
    add_front(c, a, folder, source);
    add(c, "-ptx");
    add(c, arena_printf(a, "-arch=%s", arch));
    add(c, "-lineinfo");
    add(c, "-o");
    add(c, in(a, folder, "out.ptx"));
}

static void make_cubin(struct compiler_command *c, struct arena *a, const struct scratch *folder, const char *source,
    const char *arch, int maxregs)
{
    add(c, assembler);
    add(c, arena_printf(a, "-arch=%s", arch));
    add(c, "-v");
    add(c, "-lineinfo");
    if (maxregs > 0) add(c, arena_printf(a, "-maxrregcount=%d", maxregs));
    add_options(c, source, true, a);
    add(c, in(a, folder, "asked.ptx"));
    add(c, "-o");
    add(c, in(a, folder, "out.cubin"));
}

static bool nvcc_compile(const char *source, const char *path, const char *arch, int maxregs, struct code *code,
    struct str *log, struct diags *d)
{
    struct scratch folder;
    LOCAL(arena_drop) struct arena *a = arena_new();
    struct compiler_command ptx = {0}, cubin = {0};
    LOCAL(diags_clear) struct diags ignored = {0};
    if (!scratch_make(&folder)) {
        diag_system(d, NULL, "cannot make a scratch folder %s: %s", folder.path, strerror(errno));
        return false;
    }
    char *const text = compiler_with_entries(source), *const log_file = in(a, &folder, "log");
    make_ptx(&ptx, a, &folder, source, arch);
    make_cubin(&cubin, a, &folder, source, arch, maxregs);
    bool good = scratch_put_source(&folder, text) ||
        diag_system(d, NULL, "cannot write to %s: %s", folder.path, strerror(errno));
    good = good && ran(&ptx, log_file, path, log, d) && (code->ptx = scratch_text(in(a, &folder, "out.ptx")));
    if (good) { // the entries' variables are no part of what runs
        compiler_entries(code, source, "");
        good = scratch_put(in(a, &folder, "asked.ptx"), code->ptx) ||
            diag_system(d, NULL, "cannot write to %s: %s", folder.path, strerror(errno));
    }
    if (good) {
        str_clear(log);
        good = ran(&cubin, log_file, path, log, d);
        // No machine code can be had of what calls a function of another file, but PTX.
        const bool unresolved = !good && log->size && strstr(log->text, "Unresolved extern function");
        if (good) code->cubin = file_read(in(a, &folder, "out.cubin"), 256 << 20, &code->cubin_bytes, &ignored);
        if (good) compiler_entries(code, source, log->text ? log->text : "");
        good |= unresolved;
    }
    free(text);
    scratch_remove(&folder);
    return good;
}

// The object, and its PTX beside it.
static void make_object(struct compiler_command *c, struct arena *a, const struct scratch *folder, const char *source)
{
    add_front(c, a, folder, source);
    add(c, "-c");
    add(c, "-gencode=arch=compute_90a,code=compute_90a");
    add(c, "-keep");
    add(c, arena_printf(a, "-keep-dir=%s", folder->path));
    add(c, "-o");
    add(c, in(a, folder, "object.o"));
}

static void make_program(struct compiler_command *c, struct arena *a, const struct scratch *folder)
{
    add(c, "/usr/bin/env");
    add(c, arena_printf(a, "TMPDIR=%s", folder->path));
    add(c, program);
    add(c, "-w");
    add(c, "-cudart=none");
    add(c, "-Xlinker=--no-demangle");
    add(c, in(a, folder, "object.o"));
    add(c, in(a, folder, "host.cpp"));
    add(c, "-o");
    add(c, in(a, folder, "program"));
}

// What a program calls and nobody has is refused when it is called: most of a library's functions never are.
static bool add_missing(struct str *runtime, const char *log)
{
    static const char mark[] = "undefined reference to `";
    LOCAL(arena_drop) struct arena *a = arena_new();
    const size_t before = runtime->size;
    for (const char *p = log; p && (p = strstr(p, mark));) {
        p += sizeof mark - 1;
        const char *name = arena_strndup(a, p, strcspn(p, "'\n"));
        const char *line = arena_printf(a, "MISSING(%s)\n", name);
        if (source_is_identifier(name) && !strstr(runtime->text, line)) str_add(runtime, line);
    }
    return runtime->size > before;
}

bool nvcc_program(const char *source, const char *runtime, const char *path, struct code *code, struct str *log,
    struct diags *d)
{
    struct scratch folder;
    LOCAL(arena_drop) struct arena *a = arena_new();
    LOCAL(str_release) struct str text = {0};
    struct compiler_command object = {0}, all = {0};
    LOCAL(diags_clear) struct diags ignored = {0};
    if (!scratch_make(&folder)) {
        diag_system(d, NULL, "cannot make a scratch folder %s: %s", folder.path, strerror(errno));
        return false;
    }
    char *const log_file = in(a, &folder, "log"), *const own = in(a, &folder, "host.cpp");
    make_object(&object, a, &folder, source);
    make_program(&all, a, &folder);
    str_add(&text, runtime);
    bool good = scratch_put_source(&folder, source) ||
        diag_system(d, NULL, "cannot write to %s: %s", folder.path, strerror(errno));
    good = good && ran(&object, log_file, path, log, d) && (code->ptx = scratch_text(in(a, &folder, "source.ptx"))) &&
        scratch_put(own, text.text);
    if (good && !ran(&all, log_file, path, log, d)) {
        good = add_missing(&text, log->text) && scratch_put(own, text.text);
        if (good) str_clear(log);
        good = good && ran(&all, log_file, path, log, d);
    }
    good = good && (code->cubin = file_read(in(a, &folder, "program"), 256 << 20, &code->cubin_bytes, &ignored));
    scratch_remove(&folder);
    return good;
}

const struct compiler compiler_nvcc = {"nvcc", NULL, nvcc_version, nvcc_arch, nvcc_compile};
