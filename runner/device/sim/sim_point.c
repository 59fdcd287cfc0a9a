// Making a point ready on the simulator: code, memory, contents, and what the compiler and the profile's limits say of
// the launch.
// SPDX-License-Identifier: MIT
#include "base/machine.h"
#include "device/host_fill.h"
#include "device/sim/sim_device.h"
#include "device/trial.h"
#include "plan/asks.h"
#include "sim/ops/tensor.h"
#include "spec/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct where nowhere = {0};

// Without a profile, what none of the known devices could.
void sim_limits(const struct sim_device *dev, struct device_limits *l)
{
    *l = (struct device_limits){.memory_of = "this machine", .memory = machine_data_memory()};
    snprintf(l->of, sizeof l->of, "%s", dev->profile ? dev->spec : "a GPU");
    if (dev->profile) snprintf(l->arch, sizeof l->arch, "%s", dev->profile->arch);
    for (const struct profile *p = profiles; p->name; p++) {
        if (dev->profile && p != dev->profile) continue;
        if ((uint64_t)p->limits.threads_per_block > l->threads_per_block)
            l->threads_per_block = (uint64_t)p->limits.threads_per_block;
        if (dev->profile) l->regs_per_block = (uint64_t)p->limits.regs_per_block, l->occupancy = &p->limits;
        if (p->limits.shared_per_block_optin > l->shared_per_block)
            l->shared_per_block = p->limits.shared_per_block_optin;
    }
}

static bool load_code(struct sim_device *dev, const struct job *job, struct diags *d)
{
    const struct compile_options options = {
        dev->profile ? dev->profile->arch : NULL, (int)asks_whole(job, SETTING_MAXREGS, 0)};
    char error[256] = "";
    struct job own = *job; // it only counts what another kernel would check
    own.contract = NULL;
    char *source = compile_source(&own, d);
    if (!source) return false;
    if (dev->module && dev->maxregs == options.maxregs && strcmp(dev->source, source) == 0) {
        free(source);
        sim_reset(dev->module); // what the last point left in variables is no business of this one
        code_notes(dev->code, dev->source, d);
        return true;
    }
    if (dev->module) sim_unload(dev->sim, dev->module);
    code_free(dev->code);
    free(dev->source);
    dev->module = NULL;
    dev->code = NULL;
    dev->source = source;
    dev->maxregs = options.maxregs;
    if (!compile_code(source, job->path, &options, &dev->code, d)) return false;
    code_notes(dev->code, dev->source, d);
    dev->module = sim_load(dev->sim, dev->code->ptx, error);
    if (dev->module && dev->code->cubin) sim_machine(dev->module, dev->code->cubin, dev->code->cubin_bytes, error);
    if (!dev->module) return diag_system(d, NULL, "the simulator cannot read the compiler's PTX: %s", error);
    const char *const given = dev->code->given;
    if (given && !sim_given(dev->module, given + dev->code->given_from, dev->code->given_count, error)) {
        sim_unload(dev->sim, dev->module);
        dev->module = NULL;
        return diag_user(d, nowhere, NULL, "the machine code that is included cannot run here: %s", error);
    }
    dev->given = given;
    return true;
}

static struct sim_kernel *sim_entry(struct sim_device *dev, const char *entry, bool *skip, struct diags *d)
{
    char error[256] = "";
    const struct code_entry *e = code_entry_named(dev->code, entry);
    struct sim_kernel *k = sim_kernel(dev->module, e ? e->name : entry, error);
    if (k) return k;
    if (skip) *skip = sim_unsupported(dev->module);
    diag_user(d, nowhere, NULL, "%s", error);
    return NULL;
}

// What would not launch on the device that the profile stands for is no failure: the limit is named, the point skipped.
static bool within_limits(struct sim_device *dev, const struct job *job, const struct code_entry *e, bool *skip,
    struct diags *d)
{
    struct device_limits limits;
    enum trial_about about;
    const struct job_launch first = job_launch(job, 0);
    sim_limits(dev, &limits);
    *skip = !trial_limits_hold(&limits, job, &first, e, &about, d);
    return !*skip;
}

static void known_facts(struct sim_device *dev, const struct job *job, const struct code_entry *e, double *columns)
{
    const int threads = (int)(job->block[0] * job->block[1] * job->block[2]);
    double percent, bytes = 0;
    for (size_t i = 0; i < job->buffer_count; i++) bytes += (double)job->buffers[i].bytes;
    columns[COLUMN_MEMORY_BYTES] = bytes;
    if (e && e->shared_bytes >= 0) columns[COLUMN_SHARED_BYTES] = (double)e->shared_bytes + job->shared;
    if (!e || e->regs < 0) return; // compiled by clang: nobody has given out registers
    columns[COLUMN_REGS] = e->regs;
    columns[COLUMN_SPILL_BYTES] = e->spill_bytes;
    columns[COLUMN_LOCAL_BYTES] = e->local_bytes;
    if (dev->profile &&
        occupancy_percent(&dev->profile->limits, threads, e->regs, (size_t)e->shared_bytes + job->shared, &percent))
        columns[COLUMN_OCCUPANCY_PCT] = percent;
}

