// From source to code: chooses the compiler, asks the cache, and makes sure that no two threads compile the same source
// at the same time.
// SPDX-License-Identifier: MIT
#include "compile/compile.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/embed.h"
#include "compile/cache.h"
#include "compile/compiler.h"
#include "compile/left_out.h"

// Compiles ahead of need: a few threads take sources from a queue and put the code into the cache, where compile_code
// finds it.

struct compile_order {
    char *source, *path, *arch;
    int maxregs;
    struct compile_order *next;
};
struct compile_ahead {
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct compile_order *first, **last;
    pthread_t *threads;
    int count;
    bool ending;
};

static char *copy(const char *s) { return s ? memcpy(mem_alloc(strlen(s) + 1), s, strlen(s) + 1) : NULL; }

static void order_free(struct compile_order *o)
{
    free(o->source);
    free(o->path);
    free(o->arch);
    free(o);
}

static struct compile_order *next_order(struct compile_ahead *a)
{
    struct compile_order *o = NULL;
    pthread_mutex_lock(&a->lock);
    while (!a->first && !a->ending) pthread_cond_wait(&a->more, &a->lock);
    if (!a->ending) {
        o = a->first;
        a->first = o->next;
        if (!a->first) a->last = &a->first;
    }
    pthread_mutex_unlock(&a->lock);
    return o;
}

static void *work(void *context)
{
    struct compile_ahead *a = context;
    for (struct compile_order *o; (o = next_order(a));) {
        struct compile_options options = {o->arch, o->maxregs};
        struct diags unsaid = {0}; // the point that needs it gets the same complaint
        struct code *code;
        if (compile_code(o->source, o->path, &options, &code, &unsaid)) code_free(code);
        diags_clear(&unsaid);
        order_free(o);
    }
    return NULL;
}

struct compile_ahead *compile_ahead_new(int threads)
{
    struct compile_ahead *a = mem_alloc(sizeof *a);
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->more, NULL);
    a->last = &a->first;
    a->threads = mem_alloc((size_t)(threads > 0 ? threads : 1) * sizeof *a->threads);
    for (int i = 0; i < threads; i++) // with fewer threads it is only slower
        if (pthread_create(&a->threads[a->count], NULL, work, a) == 0) a->count++;
    return a;
}

void compile_ahead_add(struct compile_ahead *a, char *source, const char *path, const struct compile_options *options)
{
    struct compile_order *o = mem_alloc(sizeof *o);
    *o = (struct compile_order){source, copy(path), copy(options->arch), options->maxregs, NULL};
    pthread_mutex_lock(&a->lock);
    *a->last = o;
    a->last = &o->next;
    pthread_cond_signal(&a->more);
    pthread_mutex_unlock(&a->lock);
}

void compile_ahead_free(struct compile_ahead *a)
{
    if (!a) return;
    pthread_mutex_lock(&a->lock);
    a->ending = true;
    pthread_cond_broadcast(&a->more);
    pthread_mutex_unlock(&a->lock);
    for (int i = 0; i < a->count; i++) pthread_join(a->threads[i], NULL);
    for (struct compile_order *o = a->first, *next; o; o = next) {
        next = o->next;
        order_free(o);
    }
    pthread_mutex_destroy(&a->lock);
    pthread_cond_destroy(&a->more);
    free(a->threads);
    free(a);
}

