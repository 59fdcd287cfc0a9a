// Makes a point ready to measure: every expression of the kernel file becomes a number, every name of its signature a
// value, and what no device could run is refused here, with the point and the reason.
// SPDX-License-Identifier: MIT
#include "plan/job.h"

#include "plan/asks.h"
#include "plan/sizes.h"

#include <math.h>
#include <string.h>

enum { THREADS_MOST = 1024, BLOCK_Z_MOST = 64, GRID_YZ_MOST = 65535 };
#define GRID_X_MOST 0x7fffffffu

// A value from a script may be anything; one from the file was checked when it was read.
static bool check_param(const struct expr_site *s, const struct param *p, struct value *v)
{
    struct where at = s->plan->e->script ? s->plan->e->script_at : p->at;
    double x, limit;
    if (v->kind == VALUE_NONE)
        return sizes_wrong(s, p->at, "`%s` has no value: the kernel has no default for it", p->name);
    if (p->is_text ? v->kind != VALUE_TEXT : v->kind == VALUE_BOOL || !value_number(*v, &x))
        return sizes_wrong(s, at, "`%s` takes a %s", p->name, p->is_text ? "name" : "number");
    if (v->kind == VALUE_REAL && !p->is_real) {
        if (v->r != floor(v->r) || fabs(v->r) >= 0x1p63)
            return sizes_wrong(s, at, "`%s` = %g is not a whole number", p->name, v->r);
        *v = value_int((int64_t)v->r);
    }
    if (p->is_real && v->kind == VALUE_INT) *v = value_real((double)v->i);
    if (!p->is_text && p->has_min && value_number(p->min, &limit) && x < limit)
        return sizes_wrong(s, at, "`%s` = %g is below %g", p->name, x, limit);
    if (!p->is_text && p->has_max && value_number(p->max, &limit) && x > limit)
        return sizes_wrong(s, at, "`%s` = %g is above %g", p->name, x, limit);
    bool listed = !p->one_of;
    for (size_t i = 0; p->one_of && i < p->one_of->count; i++) listed |= value_equal(*v, p->one_of->items[i]);
    return listed || sizes_wrong(s, at, "`%s` is not one of the values that the kernel lists", p->name);
}

// The type that `check` or the entry gives an argument, for the generated code; "" where neither takes it.
static const char *declared_type(const struct kernel *k, const struct function *entry, const char *name)
{
    const struct function *const takers[] = {entry, k->check};
    for (int t = 0; t < 2; t++)
        for (size_t i = 0; takers[t] && i < takers[t]->count; i++)
            if (strcmp(takers[t]->arguments[i].name, name) == 0) return takers[t]->arguments[i].type;
    return "";
}

static bool set_params(const struct expr_site *s, struct job *job, const struct function **entry)
{
    const struct kernel *k = s->plan->e->kernel;
    struct job_constant *constants = arena_alloc(s->arena, k->param_count * sizeof *constants);
    struct job_argument *scalars = arena_alloc(s->arena, k->param_count * sizeof *scalars);
    bool good = true;
    job->entry = k->entry;
    for (size_t i = 0; i < k->param_count; i++) {
        const struct param *p = &k->params[i];
        struct value v;
        sizes_value(s, p->name, &v);
        if (!check_param(s, p, &v)) {
            good = false;
            continue;
        }
        v = value_copy(v, s->arena);
        if (p->kind == PARAM_VARIANT) job->entry = arena_printf(s->arena, "%s_%s", k->entry, v.text);
        else if (p->kind == PARAM_ARGUMENT)
            scalars[job->scalar_count++] =
                (struct job_argument){.buffer = -1, .report = -1, .value = v, .name = p->name, .type = ""};
        else
            constants[job->constant_count++] =
                (struct job_constant){p->kind, p->name, v, p->is_text ? p->one_of : NULL};
    }
    *entry = kernel_function(k, job->entry);
    if (good && !*entry)
        good = sizes_wrong(s, (struct where){.file = k->path}, "the source has no kernel `%s`", job->entry);
    for (size_t i = 0; i < job->scalar_count; i++) scalars[i].type = declared_type(k, *entry, scalars[i].name);
    job->constants = constants;
    job->scalars = scalars;
    return good;
}

static void set_settings(const struct expr_site *s, struct job *job)
{
    for (int i = 0; i < SETTING_COUNT; i++) {
        struct value v;
        sizes_value(s, setting_table[i].name, &v);
        job->settings[i] = value_copy(v, s->arena);
    }
}

// The element type: a parameter's value or what the file says.
static const char *element_type(const struct job *job, const char *type)
{
    for (size_t i = 0; i < job->constant_count; i++)
        if (job->constants[i].kind == PARAM_TYPE && strcmp(job->constants[i].name, type) == 0)
            return job->constants[i].value.text;
    return type;
}