void sim_blocks_release(struct sim_device *dev, bool all)
{
    for (struct sim_block **at = &dev->blocks, *b; (b = *at);) {
        if (b->used && !all) {
            at = &b->next;
            continue;
        }
        *at = b->next;
        sim_release(dev->sim, b->address);
        free(b);
    }
}

static struct sim_block *allocate(struct sim_device *dev, uint64_t bytes, const char *name, struct diags *d)
{
    const uint64_t address = sim_alloc(dev->sim, bytes ? (size_t)bytes : 1, name);
    if (!address) {
        diag_system(d, "smaller sizes need less",
            "no memory here for `%s`: %llu bytes; the data of a point may take %llu", name, (unsigned long long)bytes,
            (unsigned long long)machine_data_memory());
        return NULL;
    }
    struct sim_block *b = mem_alloc(sizeof *b);
    *b = (struct sim_block){.address = address, .bytes = bytes, .used = true, .next = dev->blocks};
    dev->blocks = b;
    return b;
}

static void *host(struct sim_device *dev, const struct sim_block *b)
{
    return sim_host(dev->sim, b->address, b->bytes ? (size_t)b->bytes : 1);
}

static bool fill_by_code(struct sim_device *dev, const struct job *job, size_t buffer, uint64_t seed, bool *skip,
    struct diags *d)
{
    const struct job_buffer *b = &job->buffers[buffer];
    const char *entry = arena_printf(dev->arena, "gpuexp_fill_%s", b->name);
    struct sim_kernel *k = sim_entry(dev, entry, skip, d);
    struct pack_value *values = arena_alloc(dev->arena, (job->scalar_count + 3) * sizeof *values);
    size_t n = 0;
    if (!k) return false;
    values[n++] =
        (struct pack_value){.name = b->name, .is_address = true, .address = dev->point.buffers[buffer].block->address};
    values[n++] = (struct pack_value){.name = "n", .value = value_int((int64_t)b->count)};
    values[n++] = (struct pack_value){.name = "seed", .value = value_int((int64_t)host_fill_by(b, seed))};
    for (size_t i = 0; i < job->scalar_count; i++) {
        const struct value v = job->scalars[i].value;
        if (v.kind == VALUE_INT || v.kind == VALUE_REAL || v.kind == VALUE_BOOL)
            values[n++] = (struct pack_value){.name = job->scalars[i].name, .value = v};
    }
    return sim_run_generated(dev, k, entry, b->count, values, n, d);
}

// Read-only contents that the last point left are taken over before anything else is given back.
static void take_kept(struct sim_device *dev, const struct job *job)
{
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct job_buffer *b = &job->buffers[i];
        const uint64_t content = b->access == ACCESS_READ ? host_fill_content(b) : 0;
        struct sim_block *kept = content ? dev->blocks : NULL;
        while (kept && (kept->used || kept->content != content || kept->bytes != b->bytes)) kept = kept->next;
        if (!kept) continue;
        kept->used = true;
        dev->point.buffers[i].block = kept;
    }
    sim_blocks_release(dev, false);
}

static bool asks_before(const struct job *job, size_t buffer)
{
    struct compile_argument take[256];
    const size_t n = job->check ? compile_check_arguments(job, take, 256) : 0;
    for (size_t i = 0; i < n && i < 256; i++)
        if (take[i].take == TAKE_BEFORE && take[i].index == buffer) return true;
    return false;
}

// `seed` 0: as the point has it.
static bool fill(struct sim_device *dev, const struct job *job, size_t i, uint64_t seed, bool *skip, struct diags *d)
{
    struct job_buffer b = job->buffers[i];
    void *to = host(dev, dev->point.buffers[i].block);
    b.seed ^= seed;
    switch (b.fill) {
    case FILL_NONE:
        host_fill_poison(&b, to, dev->threads);
        sim_undefine(dev->sim, dev->point.buffers[i].block->address);
        break;
    case FILL_FILE: return host_file_fill(&b, to, d);
    case FILL_CODE: return fill_by_code(dev, job, i, seed, skip, d);
    case FILL_RANDOM:
    case FILL_INDEX:
    case FILL_CYCLE: host_fill_buffer(&b, to, dev->threads); break;
    }
    return true;
}

