// A description's `host`: C++ that launches, as its author's program does. It is compiled with the source into a
// program whose runtime writes launches down (text/host.h). That is run for each point. What it launched with becomes
// the job's launches: grid, block and the bytes of each argument, in which an address is a place in a buffer.
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/child.h"
#include "base/embed.h"
#include "base/file.h"
#include "compile/cache.h"
#include "compile/compiler.h"
#include "compile/scratch.h"
#include "ptx/params.h"

#define MOST_CONTENT ((size_t)1 << 30)
enum { MOST_VALUES = 64, MOST_LAUNCHES = 20000, MOST_MAPS = 64, MOST_PARAMS = 256, MAP_WORDS = 16 };
#define MAP_MARK 0x6d61704f66u

// It runs twice, with its buffers at other places: what moves with a buffer is an address in it, and nothing else is.
// An address has two halves, and an int may lie beside what was left of one: both halves differ between the two.
#define MOST_BYTES ((uint64_t)1 << 34)
static const struct host_start {
    uint64_t first, apart;
} starts[2] = {{0x5a0000000000, MOST_BYTES}, {0x61093c400000, MOST_BYTES + 0x112c00000}};

struct host_ran { // what a run wrote down, and what its own memory held at its first launch
    char *text, *content[MOST_VALUES];
    size_t bytes[MOST_VALUES], count;
};

struct host_reading {
    struct job *job;
    struct job_device *device;
    struct arena *arena;
    struct diags *diags;
    const struct host_ran *ran; // of both places
    struct job_buffer *buffers; // the job's, with room for those that the code allocates
    struct job_launch *launches;
    struct job_argument *maps, *arguments; // of the last launch
    size_t count, room, map_count, own;
};

static struct where here(const struct job *job) { return (struct where){.file = job->path, .line = job->host_line}; }

static const char *runtime(void)
{
    const struct embedded *f = embedded_files;
    while (strcmp(f->name, "runner/compile/text/host.h") != 0) f++;
    return f->text;
}

// The program and the PTX of its kernels; compiled once.
static struct code *program(const struct job *job, const char *text, struct diags *d)
{
    char key[33], why[256];
    bool ignored = false;
    struct hash h;
    const char *version = compiler_nvcc.version(why, &ignored);
    if (!version) return diag_system(d, "install the CUDA Toolkit", "`host` of a kernel is for nvcc: %s", why), NULL;
    hash_init(&h);
    hash_text(&h, version), hash_text(&h, runtime()), hash_text(&h, text), hash_text(&h, job->path);
    hash_hex(h, key);
    struct code *code = cache_load(key);
    if (code) return code;
    LOCAL(str_release) struct str log = {0};
    LOCAL(diags_clear) struct diags unsaid = {0};
    const size_t before = d->count;
    code = mem_alloc(sizeof *code);
    if (nvcc_program(text, runtime(), job->path, code, &log, d)) {
        cache_store(key, code, &unsaid); // without it the next point is only slower
        return code;
    }
    if (d->count == before) compiler_complaint(log.text ? log.text : "", text, job->path, d);
    code_free(code);
    return NULL;
}

// How large each parameter of each entry is, for the program knows their addresses alone.
static char *sizes(const char *ptx, struct arena *a)
{
    LOCAL(str_release) struct str s = {0};
    LOCAL(mem_drop) char *names = mem_alloc(strlen(ptx) + 1);
    struct ptx_param params[MOST_PARAMS];
    size_t total;
    ptx_entries(ptx, names, strlen(ptx) + 1);
    for (char *name = names, *end; *name; name = end + (*end ? 2 : 0)) {
        end = name + strcspn(name, ",");
        char *own = arena_strndup(a, name, (size_t)(end - name));
        const int n = ptx_params(ptx, own, params, MOST_PARAMS, &total);
        str_add(&s, own);
        for (int i = 0; i < n && i < MOST_PARAMS; i++) str_addf(&s, " %zu", params[i].size);
        str_add(&s, "\n");
    }
    return arena_strdup(a, s.text ? s.text : "");
}