static enum fill fill_of(const struct buffer *b)
{
    static const char *const names[] = {"random", "index", "cycle", "code", NULL};
    for (int i = 0; b->fill && names[i]; i++)
        if (strcmp(b->fill, names[i]) == 0) return (enum fill)(FILL_RANDOM + i);
    return FILL_NONE;
}

static bool set_extent(const struct expr_site *s, const struct buffer *b, struct job_buffer *out)
{
    const struct source_expr *const all[] = {&b->count, &b->rows, &b->planes};
    const char *what = arena_printf(s->arena, "the count of buffer `%s`", b->name);
    out->count = 1;
    for (int i = 0; i < 3; i++) {
        out->extent[i] = 1;
        if (!all[i]->text) continue;
        out->rank = i + 1;
        if (!sizes_whole(s, all[i], what, 1, &out->extent[i])) return false;
        if (__builtin_mul_overflow(out->count, out->extent[i], &out->count))
            return sizes_wrong(s, b->count.at, "buffer `%s`: more elements than can be counted", b->name);
    }
    return true;
}

static bool set_buffer(const struct expr_site *s, const struct job *job, const struct buffer *b, struct job_buffer *out)
{
    struct value memory;
    out->name = b->name;
    out->type = element_type(job, b->type);
    out->element_bytes = kernel_type_size(out->type);
    out->scalar = kernel_type_scalar(out->type, &out->lanes);
    out->access = b->access;
    out->fill = fill_of(b);
    out->step = 1;
    sizes_value(s, arena_printf(s->arena, "memory.%s", b->name), &memory);
    if (memory.kind != VALUE_TEXT) memory = job->settings[SETTING_MEMORY];
    out->memory = memory.kind == VALUE_TEXT ? value_copy(memory, s->arena).text : "device";
    if (!out->element_bytes) return sizes_wrong(s, b->at, "buffer `%s`: unknown type `%s`", b->name, out->type);
    if (!set_extent(s, b, out)) return false;
    const char *what = arena_printf(s->arena, "the step of buffer `%s`", b->name);
    if (b->step.text && !sizes_whole(s, &b->step, what, 1, &out->step)) return false;
    if (__builtin_mul_overflow(out->count, out->element_bytes, &out->bytes) || out->bytes > INT64_MAX)
        return sizes_wrong(s, b->count.at,
            "buffer `%s`: %llu elements of %llu bytes are more than memory can be addressed", b->name,
            (unsigned long long)out->count, (unsigned long long)out->element_bytes);
    return true;
}

static bool set_buffers(const struct expr_site *s, struct job *job)
{
    const struct kernel *k = s->plan->e->kernel;
    struct job_buffer *buffers = arena_alloc(s->arena, k->buffer_count * sizeof *buffers);
    bool good = true;
    uint64_t total = 0;
    for (size_t i = 0; i < k->buffer_count; i++) {
        if (!set_buffer(s, job, &k->buffers[i], &buffers[i])) good = false;
        else if (__builtin_add_overflow(total, 2 * buffers[i].bytes, &total) || total > INT64_MAX)
            return sizes_wrong(s, k->buffers[i].at, "the buffers together are larger than memory can be addressed");
    }
    job->buffers = buffers;
    job->buffer_count = k->buffer_count;
    return good;
}

// `pitch` without a buffer's name is for all buffers: it must be the same for all.
static bool one_pitch(const struct expr_site *s, const struct function *entry, const struct job *job)
{
    const struct job_buffer *first = NULL;
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct job_buffer *b = &job->buffers[i];
        if (b->rank < 2) continue;
        if (!first) first = b;
        const bool same = b->extent[0] * b->element_bytes == first->extent[0] * first->element_bytes &&
            b->extent[1] == first->extent[1];
        if (!same || strcmp(b->memory, first->memory) != 0)
            return sizes_wrong(s, (struct where){.file = s->plan->e->kernel->path, .line = entry->line, .column = 1},
                "`pitch` is not the same for `%s` and `%s`: take `%s_pitch` and `%s_pitch`", first->name, b->name,
                first->name, b->name);
    }
    return true;
}

