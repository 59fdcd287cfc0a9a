// Facts and history of a run, for the run file.
// SPDX-License-Identifier: MIT
#include "run/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "lua/script.h"
#include "spec/fingerprint.h"
#include "spec/traits.h"

void record_plan(const struct plan *plan, char text[33])
{
    size_t names = plan_name_count(plan);
    LOCAL(mem_drop) struct value *values = mem_alloc((names + 1) * sizeof *values);
    struct hash h;
    hash_init(&h);
    for (size_t i = 0; i < names; i++) hash_text(&h, plan_name(plan, i));
    for (size_t p = 0; p < plan_count(plan); p++) {
        plan_values(plan, p, values);
        for (size_t i = 0; i < names; i++) value_hash(values[i], &h);
    }
    hash_hex(h, text);
}

void record_text(const struct experiment *e, char hex[33])
{
    struct hash h;
    hash_init(&h);
    for (size_t i = 0; i < e->kernel_count; i++) {
        if (i) hash_text(&h, e->kernels[i]->name);
        hash_text(&h, e->kernels[i]->source);
    }
    hash_hex(h, hex);
}

// Files that fill buffers are not kept, for they may be large: what they held is.
static void fill_files(struct runfile *f, const struct experiment *e)
{
    char name[40];
    size_t n = 0;
    for (size_t i = 0; i < e->kernel_count; i++)
        for (size_t k = 0; k < e->kernels[i]->buffer_count; k++) {
            const struct buffer *b = &e->kernels[i]->buffers[k];
            if (!b->file) continue;
            snprintf(name, sizeof name, "fill_file_%zu", n);
            runfile_fact(f, name, b->file);
            snprintf(name, sizeof name, "fill_hash_%zu", n++);
            runfile_fact(f, name, b->file_hash);
        }
}

static void experiment_facts(struct runfile *f, const struct plan *plan, const struct run_options *o)
{
    const struct experiment *e = plan_experiment(plan);
    char hash[33], name[40];
    runfile_fact(f, "experiment", e->name);
    runfile_fact(f, "file", e->file);
    for (size_t i = 0; i < o->override_count; i++) {
        snprintf(name, sizeof name, "override_%zu", i);
        runfile_fact(f, name, o->overrides[i].text);
    }
    if (e->for_device) runfile_fact(f, "for", e->for_device);
    runfile_factf(f, "points", "%zu", plan_count(plan));
    record_plan(plan, hash);
    runfile_fact(f, "plan", hash);
    runfile_factf(f, "seed", "%llu", (unsigned long long)o->seed);
    runfile_fact(f, "order",
        "shuffled by the seed; points that use several streams come after those that do not, and those with persisting "
        "lines or a window last, each group shuffled in itself; on several devices, those on the host's bus alone");
    runfile_factf(f, "shard", "%u", o->shards > 1 ? o->shard : 1);
    runfile_factf(f, "shards", "%u", o->shards > 1 ? o->shards : 1);
    const int of = e->goals.of; // a report of before has no such words
    runfile_factf(f, "measure",
        "precision %g%s%s, samples %d to %d, at most %g s, at least %g s a sample, warmup %d, contexts %d%s",
        e->goals.precision, of ? " of " : "", of ? e->kernel->reports[of - 1].name : "", e->goals.min_samples,
        e->goals.max_samples, e->goals.max_time, e->goals.min_sample, e->goals.warmup, e->goals.contexts,
        o->rounds > 1 ? ", in each several visits of each point, there and back" : "");
    struct arena *a = arena_new();
    const char *traits = traits_print(e, a);
    if (traits) runfile_fact(f, "device_traits", traits);
    arena_free(a);
    struct str names = {0}, files = {0};
    for (size_t i = 0; i < e->kernel_count; i++) {
        str_addf(&names, "%s%s", i ? ", " : "", e->kernels[i]->name);
        str_addf(&files, "%s%s", i ? ", " : "", e->kernels[i]->path);
        snprintf(name, sizeof name, "kernel_file_%zu", i);
        if (e->kernel_count > 1) runfile_fact(f, name, e->kernels[i]->path);
    }
    runfile_fact(f, "kernel", names.text);
    runfile_fact(f, "kernel_file", files.text);
    str_release(&names);
    str_release(&files);
    record_text(e, hash);
    runfile_fact(f, "kernel_hash", hash);
    fingerprint(e->kernel, hash);
    runfile_fact(f, "kernel_fingerprint", hash);
    fill_files(f, e);
    if (plan_script(plan)) runfile_fact(f, "script_file", script_path(plan_script(plan)));
}

// Each with what it includes.
static void kernel_texts(struct runfile *f, const struct experiment *e)
{
    char name[40];
    if (e->kernel_count < 2) runfile_block(f, "kernel_text", e->kernel->source);
    for (size_t i = 0; e->kernel_count > 1 && i < e->kernel_count; i++) {
        snprintf(name, sizeof name, "kernel_text_%zu", i);
        runfile_block(f, name, e->kernels[i]->source);
    }
}

