// Tries points one by one. The text of a point follows from a few of its values: those are hashed first, so that a text
// is made only where it may be a new one.
// SPDX-License-Identifier: MIT
#include "device/trial.h"

#include "base/lookup.h"
#include "base/units.h"
#include "plan/asks.h"

#include <stdlib.h>
#include <string.h>

struct tried_text {
    uint64_t hash[2];
    struct code *code; // NULL: it did not compile, and `why` says so
    struct diags why;
};

struct trial {
    const struct device_ops *ops;
    struct device *dev;
    struct device_limits limits;
    struct lookup made; // hash of what decides a text -> its index in `texts`
    struct tried_text texts[TRIAL_TEXTS];
    size_t text_count, left_out;
    bool no_compiler;
};

static const struct where nowhere = {0};

struct trial *trial_new(const struct device_ops *ops, struct device *dev)
{
    struct trial *t = mem_alloc(sizeof *t);
    *t = (struct trial){.ops = ops, .dev = dev};
    if (dev && ops->limits) ops->limits(dev, &t->limits);
    return t;
}

void trial_free(struct trial *t)
{
    if (!t) return;
    for (size_t i = 0; i < t->text_count; i++) {
        code_free(t->texts[i].code);
        diags_clear(&t->texts[i].why);
    }
    lookup_release(&t->made);
    free(t);
}

size_t trial_left_out(const struct trial *t) { return t->left_out; }

static void hash_arguments(struct hash *h, const struct job_argument *a, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hash_text(h, a[i].type ? a[i].type : "");
        hash_text(h, a[i].code ? a[i].code : "");
    }
}

// Whatever compile_source puts into a text is in here; more does no harm.
static uint64_t text_key(const struct job *job)
{
    struct hash h;
    uint64_t out[2];
    hash_init(&h);
    hash_text(&h, job->path);
    hash_text(&h, job->check ? job->check->name : "");
    for (int i = 0; i < SETTING_COUNT; i++) value_hash(job->settings[i], &h); // `options` and `maxregs` among them
    for (size_t i = 0; i < job->constant_count; i++) value_hash(job->constants[i].value, &h);
    for (size_t l = 0; l < job_launches(job); l++) {
        const struct job_launch it = job_launch(job, l);
        hash_text(&h, it.entry);
        hash_arguments(&h, it.arguments, it.argument_count);
    }
    for (size_t i = 0; i < job->scalar_count; i++) hash_u64(&h, (uint64_t)job->scalars[i].value.kind);
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct job_buffer *b = &job->buffers[i];
        hash_text(&h, b->type);
        hash_text(&h, b->made ? b->made : "");
        hash_u64(&h, b->declared ? b->element_bytes : 0);
        hash_u64(&h, (uint64_t)b->fill << 8 | (uint64_t)b->access);
    }
    hash_final(h, out);
    return out[0];
}

static struct tried_text *compile(struct trial *t, const struct job *job, struct diags *why)
{
    struct diags errors = {0};
    struct hash h;
    uint64_t out[2];
    LOCAL(mem_drop) char *source = compile_source(job, &errors);
    hash_init(&h);
    if (source) hash_text(&h, source);
    hash_u64(&h, (uint64_t)asks_whole(job, SETTING_MAXREGS, 0));
    hash_final(h, out);
    struct tried_text *x = t->texts;
    while (source && x < t->texts + t->text_count && memcmp(x->hash, out, sizeof out) != 0) x++;
    if (source && x < t->texts + t->text_count) return x;
    if (t->text_count == TRIAL_TEXTS) {
        t->left_out++;
        diags_clear(&errors);
        return NULL;
    }
    x = &t->texts[t->text_count++];
    *x = (struct tried_text){.hash = {out[0], out[1]}};
    const struct compile_options options = {
        .arch = *t->limits.arch ? t->limits.arch : NULL, .maxregs = (int)asks_whole(job, SETTING_MAXREGS, 0)};
    if (source) compile_code(source, job->path, &options, &x->code, &errors);
    for (size_t i = 0; i < errors.count && !x->code; i++) t->no_compiler |= errors.items[i].kind == DIAG_SYSTEM;
    if (t->no_compiler) diag_add(why, DIAG_WARNING, nowhere, NULL, "not compiled: %s", diags_first(&errors));
    else diags_join(&x->why, &errors);
    diags_clear(&errors);
    return x;
}

static struct tried_text *text_of(struct trial *t, const struct job *job, struct diags *why)
{
    const uint64_t key = text_key(job);
    size_t at = 0, found = lookup_next(&t->made, key, &at);
    if (found != LOOKUP_NONE) return found < TRIAL_TEXTS ? &t->texts[found] : NULL;
    struct tried_text *x = compile(t, job, why);
    lookup_add(&t->made, key, x ? (size_t)(x - t->texts) : TRIAL_TEXTS);
    return x;
}