// How the entry takes a buffer decides in which memory it can be: by a pointer, as a texture, or not at all (a
// variable).
static bool match_memory(const struct expr_site *s, const struct function *entry, struct job *job)
{
    struct job_buffer *buffers = (struct job_buffer *)job->buffers; // completed here
    const struct where at = {.file = s->plan->e->kernel->path, .line = entry->line, .column = 1};
    for (size_t i = 0; i < job->buffer_count; i++) {
        struct job_buffer *b = &buffers[i];
        const char *type = NULL;
        struct value own;
        for (size_t k = 0; k < entry->count; k++)
            if (strcmp(entry->arguments[k].name, b->name) == 0) type = entry->arguments[k].type;
        const bool variable = asks_memory_of(b, "constant") || asks_memory_of(b, "symbol");
        const bool texture = asks_memory_of(b, "texture"), takes_texture = type && strstr(type, "cudaTextureObject_t");
        sizes_value(s, arena_printf(s->arena, "memory.%s", b->name), &own);
        if (takes_texture && !texture && own.kind != VALUE_TEXT) b->memory = "texture";
        else if (takes_texture != texture)
            return sizes_wrong(s, at, "`%s` %s `%s` as a texture: `memory.%s` is %s", entry->name,
                takes_texture ? "takes" : "does not take", b->name, b->name, b->memory);
        if (type && variable)
            return sizes_wrong(s, at, "`%s` takes `%s`: `memory.%s: %s` is for a variable of the source", entry->name,
                b->name, b->name, b->memory);
    }
    return true;
}

// The bytes that a timed copy moves; of launches at once, the sum of all.
static double moved(const struct job *job)
{
    const bool round = asks_is(job, SETTING_TIMED, "roundtrip");
    const bool up = round || asks_is(job, SETTING_TIMED, "upload");
    const bool down = round || asks_is(job, SETTING_TIMED, "download");
    const bool fetch = asks_is(job, SETTING_TIMED, "prefetch_host");
    double bytes = 0;
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct job_buffer *b = &job->buffers[i];
        if (up && b->access != ACCESS_WRITE) bytes += (double)b->bytes;
        if (down && b->access != ACCESS_READ) bytes += (double)b->bytes;
        if (fetch && asks_memory_of(b, "managed")) bytes += (double)b->bytes;
    }
    return up || down || fetch ? bytes : job->useful_bytes * asks_number(job, SETTING_STREAMS, 1);
}

static bool set_arguments(const struct expr_site *s, const struct function *entry, struct job *job)
{
    const struct kernel *k = s->plan->e->kernel;
    struct job_argument *arguments = arena_alloc(s->arena, entry->count * sizeof *arguments);
    for (size_t i = 0; i < entry->count; i++) {
        const char *name = entry->arguments[i].name;
        struct job_argument *a = &arguments[i];
        bool found = false, slice;
        const struct buffer *pitched = kernel_param(k, name) ? NULL : kernel_pitch(k, name, &slice);
        *a = (struct job_argument){.buffer = -1, .report = -1, .name = name, .type = entry->arguments[i].type};
        if (pitched) {
            found = true;
            a->buffer = (int)(pitched - k->buffers);
            a->part = slice ? PART_SLICE : PART_PITCH;
            if (strncmp(name, pitched->name, strlen(pitched->name)) != 0 && !one_pitch(s, entry, job)) return false;
        }
        for (size_t b = 0; b < k->buffer_count; b++)
            if (strcmp(k->buffers[b].name, name) == 0) a->buffer = (int)b, found = true;
        for (size_t r = 0; r < k->report_count; r++)
            if (strcmp(k->reports[r].name, name) == 0) a->report = (int)r, found = true;
        for (size_t v = 0; v < job->scalar_count; v++)
            if (strcmp(job->scalars[v].name, name) == 0) a->value = job->scalars[v].value, found = true;
        if (!found)
            return sizes_wrong(s, (struct where){.file = k->path, .line = entry->line, .column = 1},
                "`%s` takes `%s`, which is not a buffer, parameter or report", entry->name, name);
    }
    job->arguments = arguments;
    job->argument_count = entry->count;
    return true;
}

// 1 to 3 whole numbers; missing ones are 1.
static bool dimensions(const struct expr_site *s, struct value v, const char *name, uint64_t out[3])
{
    struct where at = s->plan->e->with.at;
    struct value one[1] = {v};
    const struct value *items = v.kind == VALUE_LIST ? v.list->items : one;
    size_t n = v.kind == VALUE_LIST ? v.list->count : 1;
    if (n < 1 || n > 3) return sizes_wrong(s, at, "`%s` takes one to three numbers", name);
    for (size_t i = 0; i < 3; i++) {
        double x = 1;
        bool number = i >= n || (items[i].kind != VALUE_BOOL && value_number(items[i], &x));
        if (!number || x < 1 || x != floor(x) || x >= 0x1p53)
            return sizes_wrong(s, at, "`%s` takes whole numbers of at least 1", name);
        out[i] = (uint64_t)x;
    }
    return true;
}

