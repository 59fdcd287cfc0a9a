// NVRTC, loaded when the first kernel needs it; if it is missing, a sentence says so. It makes PTX and machine code in
// this process. The few functions are declared here, so that the program builds on machines without the CUDA Toolkit.
// SPDX-License-Identifier: MIT
#include "base/embed.h"
#include "base/file.h"
#include "compile/compiler.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct nvrtc_program *program; // NVRTC's own handle

static struct {
    int (*version)(int *, int *);
    int (*archs_count)(int *);
    int (*archs)(int *);
    int (*create)(program *, const char *, const char *, int, const char *const *, const char *const *);
    int (*compile)(program, int, const char *const *);
    int (*destroy)(program *);
    int (*log_size)(program, size_t *);
    int (*log)(program, char *);
    int (*ptx_size)(program, size_t *);
    int (*ptx)(program, char *);
    int (*cubin_size)(program, size_t *);
    int (*cubin)(program, char *);
    const char *(*error)(int);
} rtc;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char version_text[64], missing[256], include_option[PATH_MAX + 16], cccl_option[PATH_MAX + 24];
static int archs[64], arch_count;
static bool is_unsure; // the system failed, not the search

// dlopen gives no error code. These texts are failures of the system; any other means that the library is not there.
static void *open_one(const char *name)
{
    static const int passing[] = {ENOMEM, EMFILE, ENFILE, EIO, EINTR, EAGAIN};
    void *lib = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    const char *error = lib ? NULL : dlerror();
    for (size_t i = 0; error && i < sizeof passing / sizeof *passing; i++)
        if (strstr(error, strerror(passing[i])) || strstr(error, "failed to map")) {
            snprintf(missing, sizeof missing, "%s", error);
            is_unsure = true;
        }
    return lib;
}

static void *open_library(void)
{
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", NULL};
    const char *home = getenv("CUDA_HOME");
    void *lib = NULL;
    for (int i = 0; names[i] && !lib && !is_unsure; i++) lib = open_one(names[i]);
    for (int from = 0; from < 2 && !lib && !is_unsure; from++) {
        const char *base = from ? "/usr/local/cuda" : home;
        for (int i = 0; base && *base && names[i] && !lib && !is_unsure; i++) {
            char path[PATH_MAX];
            snprintf(path, sizeof path, "%s/lib64/%s", base, names[i]);
            lib = open_one(path);
        }
    }
    return lib;
}

