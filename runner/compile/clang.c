// clang as the other way to PTX: nothing of NVIDIA's is needed, because the parts of the language that it
// lacks (cuda_device.h and others) are in the binary. It is a process of its own in a scratch folder, without a shell.
// It makes no machine code and knows no registers.
// SPDX-License-Identifier: MIT
#include "base/child.h"
#include "base/embed.h"
#include "base/str.h"
#include "compile/compiler.h"
#include "compile/scratch.h"
#include "spec/source.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char version_text[64], program[16], missing[256];
static bool is_unsure; // the system failed, not the search

// What one compile may use. The largest kernel that ships takes 300 MB and half a second; a machine's memory holds
// several at once.
static const struct child_limits limits = {(size_t)2 << 30, 300};

static char *in(struct arena *a, const char *scratch, const char *name)
{
    return arena_printf(a, "%s/%s", scratch, name);
}

static void find(void)
{
    static const char *const names[] = {
        "clang", "clang-21", "clang-20", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14", NULL};
    struct scratch scratch;
    LOCAL(arena_drop) struct arena *a = arena_new();
    scratch_clean();
    if (!scratch_make(&scratch)) {
        snprintf(missing, sizeof missing, "no scratch folder %.150s: %s", scratch.path, strerror(errno));
        is_unsure = true;
        return;
    }
    char *log = in(a, scratch.path, "log");
    for (int i = 0; names[i] && !*version_text && !is_unsure; i++) {
        const enum child_end end =
            child_run((char *const[]){(char *)names[i], (char *)"--version", NULL}, log, &limits);
        is_unsure = end == CHILD_NOT_STARTED;
        if (is_unsure) snprintf(missing, sizeof missing, "%s cannot be started: %s", names[i], strerror(errno));
        LOCAL(mem_drop) char *text = end == CHILD_WELL ? scratch_text(log) : NULL;
        if (end == CHILD_WELL && !text) { // another clang in its place would make other rows
            snprintf(missing, sizeof missing, "what %s says of its version cannot be read: %s", names[i],
                strerror(errno));
            is_unsure = true;
        }
        const char *v = text ? strstr(text, "clang version ") : NULL;
        if (v) {
            snprintf(program, sizeof program, "%s", names[i]);
            snprintf(version_text, sizeof version_text, "clang %.*s", (int)strspn(v + 14, "0123456789."), v + 14);
        }
    }
    scratch_remove(&scratch);
}

static const char *clang_version(char why[256], bool *unsure)
{
    pthread_once(&once, find);
    *unsure = is_unsure;
    if (*version_text) return version_text;
    snprintf(why, 256, "%s", is_unsure ? missing : "no clang is found");
    return NULL;
}

// PTX for sm_80 has all that the simulator needs, and newer devices take it too; clang 14 knows few newer ones.
static void clang_arch(const struct compile_options *o, char arch[16])
{
    int wanted = compiler_arch_number(o->arch ? o->arch : COMPILE_DEFAULT_ARCH);
    snprintf(arch, 16, "sm_%d", wanted > 80 || wanted < 60 ? 80 : wanted);
}

// From the bracket of an `asm` to its end. Where it has operands clang takes each % for one; nvcc leaves the name of a
// special register alone: "mov.u32 %0, %smid;".
static const char *add_asm(struct str *s, const char *p)
{
    const char *end = p;
    int depth = 0;
    bool operands = false;
    do {
        depth += (*end == '(') - (*end == ')');
        operands |= *end == ':' && depth == 1;
        end = *end == '"' ? skip_quoted(end) : end + 1;
    } while (depth > 0 && *end);
    for (; p < end; p++) {
        const bool percent = operands && *p == '%';
        str_add_bytes(s, p, 1);
        if (percent && p[1] == '%') str_add_bytes(s, ++p, 1);
        else if (percent && isalpha((unsigned char)p[1]) && isalpha((unsigned char)p[2])) str_add(s, "%");
    }
    return end;
}

static void add_source(struct str *s, const char *p)
{
    static const char *const between[] = {"volatile", "__volatile__", "__volatile"};
    bool is_asm = false;
    for (const char *end; *p; p = end) {
        if (is_asm && *p == '(') {
            end = add_asm(s, p);
            is_asm = false;
            continue;
        }
        if (skip_is_word(*p)) {
            end = skip_word(p);
            const size_t n = (size_t)(end - p);
            bool stays = false;
            for (size_t i = 0; i < sizeof between / sizeof *between; i++)
                stays |= strlen(between[i]) == n && memcmp(p, between[i], n) == 0;
            is_asm = (is_asm && stays) || (n == 3 && memcmp(p, "asm", 3) == 0) ||
                (n == 7 && memcmp(p, "__asm__", 7) == 0) || (n == 5 && memcmp(p, "__asm", 5) == 0);
        } else {
            end = skip_unread(p);
            if (end == p) end++;
        }
        str_add_bytes(s, p, (size_t)(end - p));
    }
}

static const char *embedded_text(const char *name) { return embed_find(name)->text; }

// First the language, then the unchanged source; unmarked functions are for the device, as with NVRTC's
// -default-device.
static bool put_files(struct arena *a, const struct scratch *folder, const char *source)
{
    const char *const scratch = folder->path;
    size_t count;
    const struct compiler_header *h = compiler_headers(&count);
    LOCAL(str_release) struct str s = {0};
    bool good = scratch_put(in(a, scratch, "device.h"), embedded_text("runner/compile/text/cuda_device.h")) &&
        scratch_put(in(a, scratch, "math_.h"), embedded_text("runner/compile/text/cuda_math.h")) &&
        scratch_put(in(a, scratch, "cuda_fp16.h"), embedded_text("runner/compile/text/cuda_fp16.h"));
    for (size_t i = 0; i < count; i++)
        if (!strchr(h[i].name, '/')) // the Toolkit's library, which is for NVRTC
            good = good && scratch_put(in(a, scratch, h[i].name), h[i].text);
    str_add(&s,
        "#include \"device.h\"\n#include \"stdint.h\"\n#include \"math_.h\"\n#include \"limits\"\n"
        "#pragma clang force_cuda_host_device begin\n");
    LOCAL(mem_drop) char *asking = compiler_with_entries(source);
    add_source(&s, asking);
    str_add(&s, "\n#pragma clang force_cuda_host_device end\n");
    return good && scratch_put_source(folder, s.text);
}

static void complain(enum child_end end, int error, const char *said, struct str *log, const char *path,
    struct diags *d)
{
    const struct where file = {.file = path};
    if (end == CHILD_NOT_STARTED || end == CHILD_NOT_THERE)
        diag_system(d, NULL, "%s cannot be started: %s", program, strerror(error));
    else if (end == CHILD_TOO_LONG)
        diag_user(d, file, NULL, "the compiler was ended after %u s of processor time", limits.seconds);
    else if (strstr(said, "out of memory") || strstr(said, "bad_alloc") || strstr(said, strerror(ENOMEM)))
        diag_user(d, file, NULL, "the compiler needs more than the %zu MiB that it may use", limits.memory >> 20);
    else str_add(log, *said ? said : "without a word");
}

// What clang calls the options that are asked for; false: it has none such.
static bool own_options(const char *source, char *own[], size_t most, const char *path, struct arena *a,
    struct diags *d)
{
    static const struct {
        const char *asked, *own;
    } known[] = {{"--use_fast_math", "-ffast-math"}, {"--use_fast_math", "-fcuda-flush-denormals-to-zero"},
        {"--fmad=false", "-ffp-contract=off"}, {"--ftz=true", "-fcuda-flush-denormals-to-zero"}};
    static const char *const same[] = {"-D", "-U", "-std=", NULL}, // what it calls the same
        *const none[] = {
            "--expt-", "--extended-lambda", "-extended-lambda", "-Xptxas=", "-diag-suppress=", "--maxrregcount=", NULL};
    char asked[COMPILER_OPTION];
    size_t count = 0;
    for (size_t i = 0; compiler_option(source, i, asked); i++) {
        const size_t before = count;
        bool passes = false;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (strcmp(asked, known[k].asked) == 0 && count < most) own[count++] = (char *)(uintptr_t)known[k].own;
        for (size_t k = 0; same[k]; k++)
            if (strncmp(asked, same[k], strlen(same[k])) == 0 && count < most) own[count++] = arena_strdup(a, asked);
        for (size_t k = 0; none[k]; k++) passes |= strncmp(asked, none[k], strlen(none[k])) == 0;
        if (count == before && !passes)
            return diag_user(d, (struct where){.file = path}, "NVRTC does", "clang has no option `%s`", asked);
    }
    return true;
}

static bool clang_compile(const char *source, const char *path, const char *arch, int maxregs, struct code *code,
    struct str *log, struct diags *d)
{
    struct scratch folder;
    LOCAL(arena_drop) struct arena *a = arena_new();
    bool good = false;
    (void)maxregs; // PTX has no such limit: registers are given by ptxas, which is not there
    if (!scratch_make(&folder)) {
        diag_system(d, NULL, "cannot make a scratch folder %s: %s", folder.path, strerror(errno));
        return false;
    }
    const char *scratch = folder.path;
    enum { OWN = 24 };
    char *own[OWN] = {NULL};
    const bool known = own_options(source, own, OWN, path, a, d);
    char *argv[40 + OWN] = {
        program,
        (char *)"-x",
        (char *)"cuda",
        (char *)"--cuda-device-only",
        arena_printf(a, "--cuda-gpu-arch=%s", arch),
        (char *)"-fintegrated-cc1",       // one process, which ends with the worker
        (char *)"-fno-crash-diagnostics", // no copies of the source in /tmp
        (char *)"-nocudainc",
        (char *)"-nocudalib",
        (char *)"-nostdinc",
        (char *)"-Wno-unknown-cuda-version",
        (char *)"-w",
        (char *)"-Wno-c++11-narrowing", // a number of the description is a long long here
        (char *)"-Xclang",
        (char *)"-target-feature",
        (char *)"-Xclang",
        (char *)"+ptx75",
        (char *)"-fno-builtin-malloc", // else one that nobody else sees is left out
        (char *)"-fno-builtin-free",
        (char *)"-mllvm",
        (char *)"-disable-vector-combine", // it cuts a vector's load into those of the members that are used
        (char *)"-fdeclspec",
        (char *)"-std=c++17",
        (char *)"-O3",
        (char *)"-gline-directives-only",
        (char *)"-fno-caret-diagnostics",
        (char *)"-fno-color-diagnostics",
        // The same source gives the same PTX, wherever the scratch folder is.
        arena_printf(a, "-ffile-prefix-map=%s=gpuexp", scratch),
        (char *)"-fdebug-compilation-dir=.",
        arena_printf(a, "-I%s", scratch),
        (char *)"-S",
        in(a, scratch, "source.cu"),
        (char *)"-o",
        in(a, scratch, "out.ptx"),
        NULL,
    };
    size_t count = 0;
    while (argv[count]) count++;
    memcpy(argv + count, own, sizeof own);
    if (!known) {
        good = false; // told
    } else if (!put_files(a, &folder, source)) {
        diag_system(d, NULL, "cannot write to %s: %s", scratch, strerror(errno));
    } else {
        const enum child_end end = child_run(argv, in(a, scratch, "log"), &limits);
        const int error = errno;
        LOCAL(mem_drop) char *said = scratch_text(in(a, scratch, "log"));
        good = end == CHILD_WELL && (code->ptx = scratch_text(in(a, scratch, "out.ptx")));
        if (good) compiler_entries(code, source, "");
        else complain(end, error, said ? said : "", log, path, d);
    }
    scratch_remove(&folder);
    return good;
}

const struct compiler compiler_clang = {"clang", NULL, clang_version, clang_arch, clang_compile};