static bool set_block(const struct expr_site *s, struct job *job)
{
    struct where at = s->plan->e->with.at;
    uint64_t block[3];
    if (!dimensions(s, job->settings[SETTING_BLOCK], "block", block)) return false;
    if (block[0] > THREADS_MOST || block[1] > THREADS_MOST || block[2] > BLOCK_Z_MOST ||
        block[0] * block[1] * block[2] > THREADS_MOST)
        return sizes_wrong(s, at, "a block of %llu x %llu x %llu threads; the most are %d in all and %d in z",
            (unsigned long long)block[0], (unsigned long long)block[1], (unsigned long long)block[2], THREADS_MOST,
            BLOCK_Z_MOST);
    for (int i = 0; i < 3; i++) job->block[i] = (uint32_t)block[i];
    return true;
}

static bool set_grid(const struct expr_site *s, struct job *job)
{
    static const char *const what[] = {
        "the number of threads in x", "the number of threads in y", "the number of threads in z"};
    const struct kernel *k = s->plan->e->kernel;
    struct where at = k->threads[0].text ? k->threads[0].at : (struct where){.file = k->path};
    uint64_t grid[3];
    if (job->settings[SETTING_GRID].kind != VALUE_NONE) {
        at = s->plan->e->with.at;
        if (!dimensions(s, job->settings[SETTING_GRID], "grid", grid)) return false;
    } else {
        for (int i = 0; i < 3; i++) {
            uint64_t threads = 1;
            if (k->threads[i].text && !sizes_whole(s, &k->threads[i], what[i], 1, &threads)) return false;
            grid[i] = threads / job->block[i] + (threads % job->block[i] != 0);
        }
    }
    if (grid[0] > GRID_X_MOST || grid[1] > GRID_YZ_MOST || grid[2] > GRID_YZ_MOST)
        return sizes_wrong(s, at, "a grid of %llu x %llu x %llu blocks; the most are %u x %d x %d",
            (unsigned long long)grid[0], (unsigned long long)grid[1], (unsigned long long)grid[2], GRID_X_MOST,
            GRID_YZ_MOST, GRID_YZ_MOST);
    for (int i = 0; i < 3; i++) job->grid[i] = (uint32_t)grid[i];
    return true;
}

static bool set_shared(const struct expr_site *s, struct job *job)
{
    const struct source_expr *own = &s->plan->e->kernel->shared;
    uint64_t bytes = 0;
    const double extra = asks_number(job, SETTING_SHARED, 0);
    if (own->text && !sizes_whole(s, own, "`shared`", 0, &bytes)) return false;
    if (extra < 0 || extra != floor(extra) || bytes > UINT32_MAX || (double)bytes + extra > UINT32_MAX)
        return sizes_wrong(s, own->at, "%g bytes of shared memory a block", (double)bytes + extra);
    job->shared = (uint32_t)bytes + (uint32_t)extra;
    return true;
}

static bool set_check(const struct expr_site *s, struct job *job)
{
    const struct kernel *k = s->plan->e->kernel;
    job->check = k->check;
    if (!k->check) return true;
    if (k->checks.text) return sizes_whole(s, &k->checks, "`checks`", 1, &job->check_count);
    for (size_t i = 0; i < job->buffer_count; i++) {
        if (job->buffers[i].access == ACCESS_READ) continue;
        job->check_count = job->buffers[i].count;
        return true;
    }
    return sizes_wrong(s, (struct where){.file = k->path, .line = k->check->line, .column = 1},
        "`check` has nothing to count by: no buffer is written and there is no `checks`");
}

bool job_make(const struct plan *plan, const struct value *values, struct arena *a, struct job *job, struct diags *d)
{
    const struct experiment *e = plan->e;
    const struct kernel *k = e->kernel;
    const struct expr_site s = {plan, values, a, d};
    const struct function *entry;
    *job = (struct job){.experiment = e->name,
        .kernel = k->name,
        .path = k->path,
        .source = k->source,
        .reports = k->reports,
        .report_count = k->report_count,
        .goals = e->goals,
        .useful_bytes = NAN,
        .flops = NAN};
    if (!set_params(&s, job, &entry)) return false;
    set_settings(&s, job);
    bool good = set_buffers(&s, job);
    good = good && set_arguments(&s, entry, job) && match_memory(&s, entry, job);
    good &= set_block(&s, job) && set_grid(&s, job);
    good &= set_shared(&s, job);
    good &= sizes_number(&s, &k->useful, "`useful`", &job->useful_bytes);
    good &= sizes_number(&s, &k->flops, "`flops`", &job->flops);
    if (good) job->useful_bytes = moved(job);
    return good && set_check(&s, job);
}

uint64_t job_memory(const struct job *job)
{
    uint64_t total = 0;
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct job_buffer *b = &job->buffers[i];
        total += b->bytes;
        if (job->check && b->access == ACCESS_BOTH) total += b->bytes; // the content before
        if (b->memory && strcmp(b->memory, "pitched") == 0)            // made and checked in a flat block beside it
            total += b->extent[1] * b->extent[2] * ((b->extent[0] * b->element_bytes + 511) / 512 * 512);
    }
    return total;
}