static bool bind(void *lib)
{
    const struct {
        void *to;
        const char *name;
    } table[] = {
        {&rtc.version, "nvrtcVersion"},
        {&rtc.archs_count, "nvrtcGetNumSupportedArchs"},
        {&rtc.archs, "nvrtcGetSupportedArchs"},
        {&rtc.create, "nvrtcCreateProgram"},
        {&rtc.compile, "nvrtcCompileProgram"},
        {&rtc.destroy, "nvrtcDestroyProgram"},
        {&rtc.log_size, "nvrtcGetProgramLogSize"},
        {&rtc.log, "nvrtcGetProgramLog"},
        {&rtc.ptx_size, "nvrtcGetPTXSize"},
        {&rtc.ptx, "nvrtcGetPTX"},
        {&rtc.cubin_size, "nvrtcGetCUBINSize"},
        {&rtc.cubin, "nvrtcGetCUBIN"},
        {&rtc.error, "nvrtcGetErrorString"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        void *f = dlsym(lib, table[i].name);
        if (!f) return snprintf(missing, sizeof missing, "libnvrtc has no %s", table[i].name), false;
        memcpy(table[i].to, &f, sizeof f);
    }
    return true;
}

// The Toolkit's headers (cuda_fp16.h) are beside its libraries, in one of these folders.
static void find_headers(void *lib)
{
    static const char *const from_lib[] = {"../include", "../../include", "../targets/x86_64-linux/include", NULL};
    struct link_map *map = NULL;
    char real[PATH_MAX], path[PATH_MAX + 64];
    if (dlinfo(lib, RTLD_DI_LINKMAP, &map) != 0 || !map || !realpath(map->l_name, real)) return;
    char *slash = strrchr(real, '/');
    if (slash) *slash = '\0';
    for (int i = 0; from_lib[i]; i++) {
        snprintf(path, sizeof path, "%s/%s/cuda_fp16.h", real, from_lib[i]);
        if (!file_exists(path)) continue;
        snprintf(include_option, sizeof include_option, "-I%s/%s", real, from_lib[i]);
        // Since 13.0 the C++ library (cub, cuda/std) has a folder of its own.
        snprintf(path, sizeof path, "%s/%s/cccl/cuda/std/cstdint", real, from_lib[i]);
        if (file_exists(path)) snprintf(cccl_option, sizeof cccl_option, "%s/cccl", include_option);
        return;
    }
}

static char *text_of(program p, int (*size)(program, size_t *), int (*get)(program, char *), size_t *bytes)
{
    size_t n = 0;
    if (size(p, &n) != 0) n = 0;
    char *text = mem_alloc(n + 1);
    if (n && get(p, text) != 0) text[0] = '\0', n = 0;
    if (bytes) *bytes = n;
    return text;
}

// Only the header of generated PTX tells the whole version ("V13.0.88"); nvrtcVersion stops at the minor one.
static void find_version(void)
{
    program p = NULL;
    char arch[32];
    int major = 0, minor = 0;
    const char *const options[] = {arch};
    snprintf(arch, sizeof arch, "-arch=compute_%d", archs[0]);
    rtc.version(&major, &minor);
    snprintf(version_text, sizeof version_text, "nvrtc %d.%d", major, minor);
    int status = rtc.create(&p, "", "version.cu", 0, NULL, NULL);
    if (status == 0) status = rtc.compile(p, 1, options);
    if (status == 0) {
        char *ptx = text_of(p, rtc.ptx_size, rtc.ptx, NULL), *v = strstr(ptx, ", V");
        if (v) snprintf(version_text, sizeof version_text, "nvrtc %.*s", (int)strspn(v + 3, "0123456789."), v + 3);
        free(ptx);
    }
    if (p) rtc.destroy(&p);
    if (status == 0) return;
    is_unsure = true; // its name is part of every key: an incomplete name would make other keys
    *version_text = '\0';
    snprintf(missing, sizeof missing, "it fails to compile nothing at all: %s", rtc.error(status));
}

static void load(void)
{
    void *lib = open_library(); // stays loaded: a process compiles until it ends
    if (!lib) {
        if (!is_unsure) snprintf(missing, sizeof missing, "no libnvrtc (CUDA Toolkit) is found");
        return;
    }
    if (!bind(lib)) return;
    if (rtc.archs_count(&arch_count) != 0 || arch_count < 1 || arch_count > 64 || rtc.archs(archs) != 0) {
        snprintf(missing, sizeof missing, "libnvrtc names no architecture");
        return;
    }
    find_headers(lib);
    find_version();
}

static const char *nvrtc_version(char why[256], bool *unsure)
{
    pthread_once(&once, load);
    *unsure = is_unsure;
    if (*version_text) return version_text;
    snprintf(why, 256, "%s", missing);
    return NULL;
}

static void nvrtc_arch(const struct compile_options *o, char arch[16])
{
    int wanted = compiler_arch_number(o->arch ? o->arch : COMPILE_DEFAULT_ARCH), best = archs[0];
    for (int i = 0; i < arch_count; i++)
        if (archs[i] <= wanted && archs[i] > best) best = archs[i];
    // A name with a letter ("sm_90a") is taken unchanged when its number is known.
    if (o->arch && best == wanted) snprintf(arch, 16, "%s", o->arch);
    else snprintf(arch, 16, "sm_%d", best);
}

static bool nvrtc_compile(const char *source, const char *path, const char *arch, int maxregs, struct code *code,
    struct diags *d)
{
    size_t header_count;
    const struct compiler_header *h = compiler_headers(&header_count);
    const char **names = mem_alloc((header_count + 1) * sizeof *names),
               **texts = mem_alloc((header_count + 1) * sizeof *texts);
    enum { MOST_ASKED = 8 };
    const char *options[12 + MOST_ASKED];
    char asked[MOST_ASKED][64];
    char arch_option[32], regs_option[32];
    int n = 0, status;
    program p = NULL;
    for (size_t i = 0; i < header_count; i++) names[i] = h[i].name, texts[i] = h[i].text;
    snprintf(arch_option, sizeof arch_option, "-arch=%s", arch);
    snprintf(regs_option, sizeof regs_option, "-maxrregcount=%d", maxregs);
    options[n++] = arch_option;
    options[n++] = "-lineinfo";
    options[n++] = "--std=c++17";
    options[n++] = "-default-device";
    options[n++] = "--pre-include=stdint.h";
    options[n++] = "--pre-include=limits";
    options[n++] = "--ptxas-options=-v"; // registers, stack, shared memory and spills come in the log
    if (*include_option) options[n++] = include_option;
    if (*cccl_option) options[n++] = cccl_option;
    if (maxregs > 0) options[n++] = regs_option;
    for (size_t i = 0; i < MOST_ASKED && compiler_option(source, i, asked[i]); i++) options[n++] = asked[i];
    // NVRTC reads what is included from the source's folder: from none, as compile_source has put in what stands there.
    status = rtc.create(&p, source, "/gpuexp/nowhere/source.cu", (int)header_count, texts, names);
    if (status == 0) status = rtc.compile(p, n, options);
    char *log = p ? text_of(p, rtc.log_size, rtc.log, NULL) : mem_alloc(1);
    if (status == 0) {
        code->ptx = text_of(p, rtc.ptx_size, rtc.ptx, NULL);
        code->cubin = text_of(p, rtc.cubin_size, rtc.cubin, &code->cubin_bytes);
        compiler_entries(code, log);
    } else if (*log) compiler_complaint(log, source, path, d);
    else diag_system(d, NULL, "NVRTC failed: %s", rtc.error(status));
    if (p) rtc.destroy(&p);
    free(names);
    free(texts);
    free(log);
    return status == 0;
}

const struct compiler compiler_nvrtc = {"nvrtc", nvrtc_version, nvrtc_arch, nvrtc_compile};
