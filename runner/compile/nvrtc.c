// NVRTC, loaded when the first kernel needs it, by a process of its own (base/outside.h): a kernel that takes all
// memory or crashes the compiler costs its own compile and no more. The few functions are declared here, so that the
// program builds on machines without the CUDA Toolkit. If it is missing, a sentence says so.
// SPDX-License-Identifier: MIT
#include "compile/nvrtc.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/embed.h"
#include "base/outside.h"
#include "base/toolkit.h"
#include "compile/cache.h"
#include "compile/compiler.h"
#include "spec/include.h"

// Whatever replaces a file changes one of these.
static void identify(const char *path, uint64_t id[8])
{
    struct stat st;
    memset(id, 0, 8 * sizeof *id);
    if (stat(path, &st) != 0) return;
    const uint64_t all[8] = {1, (uint64_t)st.st_dev, (uint64_t)st.st_ino, (uint64_t)st.st_size,
        (uint64_t)st.st_mtim.tv_sec, (uint64_t)st.st_mtim.tv_nsec, (uint64_t)st.st_ctim.tv_sec,
        (uint64_t)st.st_ctim.tv_nsec};
    memcpy(id, all, sizeof all);
}

void nvrtc_facts_identify(struct nvrtc_facts *f) { identify(f->library, f->file); }

static bool nvrtc_facts_same_file(const struct nvrtc_facts *a, const struct nvrtc_facts *b)
{
    return a->file[0] && memcmp(a->file, b->file, sizeof a->file) == 0 && strcmp(a->library, b->library) == 0;
}

static void make_key(char key[33])
{
    struct hash h;
    hash_init(&h);
    hash_text(&h, "what NVRTC is");
    hash_u64(&h, sizeof(struct nvrtc_facts));
    toolkit_hash("nvrtc", &h);
    hash_hex(h, key);
}

bool nvrtc_facts_recall(struct nvrtc_facts *out)
{
    char key[33];
    make_key(key);
    struct code *code = cache_load(key);
    bool good = code && code->cubin_bytes == sizeof *out;
    if (good) {
        memcpy(out, code->cubin, sizeof *out);
        struct nvrtc_facts now = *out;
        nvrtc_facts_identify(&now);
        good = *out->version && nvrtc_facts_same_file(out, &now);
    }
    if (!good) *out = (struct nvrtc_facts){0};
    code_free(code);
    return good;
}

void nvrtc_facts_keep(const struct nvrtc_facts *f)
{
    char key[33];
    struct diags ignored = {0}; // else it is asked again the next time
    struct code code = {.ptx = "", .cubin = (void *)(uintptr_t)f, .cubin_bytes = sizeof *f};
    make_key(key);
    cache_store(key, &code, &ignored);
    diags_clear(&ignored);
}

void nvrtc_facts_forget(void) { nvrtc_facts_keep(&(struct nvrtc_facts){0}); }

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
    int (*ask)(program, const char *);
    int (*lowered)(program, const char *, const char **);
    const char *(*error)(int);
} rtc;

enum { OLDEST = 12 };

// What the process that has loaded it found, this time or an earlier one.
static struct nvrtc_facts found;

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
        {&rtc.ask, "nvrtcAddNameExpression"},
        {&rtc.lowered, "nvrtcGetLoweredName"},
        {&rtc.error, "nvrtcGetErrorString"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        void *f = dlsym(lib, table[i].name);
        if (!f) return snprintf(found.missing, sizeof found.missing, "libnvrtc has no %s", table[i].name), false;
        memcpy(table[i].to, &f, sizeof f);
    }
    return true;
}

// Is it one that can do what is asked of it here?
static bool usable(void *lib)
{
    char builtins[PATH_MAX + 64];
    int major = 0, minor = 0;
    if (!bind(lib)) return false;
    if (rtc.version(&major, &minor) == 0 && major < OLDEST)
        return snprintf(found.missing, sizeof found.missing, "NVRTC %d.%d is too old: %d.0 or newer is needed", major,
                   minor, OLDEST),
               false;
    // It opens this one by its bare name when it first compiles; the loader need not know the folder.
    if (toolkit_path(lib, found.library)) {
        snprintf(builtins, sizeof builtins, "%.*s/libnvrtc-builtins.so.%d.%d",
            (int)(strrchr(found.library, '/') - found.library), found.library, major, minor);
        dlopen(builtins, RTLD_NOW | RTLD_GLOBAL);
    }
    if (rtc.archs_count(&found.arch_count) == 0 && found.arch_count > 0 && found.arch_count <= 64 &&
        rtc.archs(found.archs) == 0)
        return true;
    return snprintf(found.missing, sizeof found.missing, "libnvrtc names no architecture"), false;
}

