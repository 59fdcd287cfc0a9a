// clang as the other way to PTX: nothing of NVIDIA's is needed, because the device language it lacks (cuda_device.h and
// friends) travels in the binary. A process of its own in a scratch folder; no shell. It makes no machine code and
// knows no registers.
// SPDX-License-Identifier: MIT
#include "base/embed.h"
#include "base/file.h"
#include "base/str.h"
#include "compile/compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char version_text[64], program[16];

// Runs argv with both outputs in the file `log`. True when it ended with status 0.
static bool run(char *const *argv, const char *log)
{
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    bool started = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    while (started && waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return false;
    return started && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool make_scratch(char path[PATH_MAX])
{
    const char *tmp = getenv("TMPDIR");
    snprintf(path, PATH_MAX, "%s/gpuexp-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    return mkdtemp(path) != NULL;
}

static char *in(struct arena *a, const char *scratch, const char *name)
{
    return arena_printf(a, "%s/%s", scratch, name);
}

static char *read_quietly(const char *path)
{
    struct diags ignored = {0};
    char *text = file_read(path, 256 << 20, NULL, &ignored);
    diags_clear(&ignored);
    return text;
}

static void find(void)
{
    static const char *const names[] = {
        "clang", "clang-21", "clang-20", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14", NULL};
    char scratch[PATH_MAX];
    struct arena *a = arena_new();
    if (make_scratch(scratch)) {
        char *log = in(a, scratch, "log");
        for (int i = 0; names[i] && !*version_text; i++) {
            char *text =
                run((char *const[]){(char *)names[i], (char *)"--version", NULL}, log) ? read_quietly(log) : NULL;
            const char *v = text ? strstr(text, "clang version ") : NULL;
            if (v) {
                snprintf(program, sizeof program, "%s", names[i]);
                snprintf(version_text, sizeof version_text, "clang %.*s", (int)strspn(v + 14, "0123456789."), v + 14);
            }
            free(text);
        }
        unlink(log);
        rmdir(scratch);
    }
    arena_free(a);
}

static const char *clang_version(char why[256])
{
    pthread_once(&once, find);
    if (*version_text) return version_text;
    snprintf(why, 256, "no clang is found");
    return NULL;
}

// PTX for sm_80 says all that the simulator wants to know, and newer devices take it too; clang 14 knows no more.
static void clang_arch(const struct compile_options *o, char arch[16])
{
    int wanted = compiler_arch_number(o->arch ? o->arch : COMPILE_DEFAULT_ARCH);
    snprintf(arch, 16, "sm_%d", wanted > 80 || wanted < 60 ? 80 : wanted);
}

static bool put(const char *path, const char *text)
{
    size_t n = strlen(text);
    FILE *f = fopen(path, "w");
    if (!f) return false;
    bool good = fwrite(text, 1, n, f) == n;
    return fclose(f) == 0 && good;
}

static const char *embedded_text(const char *name) { return embed_find(name)->text; }

// The language in front, then the source as it is; unmarked functions are for the device, as with NVRTC's
// -default-device.
static bool put_files(struct arena *a, const char *scratch, const char *source)
{
    size_t count;
    const struct compiler_header *h = compiler_headers(&count);
    struct str s = {0};
    bool good = put(in(a, scratch, "device.h"), embedded_text("runner/compile/text/cuda_device.h")) &&
        put(in(a, scratch, "math_.h"), embedded_text("runner/compile/text/cuda_math.h")) &&
        put(in(a, scratch, "cuda_fp16.h"), embedded_text("runner/compile/text/cuda_fp16.h"));
    for (size_t i = 0; i < count; i++) good = good && put(in(a, scratch, h[i].name), h[i].text);
    str_add(&s,
        "#include \"device.h\"\n#include \"stdint.h\"\n#include \"math_.h\"\n#include \"limits\"\n"
        "#pragma clang force_cuda_host_device begin\n");
    str_add(&s, source);
    str_add(&s, "\n#pragma clang force_cuda_host_device end\n");
    good = good && put(in(a, scratch, "source.cu"), s.text);
    str_release(&s);
    return good;
}

static void remove_files(struct arena *a, const char *scratch)
{
    static const char *const own[] = {"device.h", "math_.h", "cuda_fp16.h", "source.cu", "out.ptx", "log", NULL};
    size_t count;
    const struct compiler_header *h = compiler_headers(&count);
    for (size_t i = 0; i < count; i++) unlink(in(a, scratch, h[i].name));
    for (int i = 0; own[i]; i++) unlink(in(a, scratch, own[i]));
    rmdir(scratch);
}

static bool clang_compile(const char *source, const char *path, const char *arch, int maxregs, struct code *code,
    struct diags *d)
{
    char scratch[PATH_MAX];
    struct arena *a = arena_new();
    bool good = false;
    (void)maxregs; // PTX knows no such limit: without ptxas there are no registers to count
    if (!make_scratch(scratch)) {
        diag_system(d, NULL, "cannot make a scratch folder %s: %s", scratch, strerror(errno));
        arena_free(a);
        return false;
    }
    char *const argv[] = {
        program,
        (char *)"-x",
        (char *)"cuda",
        (char *)"--cuda-device-only",
        arena_printf(a, "--cuda-gpu-arch=%s", arch),
        (char *)"-nocudainc",
        (char *)"-nocudalib",
        (char *)"-nostdinc",
        (char *)"-Wno-unknown-cuda-version",
        (char *)"-w",
        (char *)"-Xclang",
        (char *)"-target-feature",
        (char *)"-Xclang",
        (char *)"+ptx75",
        (char *)"-fdeclspec",
        (char *)"-std=c++17",
        (char *)"-O3",
        (char *)"-gline-directives-only",
        (char *)"-fno-caret-diagnostics",
        (char *)"-fno-color-diagnostics",
        // The same source gives the same PTX, wherever the scratch folder lies.
        arena_printf(a, "-ffile-prefix-map=%s=gpuexp", scratch),
        (char *)"-fdebug-compilation-dir=.",
        arena_printf(a, "-I%s", scratch),
        (char *)"-S",
        in(a, scratch, "source.cu"),
        (char *)"-o",
        in(a, scratch, "out.ptx"),
        NULL,
    };
    if (!put_files(a, scratch, source)) {
        diag_system(d, NULL, "cannot write to %s: %s", scratch, strerror(errno));
    } else if (run(argv, in(a, scratch, "log")) && (code->ptx = read_quietly(in(a, scratch, "out.ptx")))) {
        compiler_entries(code, "");
        good = true;
    } else {
        char *log = read_quietly(in(a, scratch, "log"));
        compiler_complaint(log ? log : "", source, path, d);
        free(log);
    }
    remove_files(a, scratch);
    arena_free(a);
    return good;
}

const struct compiler compiler_clang = {"clang", clang_version, clang_arch, clang_compile};