bool sim_refill(struct sim_device *dev, uint64_t seed, struct diags *d)
{
    const struct job *job = dev->point.job;
    bool skip;
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct job_buffer *b = &job->buffers[i];
        struct sim_buffer *s = &dev->point.buffers[i];
        s->block->content = 0;
        if (!fill(dev, job, i, seed, &skip, d)) return false;
        if (sim_layout_shaped(b)) sim_layout_copy(dev, b, s, true);
        if (s->before) memcpy(host(dev, s->before), host(dev, s->block), (size_t)b->bytes);
    }
    return true;
}

static bool make_buffer(struct sim_device *dev, const struct job *job, size_t i, bool *skip, struct diags *d)
{
    const struct job_buffer *b = &job->buffers[i];
    struct sim_buffer *s = &dev->point.buffers[i];
    if (!s->block) {
        if (!(s->block = allocate(dev, b->bytes, b->name, d))) return false;
        if (!fill(dev, job, i, 0, skip, d)) return false;
        if (b->access == ACCESS_READ) s->block->content = host_fill_content(b);
    }
    s->address = s->block->address;
    if (sim_layout_texture(b)) s->address = s->texture = sim_layout_object(dev, job, b, s->block->address);
    if (sim_layout_shaped(b)) {
        const struct sim_block *rows = sim_layout_pitched(b) ? allocate(dev, sim_layout_bytes(b), b->name, d) : NULL;
        s->address = rows ? rows->address : sim_layout_pitched(b) ? 0 : sim_layout_variable(dev, b, d);
        if (!s->address) return false;
        sim_layout_copy(dev, b, s, true);
    }
    if (b->access != ACCESS_BOTH || !asks_before(job, i)) return true;
    if (!(s->before = allocate(dev, b->bytes, arena_printf(dev->arena, "%s_before", b->name), d))) return false;
    memcpy(host(dev, s->before), host(dev, s->block), (size_t)b->bytes);
    return true;
}

// A tensor map, or its address, where it lies in memory.
static void make_map(struct sim_device *dev, const struct job_argument *a, struct pack_value *v)
{
    struct sim_point *p = &dev->point;
    LOCAL(diags_clear) struct diags ignored = {0};
    v->bytes = sim_layout_tensor(dev, &p->job->buffers[a->buffer], &p->buffers[a->buffer], a);
    v->size = SIM_TENSOR_BYTES;
    const struct sim_block *in = strchr(a->type, '*') ? allocate(dev, SIM_TENSOR_BYTES, a->name, &ignored) : NULL;
    if (in) memcpy(host(dev, in), v->bytes, SIM_TENSOR_BYTES);
    v->is_address = in != NULL;
    v->address = in ? in->address : 0;
}

// The arguments that C++ on the device makes, one after the other; NULL where there are none.
static bool make_values(struct sim_device *dev, const struct job *job, const char **made, struct diags *d)
{
    struct pack_value *values =
        arena_alloc(dev->arena, (job->buffer_count + job->scalar_count + job->map_count + 1) * sizeof *values);
    const size_t count = job_made(job);
    size_t n = 0;
    if (!count) return true;
    struct sim_kernel *k = sim_entry(dev, "gpuexp_arguments", NULL, d);
    const struct sim_block *out = k ? allocate(dev, count * COMPILE_MADE_BYTES, "arguments", d) : NULL;
    if (!out) return false;
    for (size_t i = 0; i < job->buffer_count; i++)
        values[n++] = (struct pack_value){
            .name = job->buffers[i].name, .is_address = true, .address = dev->point.buffers[i].address};
    for (size_t i = 0; i < job->scalar_count; i++) {
        const struct value v = job->scalars[i].value;
        if (v.kind == VALUE_INT || v.kind == VALUE_REAL || v.kind == VALUE_BOOL)
            values[n++] = (struct pack_value){.name = job->scalars[i].name, .value = v};
    }
    for (size_t i = 0; i < job->map_count; i++) {
        values[n] = (struct pack_value){.name = job->maps[i].name};
        make_map(dev, &job->maps[i], &values[n++]);
    }
    values[n++] = (struct pack_value){.name = "out", .is_address = true, .address = out->address};
    *made = host(dev, out);
    return sim_run_generated(dev, k, "gpuexp_arguments", 1, values, n, d);
}

static bool find_word(void *context, bool map, size_t which, void *to)
{
    struct sim_device *dev = context;
    struct pack_value v = {0};
    if (map) make_map(dev, &dev->point.job->maps[which], &v);
    memcpy(to, map ? v.bytes : &dev->point.buffers[which].address, map ? (size_t)PACK_MAP : sizeof(uint64_t));
    return true;
}

// What the host's code gave; no parameter is longer.
static const void *find_words(struct sim_device *dev, const char *words)
{
    const size_t size = (strlen(words) / 2 + 1) * PACK_MAP;
    void *to = arena_alloc(dev->arena, size);
    pack_words(words, to, size, find_word, dev);
    return to;
}