// The first that is of use; without one `found` says what was wrong with the last.
static void *open_library(void)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    void *lib = NULL;
    snprintf(found.missing, sizeof found.missing, "no libnvrtc (CUDA Toolkit) is found");
    for (const char *const *file = toolkit_libraries("nvrtc", a); *file && !lib && !found.unsure; file++) {
        lib = dynamic_open(*file, found.missing, &found.unsure);
        if (!lib || usable(lib)) continue;
        dlclose(lib);
        lib = NULL;
    }
    return lib;
}

static void find_headers(void *lib)
{
    char folder[PATH_MAX];
    if (!toolkit_path(lib, found.library)) return;
    nvrtc_facts_identify(&found);
    if (toolkit_header(found.library, "cuda_fp16.h", folder))
        snprintf(found.include, sizeof found.include, "-I%s", folder);
    if (toolkit_header(found.library, "cuda/std/cstdint", folder))
        snprintf(found.cccl, sizeof found.cccl, "-I%s", folder);
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
    snprintf(arch, sizeof arch, "-arch=compute_%d", found.archs[0]);
    rtc.version(&major, &minor);
    snprintf(found.version, sizeof found.version, "nvrtc %d.%d", major, minor);
    int status = rtc.create(&p, "", "version.cu", 0, NULL, NULL);
    if (status == 0) status = rtc.compile(p, 1, options);
    if (status == 0) {
        char *ptx = text_of(p, rtc.ptx_size, rtc.ptx, NULL), *v = strstr(ptx, ", V");
        if (v) snprintf(found.version, sizeof found.version, "nvrtc %.*s", (int)strspn(v + 3, "0123456789."), v + 3);
        free(ptx);
    }
    if (p) rtc.destroy(&p);
    if (status == 0) return;
    found.unsure = true; // its name is part of every key: an incomplete name would make other keys
    *found.version = '\0';
    snprintf(found.missing, sizeof found.missing, "it fails to compile nothing at all: %s", rtc.error(status));
}

// In the process that compiles. Whatever GPUs there are, NVRTC need not look at them.
static void load(void)
{
    const struct nvrtc_facts before = found;
    found = (struct nvrtc_facts){0};
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    void *lib = open_library(); // stays loaded: a process compiles until it ends
    if (!lib) return;
    find_headers(lib);
    if (*before.version && nvrtc_facts_same_file(&before, &found))
        snprintf(found.version, sizeof found.version, "%s", before.version);
    else find_version();
}

struct nvrtc_question {
    char arch[16];
    int maxregs;
    bool facts; // only what it is
};
struct nvrtc_answer {
    int status;
    char error[64], version[64];
    size_t log, ptx, cubin, names; // bytes, of the texts with their NUL; names: a line for each entry asked for
};

// Asks for the entries by name, then compiles.
static int compile_asking(program *p, const char *source, int n, const char *const *options)
{
    size_t header_count;
    const struct compiler_header *h = compiler_headers(&header_count);
    LOCAL(include_parts_release) struct include_parts all;
    LOCAL(arena_drop) struct arena *a = arena_new();
    include_split(source, &all);
    const char **names = mem_alloc((header_count + all.count) * sizeof *names),
               **texts = mem_alloc((header_count + all.count) * sizeof *texts);
    char entry[CODE_ASKED];
    for (size_t i = 0; i < header_count; i++) names[i] = h[i].name, texts[i] = h[i].text;
    for (size_t i = 1; i < all.count; i++) {
        if (!all.items[i].again) continue;
        names[header_count] = arena_printf(a, "gpuexp_%zu", i);
        texts[header_count++] = all.items[i].text.text ? all.items[i].text.text : "";
    }
    // NVRTC reads what is included from the source's folder: from none, as compile_source has put in what stands there.
    int status = rtc.create(p, *source ? all.items[0].text.text : "", "/gpuexp/nowhere/source.cu", (int)header_count,
        texts, names);
    for (const char *at = source; status == 0 && compiler_entry(&at, entry);) status = rtc.ask(*p, entry);
    return status == 0 ? rtc.compile(*p, n, options) : status;
}

static void lowered_names(program p, const char *source, struct str *out)
{
    char entry[CODE_ASKED];
    for (const char *at = source, *name = ""; compiler_entry(&at, entry);)
        str_addf(out, "%s\n", rtc.lowered(p, entry, &name) == 0 && name ? name : "");
}

// What nvcc's option is called here; false: it is always so here.
static bool own_option(char option[COMPILER_OPTION])
{
    char text[COMPILER_OPTION];
    if (strncmp(option, "--expt-", 7) == 0) return false;
    memcpy(text, option, sizeof text);
    if (strncmp(text, "-Xptxas=", 8) == 0) snprintf(option, COMPILER_OPTION, "--ptxas-options=%.480s", text + 8);
    return true;
}