static bool ended(const struct job *job, enum child_end end, const char *log, struct diags *d)
{
    static const char *const hint = "it may not read what a kernel would write: nothing runs there";
    LOCAL(mem_drop) char *said = scratch_text(log);
    if (end == CHILD_WELL) return true;
    if (end == CHILD_NOT_STARTED || end == CHILD_NOT_THERE)
        return diag_system(d, NULL, "the host's code of %s cannot be started", job->path);
    if (end == CHILD_TOO_LONG) return diag_user(d, here(job), hint, "the host's code does not end");
    if (said && *said) return diag_user(d, here(job), NULL, "the host's code: %.300s", said);
    return diag_user(d, here(job), hint, "the host's code died before its end");
}

// `host: main`: the source's own program says all.
static bool is_program(const struct job *job) { return strcmp(job->host, "main") == 0; }

// Runs it in a folder of its own.
static bool run(const struct job *job, const struct job_device *device, const struct code *code,
    const struct host_start *at, struct host_ran *ran, struct arena *a, struct diags *d)
{
    static const struct child_limits limits = {(size_t)4 << 30, 10};
    struct scratch folder;
    struct diags ignored = {0};
    char *argv[11 + 4 * MOST_VALUES + 1] = {0};
    size_t n = 0;
    if (!scratch_make(&folder)) return diag_system(d, NULL, "no scratch folder %s", folder.path);
    char *const program = arena_printf(a, "%s/program", folder.path),
                *const log = arena_printf(a, "%s/log", folder.path);
    argv[n++] = program;
    argv[n++] = arena_printf(a, "%s/launches", folder.path);
    argv[n++] = arena_printf(a, "%s/sizes", folder.path);
    const uint64_t facts[] = {at->first, at->apart, is_program(job), device->sms ? device->sms : 132,
        device->l2_bytes ? device->l2_bytes : 50 << 20, 232448, device->shared_per_sm ? device->shared_per_sm : 233472,
        device->regs_per_sm ? device->regs_per_sm : 65536};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        argv[n++] = arena_printf(a, "%llu", (unsigned long long)facts[i]);
    for (size_t i = 0; i < job->buffer_count; i++) {
        argv[n++] = strcmp(job->buffers[i].name, "scratch") == 0 ? (char *)"s" : (char *)"b";
        argv[n++] = arena_printf(a, "%llu", (unsigned long long)job->buffers[i].bytes);
    }
    for (size_t i = 0; i < job->scalar_count; i++) {
        const struct value v = job->scalars[i].value;
        if (v.kind != VALUE_INT && v.kind != VALUE_REAL && v.kind != VALUE_BOOL) continue;
        argv[n++] = v.kind == VALUE_REAL ? (char *)"r" : (char *)"i";
        argv[n++] = v.kind == VALUE_REAL ? arena_printf(a, "%a", v.r)
                                         : arena_printf(a, "%lld", (long long)(v.kind == VALUE_BOOL ? v.b : v.i));
    }
    const bool put = file_write(program, code->cubin, code->cubin_bytes, d) && chmod(program, 0700) == 0 &&
        scratch_put(argv[2], sizes(code->ptx, a));
    if (put && ended(job, child_run(argv, log, &limits), log, d)) {
        ran->text = file_read(argv[1], 64 << 20, NULL, &ignored);
        for (const char *p = ran->text; p && (p = strstr(p, "buffer ")) && ran->count < MOST_VALUES; p++) {
            const char *path = arena_printf(a, "%s.%zu", argv[1], ran->count);
            ran->content[ran->count] = file_read(path, MOST_CONTENT, &ran->bytes[ran->count], &ignored);
            ran->count++;
        }
    }
    diags_clear(&ignored);
    scratch_remove(&folder);
    return ran->text != NULL;
}

static uint64_t start_of(const struct host_start *l, size_t which) { return l->first + which * l->apart; }

static bool is_address(const uint64_t v[2], const struct job *job, size_t *which, uint64_t *offset)
{
    for (size_t i = 0; v[0] != v[1] && i < job->buffer_count; i++) {
        *which = i, *offset = v[0] - start_of(&starts[0], i);
        if (v[1] - start_of(&starts[1], i) == *offset) return true;
    }
    return false;
}

static bool is_of_host(uint64_t v) { return v >> 32 >= 0x5000 && v >> 32 <= 0x7fff; }