// What is being compiled now, and the code that could not be put on disk. Who waits for the former finds it among the
// latter or in the cache.
struct job_entry {
    char key[33];
    struct code *code; // kept here only when the cache folder cannot be written
    bool busy;
    struct job_entry *next;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static struct job_entry *entries;
static _Thread_local bool unsure; // it could not be found out whether there is a compiler

const struct choice compile_environment[] = {
    {"GPUEXP_COMPILER", "nvrtc, nvcc or clang: the compiler for kernels, instead of the first that is there"},
    {"CUDA_HOME", "where the CUDA Toolkit is, before all other places (`gpuexp devices` says what is found)"},
    {"LD_LIBRARY_PATH", "folders in which the system looks for libraries first, those of the CUDA Toolkit too"},
    {NULL, NULL},
};

static const struct compiler *const all[] = {&compiler_nvrtc, &compiler_nvcc, &compiler_clang};
enum { COMPILERS = sizeof all / sizeof *all };

void compile_begin(void)
{
    const char *wanted = getenv("GPUEXP_COMPILER");
    for (size_t i = 0; i < COMPILERS; i++)
        if (all[i]->begin && (!wanted || !*wanted || strcmp(wanted, all[i]->name) == 0)) all[i]->begin();
}

static const struct compiler *choose(const char *source, struct diags *d)
{
    char text[COMPILER_OPTION];
    const char *wanted = compiler_wanted(source, text);
    char why[COMPILERS][256] = {"", "", ""};
    unsure = false;
    for (size_t i = 0; i < COMPILERS; i++) {
        if (wanted && strcmp(wanted, all[i]->name) != 0) continue;
        if (all[i]->version(why[i], &unsure)) return all[i];
        if (!unsure) continue;
        // The next compiler is not tried: the same rows would get other keys.
        diag_system(d, "run it again", "whether %s is here cannot be told: %s", all[i]->name, why[i]);
        return NULL;
    }
    if (wanted)
        diag_system(d, NULL, "%s%s: %s", wanted == getenv("GPUEXP_COMPILER") ? "GPUEXP_COMPILER=" : "", wanted,
            *why[0]       ? why[0]
                : *why[1] ? why[1]
                : *why[2] ? why[2]
                          : "there are nvrtc, nvcc and clang");
    else diag_system(d, "install clang, or the CUDA Toolkit", "nothing here compiles kernels: %s; %s", why[0], why[2]);
    return NULL;
}

static const char *version(const struct compiler *c)
{
    char why[256];
    bool ignored = false;
    return c->version(why, &ignored);
}

const char *compile_compiler(struct diags *d)
{
    const struct compiler *c = choose("", d);
    return c ? version(c) : NULL;
}

bool compile_sure(void) { return !unsure; }

bool compile_arch(const char *wanted, char arch[16], struct diags *d)
{
    const struct compiler *c = choose("", d);
    if (c) c->arch(&(struct compile_options){.arch = wanted}, arch);
    return c != NULL;
}

static void make_key(const struct compiler *c, const char *source, const char *path, const char *arch, int maxregs,
    char key[33])
{
    struct hash h;
    hash_init(&h);
    hash_text(&h, version(c));
    for (const struct embedded *f = embedded_files; f->name; f++)
        if (strncmp(f->name, "runner/compile/text/", 20) == 0) hash_bytes(&h, f->text, f->size);
    hash_text(&h, source);
    hash_text(&h, path);
    hash_text(&h, arch);
    hash_u64(&h, (uint64_t)maxregs);
    hash_hex(h, key);
}

static struct code *copy_code(const struct code *from)
{
    struct code *to = mem_alloc(sizeof *to);
    *to = *from;
    to->ptx = memcpy(mem_alloc(strlen(from->ptx) + 1), from->ptx, strlen(from->ptx) + 1);
    to->entries = mem_alloc((from->entry_count + 1) * sizeof *to->entries);
    memcpy(to->entries, from->entries, from->entry_count * sizeof *to->entries);
    if (from->cubin) to->cubin = memcpy(mem_alloc(from->cubin_bytes), from->cubin, from->cubin_bytes);
    to->given = NULL;
    to->cached = true;
    return to;
}

// The caller becomes the one that compiles `key`, after waiting for another that does so. When code is returned, it was
// kept in memory.
static struct job_entry *claim(const char key[33], struct code **found)
{
    *found = NULL;
    pthread_mutex_lock(&lock);
    for (;;) {
        struct job_entry *e = entries;
        while (e && strcmp(e->key, key) != 0) e = e->next;
        if (!e) {
            e = mem_alloc(sizeof *e);
            memcpy(e->key, key, 33);
            e->next = entries;
            entries = e;
        }
        if (e->code) *found = copy_code(e->code);
        if (e->code || !e->busy) {
            e->busy = !e->code;
            pthread_mutex_unlock(&lock);
            return e;
        }
        pthread_cond_wait(&done, &lock);
    }
}

// Waiters look the entry up by its key again, so it may be freed here.
static void give_up_claim(struct job_entry *e, struct code *keep)
{
    pthread_mutex_lock(&lock);
    e->busy = false;
    e->code = keep;
    if (!keep) {
        struct job_entry **at = &entries;
        while (*at != e) at = &(*at)->next;
        *at = e->next;
        free(e);
    }
    pthread_cond_broadcast(&done);
    pthread_mutex_unlock(&lock);
}

// Headers leave out what an older GPU has not, and sources leave it out themselves, without a word: where one speaks of
// copies by tensor maps and no device or an H100 or H200 is named, it is compiled for these.
static bool is_for_hopper(const struct compile_options *o, const char *source)
{
    static const char *const words[] = {
        "CUtensorMap", "cuda::device::experimental", "<cuda/ptx>", "__CUDA_ARCH_FEAT_SM90_ALL", "wgmma.", NULL};
    for (int k = 0; words[k] && (!o->arch || strcmp(o->arch, "sm_90") == 0); k++)
        if (strstr(source, words[k])) return true;
    return false;
}

// What is for one generation of GPUs alone (`wgmma`) has an architecture of its own, with the same code otherwise. It
// is taken where the usual one has refused an instruction; a profile of an older GPU stays as it is.
static const char *other_arch(const struct compile_options *o, const char *arch, const char *log)
{
    return strstr(log, ".target") && strcmp(arch, "sm_90a") != 0 && (!o->arch || strcmp(o->arch, "sm_90") == 0)
        ? "sm_90a"
        : NULL;
}

struct attempt { // at a source, by one compiler
    const struct compiler *by;
    const char *path;
    const struct compile_options *options;
    struct code *code;
    char arch[16];
    struct str log; // why the source was refused
    struct left_out left;
};

static struct attempt attempt_begin(const struct compiler *by, const char *path, const struct compile_options *options,
    struct code *code)
{
    struct attempt t = {.by = by, .path = path, .options = options, .code = code};
    by->arch(options, t.arch);
    return t;
}

static void attempt_end(struct attempt *t)
{
    str_release(&t->log);
    left_out_end(&t->left);
}

static bool compile_whole(struct attempt *t, const char *source, struct diags *d)
{
    struct code *const code = t->code;
    free(code->ptx);
    free(code->cubin);
    free(code->given);
    free(code->entries);
    *code = (struct code){0};
    snprintf(code->arch, sizeof code->arch, "%s", t->arch);
    snprintf(code->compiler, sizeof code->compiler, "%s", version(t->by));
    str_clear(&t->log);
    if (t->by->compile(source, t->path, t->arch, t->options->maxregs, code, &t->log, d))
        return joined_add(code, source, t->path, d);
    const char *other = t->log.size ? other_arch(t->options, t->arch, t->log.text) : NULL;
    if (!other) return false;
    snprintf(t->arch, sizeof t->arch, "%s", other);
    return compile_whole(t, source, d);
}

static bool takes_header(void *context, const char *include)
{
    struct attempt *t = context;
    LOCAL(diags_clear) struct diags ignored = {0};
    return compile_whole(t, include, &ignored) || !t->log.size;
}

// A source that is refused is taken without what only its host's part needs. `headers`: those that the compiler does
// not take by themselves may be left out too; each is tried. Another call goes on where the one before ended.
static bool compile_part(struct attempt *t, const char *source, bool headers, struct diags *d)
{
    enum { MOST_ROUNDS = 40 };
    struct left_out *const left = &t->left;
    const size_t before = d->count;
    const bool first = !left->source;
    if (first) left_out_begin(left, source);
    bool good = first && compile_whole(t, left->text, d), more = !good && t->log.size && d->count == before;
    for (int i = 0; i < MOST_ROUNDS && !good && more; i++) {
        if (left_out_lacks_header(left->source, t->log.text)) {
            LOCAL(str_release) struct str probe = {0};
            left_out_probe(left, &probe);
            compile_whole(t, probe.text, d);
        }
        if (!left_out_more(left, t->log.text)) { // it is in a header, then
            LOCAL(mem_drop) char *log = str_take(&t->log);
            more = headers && left_out_header(left, log, takes_header, t);
            headers = false;
            str_clear(&t->log);
            str_add(&t->log, log);
        }
        if (!more) break;
        good = compile_whole(t, left->text, d);
        more = t->log.size && d->count == before;
    }
    if (good) snprintf(t->code->left_out, sizeof t->code->left_out, "%s", left->headers);
    else if (d->count == before) left_out_complain(left, t->log.text, t->path, d);
    return good;
}

// NVRTC is quick, and takes less than nvcc does: what it refuses is asked of nvcc, where that is here and no compiler
// is named. What both refuse as it is goes to each in part. NVRTC is the first where headers are not there: nvcc tells
// one a run. Where nvcc has them all, as a folder of PyTorch's, NVRTC refuses most of them. A source may be for NVRTC
// alone, with headers that it does not take: they are tried last, for it takes long. What is refused by both nvcc
// tells, as its users know it.
static bool compile_for(struct attempt *t, const char *source, struct diags *d)
{
    const size_t before = d->count;
    LOCAL(diags_clear) struct diags said = {0};
    char by[COMPILER_OPTION];
    if (compile_whole(t, source, d)) return true;
    if (d->count > before || !t->log.size) return false;
    // nvcc is looked for here and not before: to ask it what it is takes longer than many a compile by NVRTC.
    if (t->by != &compiler_nvrtc || compiler_wanted(source, by) || !version(&compiler_nvcc))
        return compile_part(t, source, true, d);
    LOCAL(attempt_end) struct attempt other = attempt_begin(&compiler_nvcc, t->path, t->options, t->code);
    if (compile_whole(&other, source, d)) return true;
    const bool refused = d->count == before && other.log.size;
    diags_drop(d, before);
    if (refused && strstr(t->log.text, "Error limit reached") && !left_out_lacks_header(source, other.log.text))
        return compile_part(&other, source, false, d);
    if (compile_part(t, source, false, &said)) return true;
    if (refused && compile_part(&other, source, false, d)) return true;
    if (d->count == before) return diags_join(d, &said), false;
    if (d->items[before].kind != DIAG_USER) return false;
    diags_clear(&said);
    if (!compile_part(t, source, true, &said)) return false;
    return diags_drop(d, before), true;
}

static bool compile_text(const char *source, bool as_it_is, const char *path, const struct compile_options *options,
    struct code **out, struct diags *d)
{
    const struct compiler *c = choose(source, d);
    char key[33], arch[16];
    struct code *found, *keep = NULL;
    *out = NULL;
    if (!c) return false;
    char own[16]; // what PTX in the source is for
    const bool wants = !options->arch && joined_arch(source, own) &&
        compiler_arch_number(own) > compiler_arch_number(COMPILE_DEFAULT_ARCH);
    const bool hopper = wants || is_for_hopper(options, source);
    const struct compile_options for_hopper = {wants ? own : "sm_90a", options->maxregs};
    c->arch(hopper ? &for_hopper : options, arch);
    // Where no device is named, another architecture may be taken than where this one is.
    char wanted[32];
    snprintf(wanted, sizeof wanted, "%s%s", arch, options->arch ? "" : " or newer");
    make_key(c, source, path, wanted, options->maxregs, key);
    struct job_entry *e = claim(key, &found);
    if (found) {
        *out = found;
        joined_keep(found, source);
        return true;
    }
    struct code *code = cache_load(key);
    bool good = code != NULL;
    if (!code) {
        LOCAL(diags_clear) struct diags ignored = {0};
        code = mem_alloc(sizeof *code);
        LOCAL(attempt_end) struct attempt t = attempt_begin(c, path, hopper ? &for_hopper : options, code);
        good = as_it_is ? compile_whole(&t, source, d) : compile_for(&t, source, d);
        // If the cache cannot be written the next run is only slower, so nothing is said.
        if (good && !cache_store(key, code, &ignored)) keep = copy_code(code);
    }
    give_up_claim(e, keep);
    if (good) *out = code, joined_keep(code, source);
    else code_free(code);
    return good;
}

bool compile_code(const char *source, const char *path, const struct compile_options *options, struct code **out,
    struct diags *d)
{
    LOCAL(str_release) struct str text = {0};
    LOCAL(diags_clear) struct diags ignored = {0};
    const char *end = source, *line;
    for (; (line = strstr(end, COMPILER_PLAIN)); end = line + 1 + strcspn(line + 1, "\n"))
        str_addf(&text, "%.*s", (int)(line - end), end);
    bool good = end > source;
    str_add(&text, end);
    good = good && compile_text(text.text, true, path, options, out, &ignored);
    if (!good) {
        str_clear(&text);
        str_add(&text, source);
        for (char *p = text.text; (p = strstr(p, COMPILER_PLAIN)); p++)
            memcpy(p, COMPILER_ENTRY, sizeof COMPILER_ENTRY - 1);
        good = compile_text(text.text, false, path, options, out, d);
    }
    return good;
}

void code_notes(const struct code *code, const char *source, struct diags *d)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    const struct compiler *usual = choose("", &ignored); // the run file names it
    const struct where nowhere = {0};
    char text[COMPILER_OPTION];
    const bool asked = compiler_wanted(source, text);
    if (*code->left_out) diag_add(d, DIAG_WARNING, nowhere, NULL, "left out: %s", code->left_out);
    if (usual && strcmp(version(usual), code->compiler) != 0)
        diag_add(d, DIAG_WARNING, nowhere, NULL, "compiled by %s%s%s%s", code->compiler, asked ? "" : ": ",
            asked ? "" : usual->name, asked ? "" : " does not take it");
}