static void compile(const struct nvrtc_question *q, const char *source, struct str *out)
{
    enum { MOST_ASKED = 24 };
    const char *options[13 + MOST_ASKED];
    char asked[MOST_ASKED][COMPILER_OPTION];
    LOCAL(str_release) struct str names = {0};
    char arch_option[32], regs_option[32];
    int n = 0;
    program p = NULL;
    struct nvrtc_answer a = {0};
    snprintf(arch_option, sizeof arch_option, "-arch=%s", q->arch);
    snprintf(regs_option, sizeof regs_option, "-maxrregcount=%d", q->maxregs);
    options[n++] = arch_option;
    options[n++] = "-lineinfo";
    bool standard = false; // one is asked for
    options[n++] = "-default-device";
    options[n++] = "--device-int128"; // as with nvcc
    options[n++] = "--pre-include=stdint.h";
    options[n++] = "--pre-include=limits";
    options[n++] = "--ptxas-options=-v"; // registers, stack, shared memory and spills come in the log
    if (*found.include) options[n++] = found.include;
    if (*found.cccl) options[n++] = found.cccl;
    if (q->maxregs > 0) options[n++] = regs_option;
    for (size_t i = 0; i < MOST_ASKED && compiler_option(source, i, asked[i]); i++)
        if (own_option(asked[i])) options[n++] = asked[i], standard |= strncmp(asked[i], "-std=", 5) == 0;
    if (!standard) options[n++] = "--std=c++17";
    a.status = compile_asking(&p, source, n, options);
    size_t log = 0, ptx = 0, cubin = 0;
    char *log_text = p ? text_of(p, rtc.log_size, rtc.log, &log) : mem_alloc(1), *ptx_text = NULL, *cubin_text = NULL;
    // No machine code can be had of what calls a function of another file, but PTX. What launches kernels stays
    // refused.
    if (a.status != 0 && strstr(log_text, "Unresolved extern function") && !strstr(log_text, "'cuda") &&
        !strstr(log_text, "'__cudaCDP")) {
        snprintf(arch_option, sizeof arch_option, "-arch=compute_%s", q->arch + strlen("sm_"));
        p = NULL;
        free(log_text);
        a.status = compile_asking(&p, source, n, options);
        log_text = p ? text_of(p, rtc.log_size, rtc.log, &log) : mem_alloc(1);
    }
    if (a.status == 0) {
        ptx_text = text_of(p, rtc.ptx_size, rtc.ptx, &ptx);
        if (strstr(arch_option, "sm_")) cubin_text = text_of(p, rtc.cubin_size, rtc.cubin, &cubin);
        lowered_names(p, source, &names);
    }
    a.log = log + 1, a.ptx = ptx + 1, a.cubin = cubin, a.names = names.size + 1;
    snprintf(a.error, sizeof a.error, "%s", rtc.error(a.status));
    snprintf(a.version, sizeof a.version, "%s", found.version);
    str_add_bytes(out, &a, sizeof a);
    str_add_bytes(out, log_text, a.log);
    str_add_bytes(out, ptx_text ? ptx_text : "", a.ptx);
    str_add_bytes(out, names.text ? names.text : "", a.names);
    str_add_bytes(out, cubin_text ? cubin_text : "", a.cubin);
}

static void answer(const char *question, size_t size, struct str *out)
{
    struct nvrtc_question q;
    if (size < sizeof q) return;
    memcpy(&q, question, sizeof q);
    if (q.facts) str_add_bytes(out, &found, sizeof found);
    else if (!*found.version) // it was there when this process began
        str_add_bytes(out, &(struct nvrtc_answer){0}, sizeof(struct nvrtc_answer));
    else compile(&q, question + sizeof q, out); // a NUL follows
}

// As much as clang gets (clang.c).
static struct outside_work work = {load, answer, {(size_t)2 << 30, 300}, false};
static struct outside *outside;
static pthread_once_t begun = PTHREAD_ONCE_INIT, asked = PTHREAD_ONCE_INIT;
static int begin_error;
static pid_t begun_by; // whose descriptors `outside` has: a child that was forked since has them no more

static void begin(void)
{
    work.late = *found.version || nvrtc_facts_recall(&found); // most processes find all their code in the cache
    outside = outside_new(&work);
    begin_error = errno;
    begun_by = getpid();
}

static void ask_facts(void)
{
    const struct nvrtc_question q = {.facts = true};
    LOCAL(str_release) struct str reply = {0};
    enum child_end end = CHILD_NOT_STARTED;
    pthread_once(&begun, begin);
    if (*found.version) return;
    if (outside) end = outside_ask(outside, &q, sizeof q, &reply);
    const int error = outside ? errno : begin_error;
    if (end == CHILD_WELL && reply.size == sizeof found) memcpy(&found, reply.text, sizeof found);
    else {
        found.unsure = true;
        snprintf(found.missing, sizeof found.missing, "%s",
            end != CHILD_NOT_STARTED ? "it dies when it is loaded"
                : error == ECHILD    ? "the process that looked was killed"
                                     : strerror(error));
    }
    if (*found.version) nvrtc_facts_keep(&found);
}