// "argument SIZE word ...": the next argument of the last launch.
static bool read_argument(struct host_reading *r, char *p, char *q)
{
    LOCAL(str_release) struct str s = {0};
    struct job_launch *l = &r->launches[r->count - 1];
    struct job_argument *a = &r->arguments[l->argument_count++];
    const size_t bytes = strtoul(p, &p, 10);
    size_t which, skip = 0;
    q = strchr(q, ' ');
    for (size_t at = 0; *p == ' ' && q; at += 8) {
        uint64_t v[2] = {strtoull(p + 1, &p, 16), strtoull(q + 1, &q, 16)}, offset;
        const bool address = bytes - at >= 8 && is_address(v, r->job, &which, &offset);
        if (skip && skip--) continue;
        if (!address && bytes == 8 && is_of_host(v[0]))
            return diag_user(r->diags, here(r->job), "memory of the device is a buffer of the description",
                "argument %zu of `%s` is an address of the host's", l->argument_count, l->entry);
        // What stood in a gap between two members before: the upper half of an address, or one of the host's.
        if (!address && v[0] != v[1] && is_of_host(v[0]) && is_of_host(v[1]))
            for (int i = 0; i < 2; i++) v[i] &= (uint32_t)v[0] == (uint32_t)v[1] ? UINT32_MAX : 0;
        if (s.size) str_add(&s, " ");
        if (address) str_addf(&s, "p%zu+%llx", which, (unsigned long long)offset);
        else if (v[0] != v[1])
            return diag_user(r->diags, here(r->job), NULL,
                "argument %zu of `%s` has at byte %zu what hangs on where a buffer lies, and is no address in one",
                l->argument_count, l->entry, at);
        else if (v[0] >> 24 == MAP_MARK && (v[0] >> 8 & 0xffff) < r->map_count)
            str_addf(&s, "m%llu", (unsigned long long)(v[0] >> 8 & 0xffff)), skip = MAP_WORDS - 1;
        else str_addf(&s, "%llx", (unsigned long long)v[0]);
    }
    *a = (struct job_argument){.buffer = -1,
        .report = -1,
        .name = arena_printf(r->arena, "%zu", l->argument_count),
        .type = "",
        .words = arena_strdup(r->arena, s.text ? s.text : "0")};
    return l->argument_count < MOST_PARAMS;
}

// "launch NAME grid block shared cluster cooperative"
static bool read_launch(struct host_reading *r, char *p)
{
    const size_t n = strcspn(p, " ");
    uint64_t v[11];
    if (r->count == MOST_LAUNCHES)
        return diag_user(r->diags, here(r->job), NULL, "the host's code launches more than %d times", MOST_LAUNCHES);
    mem_grow(&r->launches, &r->room, r->count + 1, sizeof *r->launches);
    struct job_launch *l = &r->launches[r->count++];
    r->arguments = arena_alloc(r->arena, MOST_PARAMS * sizeof *r->arguments);
    *l = (struct job_launch){.entry = arena_strndup(r->arena, p, n), .arguments = r->arguments};
    p += n;
    for (int i = 0; i < 11; i++) v[i] = strtoull(p, &p, 10);
    for (int i = 0; i < 3; i++) l->grid[i] = (uint32_t)v[i], l->block[i] = (uint32_t)v[3 + i];
    l->shared = (uint32_t)v[6];
    r->device->cooperative |= v[10] != 0;
    for (int i = 0; i < 3 && v[7]; i++) r->device->cluster[i] = (uint32_t)v[7 + i];
    const uint64_t blocks = v[0] * v[1] * v[2], threads = v[3] * v[4] * v[5];
    if (blocks > 0 && threads > 0 && threads <= 1024) return true;
    return diag_user(r->diags, here(r->job), NULL,
        "the host's code launches %llu x %llu x %llu blocks of %llu x %llu x %llu threads: no GPU takes that",
        (unsigned long long)v[0], (unsigned long long)v[1], (unsigned long long)v[2], (unsigned long long)v[3],
        (unsigned long long)v[4], (unsigned long long)v[5]);
}