static bool make_params(struct sim_device *dev, const struct job_launch *l, const char *made, struct sim_prepared *out,
    struct diags *d)
{
    struct sim_point *p = &dev->point;
    struct pack_value *values = arena_alloc(dev->arena, (l->argument_count + 1) * sizeof *values);
    for (size_t i = 0; i < l->argument_count; i++) {
        const struct job_argument *a = &l->arguments[i];
        values[i] = (struct pack_value){.name = a->name,
            .is_address = (a->buffer >= 0 && a->part == PART_ADDRESS) || a->report >= 0,
            .value = a->value,
            .type = a->type};
        if (a->code) values[i].bytes = made + COMPILE_MADE_BYTES * a->made;
        else if (a->words) values[i].bytes = find_words(dev, a->words);
        else if (a->part == PART_TENSOR) make_map(dev, a, &values[i]);
        else if (a->buffer >= 0 && a->part != PART_ADDRESS) {
            const struct job_buffer *b = &p->job->buffers[a->buffer];
            const uint64_t pitch = sim_layout_pitch(b);
            values[i].value = value_int((int64_t)(a->part == PART_PITCH ? pitch : pitch * b->extent[1]));
        } else if (a->buffer >= 0) values[i].address = p->buffers[a->buffer].address + a->offset;
        else if (a->report >= 0) values[i].address = p->reports[a->report];
    }
    const struct code_entry *entry = code_entry_named(dev->code, l->entry);
    return pack_params(dev->code->ptx, entry ? entry->name : l->entry, values, l->argument_count, dev->arena,
        &out->params, &out->param_bytes, d);
}

static bool make_launches(struct sim_device *dev, const struct job *job, bool *skip, struct diags *d)
{
    struct sim_point *p = &dev->point;
    const char *made = NULL;
    if (!make_values(dev, job, &made, d)) return false;
    p->launches = arena_alloc(dev->arena, job_launches(job) * sizeof *p->launches);
    for (size_t i = 0; i < job_launches(job); i++) {
        const struct job_launch l = job_launch(job, i);
        struct sim_prepared *own = &p->launches[i];
        own->machine = dev->machine ? sim_machine_entry(dev, l.entry) : NULL;
        if (!(own->kernel = sim_entry(dev, l.entry, skip, d)) || !make_params(dev, &l, made, own, d)) return false;
    }
    return true;
}

bool sim_prepare(struct sim_device *dev, const struct job *job, double *columns, bool *skip, struct diags *d)
{
    struct sim_point *p = &dev->point;
    *skip = false;
    *p = (struct sim_point){.job = job};
    dev->arena = arena_new();
    p->buffers = arena_alloc(dev->arena, (job->buffer_count + 1) * sizeof *p->buffers);
    p->reports = arena_alloc(dev->arena, (job->report_count + 1) * sizeof *p->reports);
    if (!load_code(dev, job, d)) return false;
    const struct code_entry *e = code_entry_named(dev->code, job->entry);
    const struct sim_kernel *k = sim_entry(dev, job->entry, skip, d);
    struct code_entry declared; // what the code says by itself, where no ptxas was asked
    if (k && e && e->shared_bytes < 0) {
        declared = *e;
        declared.shared_bytes = (int)sim_kernel_shared(k);
        e = &declared;
    }
    known_facts(dev, job, e, columns);
    if (!k) return false;
    if (job->check && !(p->check = sim_entry(dev, "gpuexp_check", skip, d))) return false;
    if (!within_limits(dev, job, e, skip, d)) return false;
    take_kept(dev, job);
    for (size_t i = 0; i < job->buffer_count; i++)
        if (!make_buffer(dev, job, i, skip, d)) return false;
    for (size_t i = 0; i < job->report_count; i++) {
        struct sim_block *b = allocate(dev, 16, job->reports[i].name, d);
        if (!b) return false;
        memset(host(dev, b), 0, 16); // a kernel may add to it
        p->reports[i] = b->address;
    }
    return make_launches(dev, job, skip, d);
}

// Contents that can be wanted again stay until the next point is known; the rest goes now.
void sim_finish(struct sim_device *dev)
{
    for (size_t i = 0; dev->point.buffers && i < dev->point.job->buffer_count; i++)
        sim_texture_release(dev->sim, dev->point.buffers[i].texture);
    for (struct sim_block *b = dev->blocks; b; b = b->next) b->used = b->content != 0;
    sim_blocks_release(dev, false);
    for (struct sim_block *b = dev->blocks; b; b = b->next) b->used = false;
    sim_unwatch(dev->sim);
    arena_free(dev->arena);
    dev->arena = NULL;
    dev->point = (struct sim_point){0};
}