static bool within_memory(const struct trial *t, const struct job *job, struct diags *why)
{
    struct str need = {0}, have = {0};
    const uint64_t most = t->limits.memory;
    uint64_t bytes = job_memory(job);
    for (size_t i = 0; i < job->buffer_count; i++) // those of a GPU that lie in the machine
        if (t->ops && t->ops->visible && asks_memory_of(&job->buffers[i], "mapped")) bytes -= job->buffers[i].bytes;
    if (!most || bytes <= most || asks_true(job, SETTING_ALLOW_OVERSUBSCRIPTION)) return true;
    units_print_bytes((double)bytes, &need);
    units_print_bytes((double)most, &have);
    diag_user(why, nowhere, "smaller sizes need less; `for:` gives one kind of device sizes of its own",
        "its buffers need %s, and %s can give a point %s", need.text, t->limits.memory_of, have.text);
    str_release(&need);
    str_release(&have);
    return false;
}

static bool whole_clusters(const struct job *job, const struct job_launch *launch, struct diags *why)
{
    uint32_t cluster[3];
    if (!asks_dimensions(job, SETTING_CLUSTER, cluster)) return true;
    for (int i = 0; i < 3; i++)
        if (cluster[i] && launch->grid[i] % cluster[i])
            return diag_user(why, nowhere, "`cluster` has to divide the blocks of the grid",
                "`cluster`: %u blocks along %c are no whole number of clusters of %u", launch->grid[i], "xyz"[i],
                cluster[i]);
    return true;
}

// A cooperative grid waits for all of its blocks: all must fit at once.
static bool all_at_once(const struct device_limits *l, const struct job *job, const struct job_launch *launch,
    const struct code_entry *fixed, struct diags *why)
{
    const int threads = (int)(launch->block[0] * launch->block[1] * launch->block[2]);
    const uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    if (!asks_true(job, SETTING_COOPERATIVE) || !l->occupancy || !fixed || fixed->regs < 0) return true;
    const size_t shared = (fixed->shared_bytes > 0 ? (size_t)fixed->shared_bytes : 0) + launch->shared;
    const int each = occupancy_blocks(l->occupancy, threads, fixed->regs, shared).all;
    const uint64_t most = (uint64_t)each * (uint64_t)l->occupancy->sms;
    return blocks <= most ||
        diag_user(why, nowhere, "fewer blocks, of which each does more",
            "`cooperative`: %llu blocks; %s runs at most %llu at once", (unsigned long long)blocks, l->of,
            (unsigned long long)most);
}

bool trial_limits_hold(const struct device_limits *l, const struct job *job, const struct job_launch *launch,
    const struct code_entry *fixed, enum trial_about *about, struct diags *why)
{
    const uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    const size_t shared = launch->shared + (fixed && fixed->shared_bytes > 0 ? (size_t)fixed->shared_bytes : 0);
    *about = TRIAL_OF_BLOCK;
    if (l->threads_per_block && threads > l->threads_per_block)
        return diag_user(why, nowhere, NULL, "%llu threads a block: %s runs at most %llu", (unsigned long long)threads,
            l->of, (unsigned long long)l->threads_per_block);
    if (l->regs_per_block && fixed && fixed->regs > 0 &&
        (uint64_t)fixed->regs * ((threads + 31) / 32 * 32) > l->regs_per_block)
        return diag_user(why, nowhere, "a smaller `block`, or `maxregs`",
            "%d registers for each of %llu threads: a block of %s has %llu", fixed->regs, (unsigned long long)threads,
            l->of, (unsigned long long)l->regs_per_block);
    *about = TRIAL_OF_SHARED;
    if (l->shared_per_block && shared > l->shared_per_block)
        return diag_user(why, nowhere, "a smaller `shared`, or less in the kernel",
            "%zu bytes of shared memory a block: %s has %llu", shared, l->of, (unsigned long long)l->shared_per_block);
    *about = TRIAL_OF_GRID;
    return whole_clusters(job, launch, why) && all_at_once(l, job, launch, fixed, why);
}

struct trial_result trial_point(struct trial *t, const struct job *job, struct diags *why)
{
    struct trial_result v = {TRIAL_SKIPPED, TRIAL_OF_DEVICE};
    char unfit[256] = "";
    if (t->dev) t->ops->unfit(t->dev, job, unfit);
    if (*unfit) return diag_user(why, nowhere, NULL, "%s", unfit), v;
    v.answer = TRIAL_REFUSED;
    struct tried_text *x = t->no_compiler ? NULL : text_of(t, job, why);
    v.about = TRIAL_OF_CODE;
    if (x && !x->code && x->why.count) return diags_join(why, &x->why), v;
    for (size_t i = 0; i < job_launches(job); i++) {
        const struct job_launch l = job_launch(job, i);
        const struct code_entry *entry = x && x->code ? code_entry_named(x->code, l.entry) : NULL;
        if (!trial_limits_hold(&t->limits, job, &l, entry, &v.about, why)) return v;
    }
    v.about = TRIAL_OF_MEMORY;
    if (within_memory(t, job, why)) v.answer = TRIAL_RUNS;
    return v;
}