// "map ADDRESS type rank swizzle promote outside", then of each direction its size, stride, box and step.
static bool read_map(struct host_reading *r, char *p, char *q)
{
    static const uint32_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    static const uint32_t swizzles[] = {0, 32, 64, 128}, promotes[] = {0, 64, 128, 256};
    struct job_tensor *t = arena_alloc(r->arena, sizeof *t);
    const uint64_t at[2] = {strtoull(p, &p, 16), strtoull(q, &q, 16)};
    uint64_t v[5], offset;
    size_t which;
    for (int i = 0; i < 5; i++) v[i] = strtoull(p, &p, 10);
    *t = (struct job_tensor){.rank = (uint32_t)v[1], .nan = v[4] != 0};
    if (v[0] >= sizeof bytes / sizeof *bytes || v[2] > 3 || v[3] > 3 || t->rank < 1 || t->rank > TENSOR_RANK)
        return diag_user(r->diags, here(r->job), NULL, "a tensor map of the host's code is of a kind not known here");
    if (!is_address(at, r->job, &which, &offset))
        return diag_user(r->diags, here(r->job), NULL, "a tensor map of the host's code is of no buffer");
    const struct job_buffer *b = &r->job->buffers[which];
    t->bytes = bytes[v[0]], t->swizzle = swizzles[v[2]], t->promote = promotes[v[3]];
    for (uint32_t i = 0; i < t->rank; i++) {
        t->size[i] = strtoull(p, &p, 10), t->stride[i] = strtoull(p, &p, 10);
        t->box[i] = (uint32_t)strtoul(p, &p, 10), t->step[i] = (uint32_t)strtoul(p, &p, 10);
    }
    t->stride[0] = t->bytes;
    if (b->element_bytes / (uint64_t)b->lanes != t->bytes)
        return diag_user(r->diags, here(r->job), NULL,
            "a tensor map of the host's code takes `%s` as numbers of %u bytes, and its type is %s", b->name, t->bytes,
            b->type);
    r->maps[r->map_count] = (struct job_argument){.buffer = (int)which,
        .report = -1,
        .name = arena_printf(r->arena, "map%zu", r->map_count),
        .type = "CUtensorMap",
        .part = PART_TENSOR,
        .offset = offset,
        .tensor = t};
    return ++r->map_count <= MOST_MAPS;
}

// The next line of both, and where what stands behind its first word begins.
static bool next_line(char **text, char **rest)
{
    char *end = strchr(*text, '\n');
    if (!end) return false;
    *end = '\0';
    *rest = *text + strcspn(*text, " ");
    *rest += **rest == ' ';
    *text = end + 1;
    return true;
}

// "buffer BYTES": the code has allocated one.
static bool read_buffer(struct host_reading *r, char *p)
{
    const uint64_t bytes = strtoull(p, NULL, 10);
    const struct host_ran *ran = r->ran;
    const size_t i = r->own++;
    struct job_buffer *b = &r->buffers[r->job->buffer_count++];
    uint64_t offset;
    char hex[33];
    struct hash h;
    *b = (struct job_buffer){.name = arena_printf(r->arena, "memory%zu", i + 1),
        .type = "char",
        .scalar = "char",
        .lanes = 1,
        .count = bytes,
        .element_bytes = 1,
        .bytes = bytes,
        .extent = {bytes, 1, 1},
        .rank = 1,
        .access = ACCESS_WRITE,
        .memory = "device"};
    b->as = b->name;
    if (!ran[0].content[i]) return true;
    for (size_t at = 0; at + 8 <= ran[0].bytes[i] && at + 8 <= ran[1].bytes[i]; at += 8) {
        uint64_t v[2];
        size_t which;
        for (int k = 0; k < 2; k++) memcpy(&v[k], ran[k].content[i] + at, 8);
        if (v[0] != v[1] && is_address(v, r->job, &which, &offset))
            return diag_user(r->diags, here(r->job), "a description can fill it: `fill` takes C++ with other buffers",
                "the host's code copies an address to the device, at byte %zu of what it allocated as number %zu", at,
                i + 1);
    }
    hash_init(&h);
    hash_bytes(&h, ran[0].content[i], ran[0].bytes[i]);
    hash_hex(h, hex);
    b->access = ACCESS_BOTH;
    b->fill = FILL_FILE;
    b->file_hash = arena_strdup(r->arena, hex);
    b->file = cache_keep(ran[0].content[i], ran[0].bytes[i], hex, r->arena, r->diags);
    return b->file != NULL;
}