// A child calls it before it has threads.
static void nvrtc_begin(void)
{
    if (begun_by && begun_by != getpid()) begin();
    pthread_once(&begun, begin);
}

static const char *nvrtc_version(char why[256], bool *unsure)
{
    pthread_once(&asked, ask_facts);
    *unsure = found.unsure;
    if (*found.version) return found.version;
    snprintf(why, 256, "%s", found.missing);
    return NULL;
}

const char *compile_nvrtc(char why[256])
{
    bool ignored;
    return nvrtc_version(why, &ignored) ? found.library : NULL;
}

static void nvrtc_arch(const struct compile_options *o, char arch[16])
{
    int wanted = compiler_arch_number(o->arch ? o->arch : COMPILE_DEFAULT_ARCH), best = found.archs[0];
    for (int i = 0; i < found.arch_count; i++)
        if (found.archs[i] <= wanted && found.archs[i] > best) best = found.archs[i];
    // A name with a letter ("sm_90a") is taken unchanged when its number is known.
    if (o->arch && best == wanted) snprintf(arch, 16, "%s", o->arch);
    else snprintf(arch, 16, "sm_%d", best);
}

static bool too_large(const char *path, struct diags *d)
{
    return diag_user(d, (struct where){.file = path}, NULL, "the compiler needs more than the %zu MiB that it may use",
        work.limits.memory >> 20);
}

static bool no_answer(enum child_end end, int error, const char *path, struct diags *d)
{
    if (end == CHILD_TOO_LARGE) return too_large(path, d);
    if (end == CHILD_TOO_LONG)
        return diag_user(d, (struct where){.file = path}, NULL, "the compiler was ended after %u s of processor time",
            work.limits.seconds);
    if (end != CHILD_NOT_STARTED) return diag_user(d, (struct where){.file = path}, NULL, "the compiler died over it");
    return diag_system(d, NULL, "NVRTC cannot be asked: %s",
        error == ECHILD ? "its process was killed" : strerror(error));
}

// The parts of a whole answer, each where it begins in `reply`.
static bool take_code(const struct str *reply, const char *source, const char *path, struct code *code,
    struct str *refused, struct diags *d)
{
    enum { OUT_OF_MEMORY = 1 };
    struct nvrtc_answer a;
    memcpy(&a, reply->text, sizeof a);
    const char *log = reply->text + sizeof a, *ptx = log + a.log, *names = ptx + a.ptx, *cubin = names + a.names;
    if (strcmp(a.version, found.version) != 0) { // the name of the other one is part of this code's key
        nvrtc_facts_forget();
        return diag_system(d, "run it again", "the compiler is %s by now, it was %s", *a.version ? a.version : "gone",
            found.version);
    }
    if (a.status == OUT_OF_MEMORY || strstr(log, "out of memory")) return too_large(path, d);
    if (a.status != 0 && *log) return str_add(refused, log), false;
    if (a.status != 0) return diag_system(d, NULL, "NVRTC failed: %s", a.error);
    code->ptx = memcpy(mem_alloc(a.ptx), ptx, a.ptx);
    if (a.cubin) code->cubin = memcpy(mem_alloc(a.cubin + 1), cubin, a.cubin);
    code->cubin_bytes = a.cubin;
    compiler_entries(code, source, log);
    char entry[CODE_ASKED], name[CODE_NAME];
    for (const char *at = source; compiler_entry(&at, entry); names += strcspn(names, "\n"), names += *names == '\n') {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(names, "\n"), names);
        struct code_entry *e = (struct code_entry *)code_entry_find(code, name);
        if (e && !*e->asked) memcpy(e->asked, entry, sizeof entry);
    }
    return true;
}

static bool nvrtc_compile(const char *source, const char *path, const char *arch, int maxregs, struct code *code,
    struct str *log, struct diags *d)
{
    struct nvrtc_question q = {.maxregs = maxregs};
    LOCAL(str_release) struct str question = {0}, reply = {0};
    snprintf(q.arch, sizeof q.arch, "%s", arch);
    str_add_bytes(&question, &q, sizeof q);
    str_add(&question, source);
    const enum child_end end = outside_ask(outside, question.text, question.size, &reply);
    const int error = errno;
    const bool whole = end == CHILD_WELL && reply.size >= sizeof(struct nvrtc_answer);
    return whole ? take_code(&reply, source, path, code, log, d) : no_answer(end, error, path, d);
}

const struct compiler compiler_nvrtc = {"nvrtc", nvrtc_begin, nvrtc_version, nvrtc_arch, nvrtc_compile};