static void device_facts(struct runfile *f, const struct lanes *l, const char *compiler)
{
    LOCAL(str_release) struct str names = {0}, identities = {0};
    for (size_t i = 0; i < l->count; i++) {
        const char *identity = l->items[i].id.identity;
        if (l->items[i].asleep) continue;
        if (identities.text && strstr(identities.text, identity)) continue;
        str_addf(&identities, "%s%s", identities.size ? "; " : "", identity);
    }
    lanes_print(l, &names);
    runfile_fact(f, "device", names.text);
    runfile_fact(f, "device_identity", identities.text);
    for (size_t i = 0; i < l->count; i++) {
        const struct device_identity *id = &l->items[i].id;
        struct str s = {0};
        char name[40];
        if (l->items[i].asleep) continue;
        str_addf(&s, "%s, %s, %s", l->items[i].spec, id->name, id->arch);
        if (isfinite(id->peak_gbps)) str_addf(&s, ", peak %.1f GB/s", id->peak_gbps);
        if (id->memory_total) str_addf(&s, ", %.1f GiB of memory", (double)id->memory_total / 0x1p30);
        snprintf(name, sizeof name, "device_%zu", i);
        runfile_fact(f, name, s.text);
        str_release(&s);
        snprintf(name, sizeof name, "device_limits_%zu", i);
        if (*id->limits) runfile_fact(f, name, id->limits);
    }
    runfile_fact(f, "compiler", compiler);
    runfile_fact(f, "gpuexp", GPUEXP_VERSION);
}

void record_devices(struct runfile *f, const struct lanes *l, const char *compiler)
{
    LOCAL(str_release) struct str behind = {0};
    if (f->devices_end) {
        str_add(&behind, f->facts.text + f->devices_end);
        f->facts.text[f->facts.size = f->devices_at] = '\0';
    }
    f->devices_at = f->facts.size;
    device_facts(f, l, compiler);
    f->devices_end = f->facts.size;
    if (behind.size) str_add(&f->facts, behind.text);
}

bool record_open(struct runfile *f, const char *report, const struct plan *plan, const struct lanes *l,
    const char *compiler, const struct run_options *o, size_t shard_points, bool has_rows, struct diags *d)
{
    // The text of the kernel may be another: the rows of the old one are put aside.
    static const char *const decides[] = {"device_identity", "compiler", "gpuexp", NULL}, *const nothing[] = {NULL};
    LOCAL(diags_clear) struct diags ignored = {0};
    const char *file = plan_experiment(plan)->file;
    char *text = file && file_exists(file) ? file_read(file, 1 << 24, NULL, &ignored) : NULL, *old;
    bool ok = true;
    runfile_init(f, report);
    experiment_facts(f, plan, o);
    runfile_factf(f, "shard_points", "%zu", shard_points);
    record_devices(f, l, compiler);
    if (text) runfile_block(f, "text", text);
    kernel_texts(f, plan_experiment(plan));
    if (plan_script(plan)) runfile_block(f, "script_text", script_source(plan_script(plan)));
    const size_t errors = diags_errors(d);
    old = o->fresh ? NULL : runfile_load(report, d);
    ok = diags_errors(d) == errors && (!old || runfile_follow(f, old, has_rows ? decides : nothing, d));
    free(old);
    free(text);
    return ok;
}

static const char *const ends[] = {"complete", "stopped by a signal", "stopped: out of time", "aborted"};

bool record_run(struct runfile *f, const struct lanes *l, const struct run_options *o, const struct run_summary *s,
    bool over, struct diags *d)
{
    char host[65] = "unknown", folder[4096] = "", finished[32];
    LOCAL(str_release) struct str devices = {0};
    gethostname(host, sizeof host - 1);
    if (!getcwd(folder, sizeof folder)) folder[0] = '\0';
    if (!over) clock_date(f->started);
    lanes_print(l, &devices);
    runfile_begin(f);
    runfile_run(f, "started", "%s", f->started);
    runfile_run(f, "host", "%s", host);
    runfile_run(f, "pid", "%ld", (long)getpid());
    if (o->job) runfile_run(f, "job", "%s", o->job);
    if (o->command) runfile_run(f, "command", "%s", o->command);
    runfile_run(f, "folder", "%s", folder);
    runfile_run(f, "devices", "%s", devices.text ? devices.text : "");
    runfile_run(f, "kept", "%zu", s->kept);
    if (over) {
        clock_date(finished);
        runfile_run(f, "finished", "%s", finished);
        runfile_run(f, "end", "%s", ends[s->end]);
        runfile_run(f, "measured", "%zu", s->measured);
        runfile_run(f, "left", "%zu", s->left);
        for (int i = 0; status_names[i]; i++) runfile_run(f, status_names[i], "%zu", s->status[i]);
        runfile_run(f, "broken", "%zu", s->broken);
        runfile_run(f, "unchecked", "%zu", s->unchecked);
        runfile_run(f, "processes", "%zu", s->processes);
        for (size_t i = 0; s->claims && s->claims[i]; i++) {
            char name[32];
            snprintf(name, sizeof name, "expectation_%zu", i + 1);
            runfile_run(f, name, "%s", s->claims[i]);
        }
        for (size_t i = 0; s->said && s->said[i]; i++) {
            char name[32];
            snprintf(name, sizeof name, "script_line_%zu", i + 1);
            runfile_run(f, name, "%s", s->said[i]);
        }
        runfile_run(f, "seconds", "%.3f", s->seconds);
        if (s->measured) runfile_run(f, "seconds_a_point", "%.4f", s->seconds / (double)s->measured);
        if (isfinite(s->busy)) runfile_run(f, "busy", "%.3f", s->busy);
        runfile_run(f, "exit", "%d", s->exit_status);
    } else {
        runfile_run(f, "end", "%s", "running");
    }
    return runfile_write(f, d);
}