void code_free(struct code *code)
{
    if (!code) return;
    free(code->ptx);
    free(code->cubin);
    free(code->given);
    free(code->entries);
    free(code);
}

// In a namespace without a name nvcc puts 8 digits, which are others in another folder, into the name.
static bool is_named(const char *one, const char *other)
{
    static const char unit[] = "_GLOBAL__N__";
    enum { DIGITS = 8 };
    const char *at = strstr(one, unit);
    const size_t n = at ? (size_t)(at - one) + sizeof unit - 1 : 0;
    return n && strncmp(one, other, n) == 0 && strlen(other) > n + DIGITS &&
        strcmp(one + n + DIGITS, other + n + DIGITS) == 0;
}

const struct code_entry *code_entry_named(const struct code *code, const char *name)
{
    for (size_t i = 0; i < code->entry_count; i++)
        if (strcmp(code->entries[i].asked, name) == 0) return &code->entries[i];
    const struct code_entry *e = code_entry_find(code, name);
    for (size_t i = 0; i < code->entry_count && !e; i++)
        if (is_named(code->entries[i].name, name)) e = &code->entries[i];
    return e;
}

const struct code_entry *code_entry_find(const struct code *code, const char *name)
{
    for (size_t i = 0; i < code->entry_count; i++)
        if (strcmp(code->entries[i].name, name) == 0) return &code->entries[i];
    return NULL;
}