// Programs that measure launch again and again: of the same launches in a row one is enough.
static void drop_repeated(struct host_reading *r)
{
    const struct job_launch *l = r->count > 1 && is_program(r->job) ? &r->launches[r->count - 2] : NULL;
    bool same = l && strcmp(l[0].entry, l[1].entry) == 0 && l[0].shared == l[1].shared &&
        l[0].argument_count == l[1].argument_count && memcmp(l[0].grid, l[1].grid, sizeof l->grid) == 0 &&
        memcmp(l[0].block, l[1].block, sizeof l->block) == 0;
    for (size_t i = 0; same && i < l[0].argument_count; i++)
        same = strcmp(l[0].arguments[i].words, l[1].arguments[i].words) == 0;
    r->count -= same;
}

static bool read_lines(struct host_reading *r, char *text, char *other)
{
    while (*text) {
        char *const line = text, *p, *q;
        const char kind = *line, *const elsewhere = other;
        if (!next_line(&text, &p)) return false;
        if (!next_line(&other, &q) || *elsewhere != kind ||
            ((kind == 'l' || kind == 'b') && strcmp(line, elsewhere) != 0))
            return diag_user(r->diags, here(r->job), NULL,
                "the host's code launches something else when its buffers lie elsewhere");
        if (kind != 'a') drop_repeated(r); // the last launch has all its arguments
        if (kind == 'b'       ? !read_buffer(r, p)
                : kind == 'l' ? !read_launch(r, p)
                : kind == 'a' ? !read_argument(r, p, q)
                              : !read_map(r, p, q))
            return false;
    }
    drop_repeated(r);
    return r->count ||
        diag_user(r->diags, here(r->job), "kernel<<<grid, block>>>(...)", "the host's code launches nothing");
}

static void take(struct host_reading *r)
{
    struct job *job = r->job;
    const struct job_launch *first = &r->launches[0];
    job->entry = first->entry;
    job->arguments = first->arguments;
    job->argument_count = first->argument_count;
    job->shared = first->shared;
    memcpy(job->grid, first->grid, sizeof job->grid);
    memcpy(job->block, first->block, sizeof job->block);
    if (r->count > 1) job->launches = arena_copy(r->arena, r->launches, r->count * sizeof *r->launches);
    job->launch_count = r->count > 1 ? r->count : 0;
    job->maps = r->maps;
    job->map_count = r->map_count;
}

bool host_launch(struct job *job, struct job_device *device, struct arena *a, struct diags *d)
{
    if (job->buffer_count > MOST_VALUES || job->scalar_count > MOST_VALUES)
        return diag_user(d, here(job), NULL, "`host` takes at most %d buffers and parameters", MOST_VALUES);
    for (size_t i = 0; i < job->buffer_count; i++)
        if (job->buffers[i].bytes >= MOST_BYTES)
            return diag_user(d, here(job), NULL, "`host` takes buffers below 16 GiB, and `%s` is larger",
                job->buffers[i].name);
    LOCAL(mem_drop) char *text = compile_host_source(job, d);
    struct code *code = text ? program(job, text, d) : NULL;
    struct host_ran ran[2] = {0};
    bool good = code != NULL;
    for (int i = 0; good && i < 2; i++) good = run(job, device, code, &starts[i], &ran[i], a, d);
    code_free(code);
    struct host_reading r = {.job = job, .device = device, .arena = a, .diags = d, .ran = ran};
    r.maps = arena_alloc(a, (MOST_MAPS + 1) * sizeof *r.maps);
    r.buffers = arena_alloc(a, (2 * MOST_VALUES) * sizeof *r.buffers);
    if (job->buffer_count) memcpy(r.buffers, job->buffers, job->buffer_count * sizeof *r.buffers);
    job->buffers = r.buffers;
    good = good && read_lines(&r, ran[0].text, ran[1].text);
    if (good) take(&r);
    free(r.launches);
    for (int i = 0; i < 2; i++) {
        free(ran[i].text);
        for (size_t k = 0; k < ran[i].count; k++) free(ran[i].content[k]);
    }
    return good;
}
