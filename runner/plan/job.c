// Makes a point ready to measure: every expression of the kernel file becomes a number, every name of its signature a
// value, and what no device could run is refused here, with the point and the reason.
// SPDX-License-Identifier: MIT
#include "plan/job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/asks.h"
#include "plan/eval.h"
#include "spec/scalar.h"

// The row's key: a hash of what decides the number, so that a run finds the rows it need not measure again.

// Left out: `device` (the identity says which one it was, however it was asked for) and `timeout` (a row that exists
// was in time). The goals of `measure` are left out too: they decide how precisely the number is known, which the row
// says, not what it is; for a more precise one, start over with --fresh.
static bool decides(enum setting s) { return s != SETTING_DEVICE && s != SETTING_TIMEOUT; }

void job_key(const struct job *job, const char *device_identity, const char *version, char text[17])
{
    struct hash h;
    char hex[33];
    hash_init(&h);
    hash_text(&h, version);
    hash_text(&h, device_identity);
    hash_text(&h, job->kernel);
    hash_text(&h, job->source); // with the description: sizes, `useful`, checks
    hash_text(&h, job->entry);
    if (job->contract) hash_text(&h, job->contract);
    hash_u64(&h, job->constant_count);
    for (size_t i = 0; i < job->constant_count; i++) {
        hash_text(&h, job->constants[i].name);
        value_hash(job->constants[i].value, &h);
    }
    hash_u64(&h, job->scalar_count);
    for (size_t i = 0; i < job->scalar_count; i++) {
        hash_text(&h, job->scalars[i].name);
        value_hash(job->scalars[i].value, &h);
    }
    for (size_t i = 0; i < job->buffer_count; i++) {
        hash_u64(&h, job->buffers[i].count);
        hash_u64(&h, job->buffers[i].step);
        hash_text(&h, job->buffers[i].memory);
        if (job->buffers[i].file_hash) hash_text(&h, job->buffers[i].file_hash);
    }
    for (int i = 0; i < 3; i++) {
        hash_u64(&h, job->grid[i]);
        hash_u64(&h, job->block[i]);
    }
    hash_u64(&h, job->shared);
    // The arguments of a sequence follow from the source and the parameters.
    for (size_t i = 0; job->launches && i < job->launch_count; i++) {
        hash_text(&h, job->launches[i].entry);
        for (int k = 0; k < 3; k++) hash_u64(&h, (uint64_t)job->launches[i].grid[k] << 32 | job->launches[i].block[k]);
    }
    hash_u64(&h, job->check_count);
    if (job->expect_count) hash_bytes(&h, job->tolerance, sizeof job->tolerance);
    for (enum setting s = 0; s < SETTING_COUNT; s++) { // one that asks for nothing may come or go: keys stay
        if (!decides(s) || value_equal(job->settings[s], setting_default(s))) continue;
        hash_text(&h, setting_table[s].name);
        value_hash(job->settings[s], &h);
    }
    hash_hex(h, hex);
    memcpy(text, hex, 16);
    text[16] = '\0';
}

// How large a launch is: threads a block, blocks, dynamic shared memory. The experiment's word counts first, then the
// kernel's own; what no device could launch is refused.

enum { THREADS_MOST = 1024, BLOCK_Z_MOST = 64, GRID_YZ_MOST = 65535 };
#define GRID_X_MOST 0x7fffffffu

// 1 to 3 whole numbers; those not given are 1. A text is an expression: `block: TB`, `grid: 4 * blocks`.
static bool dimensions(const struct expr_site *s, struct value v, const char *name, uint64_t out[3])
{
    struct where at = plan_where(s->plan->e, name);
    struct value one[1] = {v};
    const struct value *items = v.kind == VALUE_LIST ? v.list->items : one;
    size_t n = v.kind == VALUE_LIST ? v.list->count : 1;
    if (n < 1 || n > 3) return eval_wrong(s, at, "`%s` takes one to three numbers", name);
    for (size_t i = 0; i < 3; i++) {
        double x = 1;
        if (i < n && items[i].kind == VALUE_TEXT) {
            const struct source_expr e = {items[i].text, {.file = at.file, .line = at.line, .column = at.column}};
            if (!eval_whole(s, &e, arena_printf(s->arena, "`%s`", name), 1, &out[i])) return false;
            continue;
        }
        bool number = i >= n || (items[i].kind != VALUE_BOOL && value_number(items[i], &x));
        if (!number || x < 1 || x != floor(x) || x >= 0x1p53)
            return eval_wrong(s, at, "`%s` takes whole numbers of at least 1", name);
        out[i] = (uint64_t)x;
    }
    return true;
}

// The experiment's word, else the kernel's, else the default.
static bool asked(const struct expr_site *s, enum setting which, const struct source_expr own[3], bool first,
    uint64_t out[3], bool *said)
{
    const char *name = setting_table[which].name;
    struct value v;
    *said = true;
    if (!(first && own[0].text) && eval_at(s, which, &v) == EVAL_SAID) return dimensions(s, v, name, out);
    for (int i = 0; i < 3 && own[0].text; i++) {
        out[i] = 1;
        if (own[i].text && !eval_whole(s, &own[i], arena_printf(s->arena, "`%s` in %c", name, "xyz"[i]), 1, &out[i]))
            return false;
    }
    if (own[0].text) return true;
    *said = (v = setting_default(which)).kind != VALUE_NONE;
    return !*said || dimensions(s, v, name, out);
}

static bool set_block(const struct expr_site *s, const struct kernel *k, bool own, struct job *job)
{
    struct where at = plan_where(s->plan->e, "block");
    uint64_t block[3];
    bool said;
    if (!asked(s, SETTING_BLOCK, k->block, own, block, &said)) return false;
    if (!at.line && k->block[0].text) at = k->block[0].at;
    const double all = (double)block[0] * (double)block[1] * (double)block[2];
    if (all > THREADS_MOST)
        return eval_wrong(s, at,
            "a block of %llu x %llu x %llu has %.10g threads, and the most are %d; `where` leaves such points out",
            (unsigned long long)block[0], (unsigned long long)block[1], (unsigned long long)block[2], all,
            THREADS_MOST);
    if (block[2] > BLOCK_Z_MOST)
        return eval_wrong(s, at, "a block of %llu x %llu x %llu threads; the most in z are %d",
            (unsigned long long)block[0], (unsigned long long)block[1], (unsigned long long)block[2], BLOCK_Z_MOST);
    for (int i = 0; i < 3; i++) job->block[i] = (uint32_t)block[i];
    return true;
}

static bool set_grid(const struct expr_site *s, const struct kernel *k, bool own, struct job *job)
{
    static const char *const what[] = {
        "the number of threads in x", "the number of threads in y", "the number of threads in z"};
    struct where at = k->threads[0].text ? k->threads[0].at : (struct where){.file = k->path};
    uint64_t grid[3];
    double wanted = 1;
    bool said;
    if (own && k->threads[0].text) said = false;
    else if (!asked(s, SETTING_GRID, k->grid, own, grid, &said)) return false;
    if (said) at = plan_where(s->plan->e, "grid");
    for (int i = 0; i < 3 && !said; i++) {
        uint64_t threads = 1;
        if (k->threads[i].text && !eval_whole(s, &k->threads[i], what[i], 1, &threads)) return false;
        grid[i] = threads / job->block[i] + (threads % job->block[i] != 0);
        wanted *= (double)threads / ((double)grid[i] * job->block[i]);
    }
    job->beyond = 1 - wanted;
    if (grid[0] > GRID_X_MOST || grid[1] > GRID_YZ_MOST || grid[2] > GRID_YZ_MOST)
        return eval_wrong(s, at, "a grid of %llu x %llu x %llu blocks; the most are %u x %d x %d",
            (unsigned long long)grid[0], (unsigned long long)grid[1], (unsigned long long)grid[2], GRID_X_MOST,
            GRID_YZ_MOST, GRID_YZ_MOST);
    for (int i = 0; i < 3; i++) job->grid[i] = (uint32_t)grid[i];
    return true;
}

static bool set_shared(const struct expr_site *s, const struct kernel *k, struct job *job)
{
    const struct source_expr *own = &k->shared;
    uint64_t bytes = 0;
    const double extra = asks_number(job, SETTING_SHARED, 0);
    if (own->text && !eval_whole(s, own, "`shared`", 0, &bytes)) return false;
    if (extra < 0 || extra != floor(extra) || (double)bytes + extra > UINT32_MAX)
        return eval_wrong(s, own->at, "%g bytes of shared memory a block", (double)bytes + extra);
    job->shared = (uint32_t)bytes + (uint32_t)extra;
    return true;
}

// Block, grid and dynamic shared memory. `own`: what the kernel says counts before the experiment.
static bool launch_shape_set(const struct expr_site *s, const struct kernel *k, bool own, struct job *job)
{
    return set_block(s, k, own, job) && set_grid(s, k, own, job) && set_shared(s, k, job);
}

// The launches of a sequence, written out: one that repeats is there once for each time, with its own `step`, and with
// the names that the buffers have at that time (`swap`).

enum { MOST_LAUNCHES = 20000 };

struct unrolling {
    const struct expr_site *site;
    struct job *job;
    struct kernel kernel; // the point's, its buffers under the names they have now
    struct buffer *buffers;
    struct job_launch *launches;
    size_t count, room;
};

static bool add_launch(struct unrolling *u, const struct expr_site *s, const struct step *step)
{
    struct job *job = u->job;
    struct kernel own = u->kernel;
    const bool shaped = step->grid[0].text || step->threads[0].text;
    if (u->count >= MOST_LAUNCHES)
        return eval_wrong(s, step->at, "the sequence has more than %d launches", MOST_LAUNCHES);
    if (shaped) memcpy(own.grid, step->grid, sizeof own.grid), memcpy(own.threads, step->threads, sizeof own.threads);
    if (step->block[0].text) memcpy(own.block, step->block, sizeof own.block);
    if (step->shared.text) own.shared = step->shared;
    if (step->passed_count) own.passed = step->passed, own.passed_count = step->passed_count;
    job->entry = step->entry;
    job->entry = passing_entry(s, job);
    job->entry_line = step->at.line;
    const struct function *f = kernel_function(&own, job->entry);
    if (!f) return eval_wrong(s, step->at, "the source has no kernel `%s`", step->entry);
    if (!passing_set(s, &own, f, job) || !launch_shape_set(s, &own, shaped || step->block[0].text, job)) return false;
    mem_grow(&u->launches, &u->room, u->count + 1, sizeof *u->launches);
    job->launches = NULL;
    u->launches[u->count++] = job_launch(job, 0);
    return true;
}

static bool swap(struct unrolling *u, const struct expr_site *s, const struct step *step)
{
    for (size_t i = 0; i < step->swap_count; i++) {
        struct buffer *a = (struct buffer *)kernel_buffer(&u->kernel, step->swap[i][0]);
        struct buffer *b = (struct buffer *)kernel_buffer(&u->kernel, step->swap[i][1]);
        const struct job_buffer *x = &u->job->buffers[a - u->buffers], *y = &u->job->buffers[b - u->buffers];
        if (x->bytes != y->bytes)
            return eval_wrong(s, step->at, "`%s` and `%s` swap places and are not of one size", a->name, b->name);
        const char *name = a->name, *as = a->as;
        a->name = b->name, a->as = b->as;
        b->name = name, b->as = as;
    }
    return true;
}

static bool unroll(struct unrolling *u, const int64_t *outer, const struct step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct step *step = &steps[i];
        struct expr_site s = *u->site;
        uint64_t times = 1;
        s.step = outer;
        if (step->repeat.text && !eval_whole(&s, &step->repeat, "`repeat`", 0, &times)) return false;
        if (times > MOST_LAUNCHES)
            return eval_wrong(&s, step->repeat.at, "the sequence has more than %d launches", MOST_LAUNCHES);
        for (int64_t t = 0; t < (int64_t)times; t++) {
            if (step->repeat.text) s.step = &t;
            const bool good = step->entry ? add_launch(u, &s, step) : unroll(u, s.step, step->steps, step->step_count);
            if (!good || !swap(u, &s, step)) return false;
        }
    }
    return true;
}

// Every launch of a sequence, in turn. `entry` is the first one's.
static bool launches_set(const struct expr_site *s, const struct function *entry, struct job *job)
{
    const struct kernel *k = s->kernel;
    struct unrolling u = {.site = s, .job = job, .kernel = *k};
    (void)entry;
    u.buffers = arena_copy(s->arena, k->buffers, k->buffer_count * sizeof *k->buffers);
    u.kernel.buffers = u.buffers;
    bool good = unroll(&u, NULL, k->steps, k->step_count);
    if (good && !u.count) good = eval_wrong(s, k->steps[0].at, "the sequence has no launch");
    struct job_buffer *buffers = (struct job_buffer *)job->buffers; // this file may still change them
    for (size_t i = 0; i < k->buffer_count; i++)
        for (size_t b = 0; b < k->buffer_count; b++)
            if (strcmp(u.buffers[b].name, k->buffers[i].name) == 0) buffers[i].swapped = (int)b - (int)i;
    if (good) {
        const struct job_launch *first = &u.launches[0];
        job->entry = first->entry;
        job->entry_line = first->entry_line;
        job->arguments = first->arguments;
        job->argument_count = first->argument_count;
        job->shared = first->shared;
        memcpy(job->grid, first->grid, sizeof job->grid);
        memcpy(job->block, first->block, sizeof job->block);
        job->launches = arena_copy(s->arena, u.launches, u.count * sizeof *u.launches);
        job->launch_count = u.count;
    }
    free(u.launches);
    return good;
}

// A value from the file was checked when it was read; one from a script may be anything.
static struct where origin(const struct expr_site *s, struct where at)
{
    return s->plan->e->script ? s->plan->e->script_at : at;
}

static bool check_param(const struct expr_site *s, const struct param *p, struct value *v)
{
    struct fits_why why;
    if (v->kind == VALUE_NONE)
        return eval_wrong(s, p->at, "`%s` has no value: the kernel has no default for it", p->name);
    return fits_param(p, s->kernel, v, &why) || eval_refuse(s, origin(s, p->at), *why.hint ? why.hint : NULL, why.what);
}

static bool check_setting(const struct expr_site *s, enum setting setting, const char *name, struct value *v)
{
    struct fits_why why;
    return fits_setting(setting, name, v, UNIT_NONE, &why) ||
        eval_refuse(s, origin(s, plan_where(s->plan->e, name)), *why.hint ? why.hint : NULL, why.what);
}

// The type that `check` or the entry gives an argument, for the generated code; "" where neither takes it.
static const char *declared_type(const struct kernel *k, const struct function *entry, const char *name)
{
    const struct function *const takers[] = {entry, k->check};
    for (int t = 0; t < 2; t++)
        for (size_t i = 0; takers[t] && i < takers[t]->count; i++)
            if (kernel_param_as(k, takers[t]->arguments[i].name) == kernel_param(k, name))
                return takers[t]->arguments[i].type;
    return "";
}

bool (*job_host)(struct job *, struct job_device *, struct arena *, struct diags *);

static uint64_t fact(const struct expr_site *s, enum trait which)
{
    struct value v;
    double number;
    const bool known = eval_at(s, eval_name(s, trait_table[which].name), &v) == EVAL_SAID && value_number(v, &number);
    return known ? (uint64_t)number : 0;
}

// The host's code decides the shape: a block or grid of the experiment's is another answer.
static bool launch_by_host(const struct expr_site *s, struct job *job)
{
    static const enum setting own[] = {SETTING_BLOCK, SETTING_GRID, SETTING_SHARED};
    struct value v;
    for (int i = 0; i < 3; i++)
        if (eval_at(s, own[i], &v) == EVAL_SAID)
            return eval_wrong(s, plan_where(s->plan->e, setting_table[own[i]].name),
                "`%s` goes without `host` of the kernel, whose launches say it", setting_table[own[i]].name);
    if (*asks_text(job, SETTING_COMPILER) && !asks_is(job, SETTING_COMPILER, "nvcc"))
        return eval_wrong(s, plan_where(s->plan->e, "compiler"), "`host` of a kernel is for nvcc: `compiler` is %s",
            asks_text(job, SETTING_COMPILER));
    struct job_device device = {.sms = fact(s, TRAIT_SMS),
        .l2_bytes = fact(s, TRAIT_L2_BYTES),
        .shared_per_sm = fact(s, TRAIT_SHARED_PER_SM),
        .regs_per_sm = fact(s, TRAIT_REGS_PER_SM)};
    job->host = s->kernel->host;
    job->host_line = s->kernel->host_at.line;
    if (!job_host) return eval_wrong(s, s->kernel->host_at, "no host code can run in this program");
    if (!job_host(job, &device, s->arena, s->diags)) return false;
    if (device.cooperative) job->settings[SETTING_COOPERATIVE] = value_bool(true);
    if (!device.cluster[0]) return true;
    struct value_list *list = arena_alloc(s->arena, sizeof *list + 3 * sizeof *list->items);
    for (list->count = 0; list->count < 3; list->count++)
        list->items[list->count] = value_int(device.cluster[list->count]);
    job->settings[SETTING_CLUSTER] = (struct value){VALUE_LIST, {.list = list}};
    return true;
}

static bool set_params(const struct expr_site *s, struct job *job, const struct function **entry)
{
    static const struct function by_host = {.name = "host", .scope = ""};
    const struct kernel *k = s->kernel;
    struct job_constant *constants = arena_alloc(s->arena, k->param_count * sizeof *constants);
    struct job_argument *scalars = arena_alloc(s->arena, k->param_count * sizeof *scalars);
    bool good = true;
    job->entry = k->entry;
    job->entry_line = k->entry_at.line;
    for (size_t i = 0; i < k->param_count; i++) {
        const struct param *p = &k->params[i];
        struct value v;
        if (eval_at(s, EVAL_PARAM(i), &v) == EVAL_TOLD || !check_param(s, p, &v)) {
            good = false;
            continue;
        }
        v = value_copy(v, s->arena);
        if (p->kind == PARAM_VARIANT) {
            if (p->asked) constants[job->constant_count++] = (struct job_constant){PARAM_VARIANT, p->as, v, p->one_of};
            job->entry = arena_printf(s->arena, "%s_%s", k->entry, v.text);
            if (!kernel_function(k, job->entry)) job->entry = v.text;
            job->check = kernel_check(k, v.text);
        } else if (p->kind == PARAM_ARGUMENT)
            scalars[job->scalar_count++] =
                (struct job_argument){.buffer = -1, .report = -1, .value = v, .name = p->name, .as = p->as, .type = ""};
        else constants[job->constant_count++] = (struct job_constant){p->kind, p->as, v, p->is_text ? p->one_of : NULL};
    }
    job->constants = constants;
    job->entry = passing_entry(s, job);
    *entry = k->host ? &by_host : kernel_function(k, job->entry);
    if (good && !*entry)
        good = eval_wrong(s, (struct where){.file = k->path}, "the source has no kernel `%s`", job->entry);
    for (size_t i = 0; i < job->scalar_count; i++) scalars[i].type = declared_type(k, *entry, scalars[i].name);
    job->scalars = scalars;
    return good;
}

static bool set_setting(const struct expr_site *s, enum setting which, struct job *job)
{
    struct value *v = &job->settings[which];
    const enum eval_has has = eval_at(s, which, v);
    if (has != EVAL_SAID) return has != EVAL_TOLD;
    *v = value_copy(*v, s->arena);
    return check_setting(s, which, setting_table[which].name, v);
}

// For what decides the shape of a launch, and nothing before it; of a sequence all is decided together.
static struct expr_site for_shape(const struct expr_site *s)
{
    struct expr_site own = *s;
    if (!s->kernel->step_count && !s->kernel->host) own.what = FOR_SHAPE;
    return own;
}

// What the kernel asks for holds where the experiment asks for nothing.
static bool set_carveout(const struct expr_site *s, struct job *job)
{
    struct value *v = &job->settings[SETTING_CARVEOUT];
    double share;
    if (v->kind == VALUE_INT || v->kind == VALUE_REAL) return true;
    if (!eval_number(s, &s->kernel->carveout, "`carveout`", &share)) return false;
    if (share > 1) return eval_wrong(s, s->kernel->carveout.at, "`carveout` is %g, not a share of at most 1", share);
    if (!isnan(share)) *v = value_real(share);
    return true;
}

static bool set_settings(const struct expr_site *s, struct job *job)
{
    const struct expr_site shape = for_shape(s);
    bool good = true;
    for (enum setting i = 0; i < SETTING_COUNT; i++)
        good &= set_setting(i == SETTING_BLOCK || i == SETTING_GRID ? &shape : s, i, job);
    return good && set_carveout(s, job);
}

// A size that the kernel does not handle would go out of bounds, or be wrong.
static bool meets_needs(const struct expr_site *site, struct job *job)
{
    const struct expr_site own = for_shape(site), *s = &own;
    const struct source_expr *needs = &s->kernel->needs;
    struct value v;
    if (!needs->text) return true;
    if (!eval_expr(s, needs, &v)) return false;
    if (v.kind != VALUE_BOOL) return eval_wrong(s, needs->at, "`needs` is not true or false");
    job->unfit = !v.b;
    return v.b || eval_wrong(s, needs->at, "kernel `%s` needs `%s`", s->kernel->name, needs->text);
}

static bool set_shape(const struct expr_site *s, struct job *job)
{
    const struct expr_site own = for_shape(s);
    return s->kernel->step_count || s->kernel->host || launch_shape_set(&own, s->kernel, false, job);
}

bool job_shape(const struct plan *plan, const struct value *values, struct arena *a, struct diags *d)
{
    const struct expr_site s = {.plan = plan,
        .kernel = points_kernel(plan, values),
        .values = values,
        .arena = a,
        .diags = d,
        .what = FOR_SHAPE};
    struct job job = {0};
    if (s.kernel->step_count || s.kernel->host) return true; // decided with all else
    return set_setting(&s, SETTING_BLOCK, &job) && set_setting(&s, SETTING_GRID, &job) &&
        set_setting(&s, SETTING_SHARED, &job) && meets_needs(&s, &job) && set_shape(&s, &job);
}

// The element type: a parameter's value or what the file says.
static const char *element_type(const struct kernel *k, const struct job *job, const char *type)
{
    const struct param *p = kernel_param(k, type);
    if (p) type = p->as;
    for (size_t i = 0; i < job->constant_count; i++)
        if (job->constants[i].kind == PARAM_TYPE && strcmp(job->constants[i].name, type) == 0)
            return job->constants[i].value.text;
    return type;
}

static enum fill fill_of(const struct buffer *b)
{
    static const char *const names[] = {"random", "index", "cycle", "code", "file", NULL};
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
        if (!eval_whole(s, all[i], what, 1, &out->extent[i])) return false;
        if (__builtin_mul_overflow(out->count, out->extent[i], &out->count))
            return eval_wrong(s, b->count.at, "buffer `%s`: more elements than can be counted", b->name);
    }
    return true;
}

static bool set_buffer(const struct expr_site *s, const struct job *job, const struct buffer *b, struct job_buffer *out)
{
    struct value memory;
    out->name = b->name;
    out->as = b->as;
    out->type = element_type(s->kernel, job, b->type);
    out->element_bytes = kernel_type_size(out->type);
    out->scalar = kernel_type_scalar(out->type, &out->lanes);
    if (!out->element_bytes && b->bytes.text) { // a structure: its bytes are what it is made of
        if (!eval_whole(s, &b->bytes, arena_printf(s->arena, "the bytes of `%s`", b->name), 1, &out->element_bytes))
            return false;
        if (out->element_bytes > 1 << 16)
            return eval_wrong(s, b->bytes.at, "an element of %llu bytes; the most are %d",
                (unsigned long long)out->element_bytes, 1 << 16);
        out->declared = true;
        out->scalar = "unsigned char";
        out->lanes = (int)out->element_bytes;
    }
    out->made = b->made.text;
    out->made_line = b->made.at.line;
    out->low = b->low;
    out->high = b->high;
    out->file = b->file;
    out->file_hash = b->file_hash;
    out->access = b->access;
    out->fill = fill_of(b);
    out->shifts = b->shifts || (s->plan->shifts && (out->fill == FILL_INDEX || (out->fill == FILL_CODE && !b->low)));
    out->step = 1;
    out->shuffled = out->shifts && s->plan->shuffles;
    out->skewed = out->fill == FILL_RANDOM && s->plan->skews;
    if (out->fill == FILL_RANDOM || out->fill == FILL_CYCLE || out->low || out->shifts) out->seed = s->plan->seed;
    const size_t name = EVAL_MEMORY(s->kernel, b - s->kernel->buffers);
    if (eval_at(s, name, &memory) != EVAL_SAID) memory = job->settings[SETTING_MEMORY];
    else if (!check_setting(s, SETTING_MEMORY, eval_called(s, name), &memory)) return false;
    out->memory = memory.kind == VALUE_TEXT ? value_copy(memory, s->arena).text : "device";
    if (!out->element_bytes) return eval_wrong(s, b->at, "buffer `%s`: unknown type `%s`", b->name, out->type);
    if (!set_extent(s, b, out)) return false;
    const char *what = arena_printf(s->arena, "the step of buffer `%s`", b->name);
    if (b->step.text && !eval_whole(s, &b->step, what, 1, &out->step)) return false;
    if (__builtin_mul_overflow(out->count, out->element_bytes, &out->bytes) || out->bytes > INT64_MAX)
        return eval_wrong(s, b->count.at,
            "buffer `%s`: %llu elements of %llu bytes are more than memory can be addressed", b->name,
            (unsigned long long)out->count, (unsigned long long)out->element_bytes);
    return true;
}

static bool set_buffers(const struct expr_site *s, struct job *job)
{
    const struct kernel *k = s->kernel;
    struct job_buffer *buffers = arena_alloc(s->arena, k->buffer_count * sizeof *buffers);
    bool good = true;
    uint64_t total = 0;
    for (size_t i = 0; i < k->buffer_count; i++) {
        if (!set_buffer(s, job, &k->buffers[i], &buffers[i])) good = false;
        else if (__builtin_add_overflow(total, 2 * buffers[i].bytes, &total) || total > INT64_MAX)
            return eval_wrong(s, k->buffers[i].at, "the buffers together are larger than memory can be addressed");
    }
    job->buffers = buffers;
    job->buffer_count = k->buffer_count;
    return good;
}

// What a buffer is to an entry that does not take it by a pointer; NULL: nothing else.
static const char *object_of(const char *type)
{
    if (type && strstr(type, "cudaTextureObject_t")) return "texture";
    return type && strstr(type, "cudaSurfaceObject_t") ? "surface" : NULL;
}

// Which memory a buffer can be in shows in how the entry takes it: by a pointer, as a texture, or not at all (a
// variable).
static bool match_memory(const struct expr_site *s, const struct function *entry, struct job *job)
{
    struct job_buffer *buffers = (struct job_buffer *)job->buffers; // completed here
    const struct where at = {.file = s->kernel->path, .line = entry->line, .column = 1};
    for (size_t i = 0; i < s->kernel->buffer_count; i++) {
        struct job_buffer *b = &buffers[i];
        const char *type = NULL;
        struct value own;
        for (size_t k = 0; k < entry->count; k++)
            if (strcmp(entry->arguments[k].name, b->as) == 0) type = entry->arguments[k].type;
        const char *const found = s->kernel->buffers[i].variable;
        const bool variable = asks_memory_of(b, "constant") || asks_memory_of(b, "symbol");
        const bool object = asks_memory_of(b, "texture") || asks_memory_of(b, "surface");
        const char *takes = object_of(type);
        const bool said = eval_at(s, EVAL_MEMORY(s->kernel, i), &own) == EVAL_SAID;
        if (found && !variable && !said) b->memory = found;
        if (takes && !object && !said) b->memory = takes;
        else if (takes ? !asks_memory_of(b, takes) : object)
            return eval_wrong(s, at, "`%s` %s `%s` as a %s: `memory.%s` is %s", entry->name,
                takes ? "takes" : "does not take", b->name, takes ? takes : b->memory, b->name, b->memory);
        if (type && variable)
            return eval_wrong(s, at, "`%s` takes `%s`: `memory.%s: %s` is for a variable of the source", entry->name,
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
    const bool fetch = asks_is(job, SETTING_TIMED, "prefetch_host") || asks_is(job, SETTING_TIMED, "prefetch_device");
    double bytes = 0;
    if (asks_is(job, SETTING_TIMED, "allocate")) return NAN; // nothing is moved
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct job_buffer *b = &job->buffers[i];
        if (up && b->access != ACCESS_WRITE) bytes += (double)b->bytes;
        if (down && b->access != ACCESS_READ) bytes += (double)b->bytes;
        if (fetch && asks_memory_of(b, "managed")) bytes += (double)b->bytes;
    }
    const double launches = asks_is(job, SETTING_TIMED, "launch") ? asks_number(job, SETTING_STREAMS, 1) : 1;
    return up || down || fetch ? bytes : job->useful_bytes * launches;
}

static bool set_expected(const struct expr_site *s, size_t buffer, struct job *job)
{
    uint64_t most = 0;
    static const char *const what[] = {"`abs` of the tolerance", "`rel` of the tolerance"};
    const struct kernel *k = s->kernel;
    if (!kernel_expects(job->check)) return true;
    const struct expects one = {job->check, buffer};
    const bool several = k->expect_count && job->check == k->expects[0].by;
    job->expects = several ? k->expects : arena_copy(s->arena, &one, sizeof one);
    job->expect_count = several ? k->expect_count : 1;
    for (size_t i = 0; i < job->expect_count; i++) {
        const uint64_t count = job->buffers[job->expects[i].buffer].count;
        if (count > most) most = count, buffer = job->expects[i].buffer;
    }
    if (!k->checks.text) job->check_count = most;
    for (int i = 0; i < 2; i++) {
        if (!eval_number(s, &k->tolerance[i], what[i], &job->tolerance[i])) return false;
        if (!k->tolerance[i].text) job->tolerance[i] = 0;
    }
    return job->check_count <= most ||
        eval_wrong(s, k->checks.at, "`checks` is %llu, and `%s` has %llu elements",
            (unsigned long long)job->check_count, job->buffers[buffer].name, (unsigned long long)most);
}

static bool set_check(const struct expr_site *s, struct job *job)
{
    const struct kernel *k = s->kernel;
    if (!job->check) return true;
    if (k->checks.text && !eval_whole(s, &k->checks, "`checks`", 1, &job->check_count)) return false;
    for (size_t i = 0; i < job->buffer_count; i++) {
        if (job->buffers[i].access == ACCESS_READ) continue;
        if (!k->checks.text) job->check_count = job->buffers[i].count;
        return set_expected(s, i, job);
    }
    if (k->checks.text) return true;
    return eval_wrong(s, (struct where){.file = k->path, .line = job->check->line, .column = 1},
        "`check` has nothing to count by: no buffer is written and there is no `checks`");
}

// The same C++ for the same argument of an entry is one value, however many launches take it.
static void number_made(const struct job *job)
{
    size_t count = 0;
    for (size_t l = 0; l < job_launches(job); l++) {
        const struct job_launch it = job_launch(job, l);
        for (size_t i = 0; i < it.argument_count; i++) {
            struct job_argument *a = (struct job_argument *)&it.arguments[i]; // ours to finish
            bool known = false;
            for (size_t m = 0; a->code && m <= l && !known; m++) {
                const struct job_launch before = job_launch(job, m);
                if (m == l || strcmp(before.entry, it.entry) != 0) continue;
                const struct job_argument *b = &before.arguments[i];
                known = b->code && strcmp(a->code, b->code) == 0;
                if (known) a->made = b->made;
            }
            if (a->code && !known) a->made = count++;
        }
    }
}

size_t job_made(const struct job *job)
{
    size_t count = 0;
    for (size_t l = 0; l < job_launches(job); l++) {
        const struct job_launch it = job_launch(job, l);
        for (size_t i = 0; i < it.argument_count; i++)
            if (it.arguments[i].code && it.arguments[i].made + 1 > count) count = it.arguments[i].made + 1;
    }
    return count;
}

size_t job_launches(const struct job *job) { return job->launches ? job->launch_count : 1; }

bool job_reports(const struct job *job, size_t report)
{
    for (size_t l = 0; l < job_launches(job); l++) {
        const struct job_launch it = job_launch(job, l);
        for (size_t i = 0; i < it.argument_count; i++)
            if (it.arguments[i].report == (int)report) return true;
    }
    return false;
}

struct job_launch job_launch(const struct job *job, size_t i)
{
    if (job->launches) return job->launches[i];
    struct job_launch one = {.entry = job->entry,
        .entry_line = job->entry_line,
        .arguments = job->arguments,
        .argument_count = job->argument_count,
        .shared = job->shared};
    memcpy(one.grid, job->grid, sizeof one.grid);
    memcpy(one.block, job->block, sizeof one.block);
    return one;
}

bool job_make(const struct plan *plan, const struct value *values, struct arena *a, struct job *job, struct diags *d)
{
    const struct experiment *e = plan->e;
    const struct kernel *k = points_kernel(plan, values);
    const struct expr_site s = {.plan = plan, .kernel = k, .values = values, .arena = a, .diags = d};
    const struct function *entry;
    *job = (struct job){.experiment = e->name,
        .check = kernel_check(k, NULL),
        .kernel = k->name,
        .path = k->path,
        .source = k->source,
        .reports = k->reports,
        .report_count = k->report_count,
        .goals = e->goals,
        .counts = e->counts,
        .useful_bytes = NAN,
        .flops = NAN};
    if (!set_params(&s, job, &entry)) return false;
    if (!set_settings(&s, job) || !meets_needs(&s, job)) return false;
    bool good = set_buffers(&s, job);
    good = good && passing_maps(&s, k, job);
    if (good && k->host) good = launch_by_host(&s, job);
    else if (good) good = k->step_count ? launches_set(&s, entry, job) : passing_set(&s, k, entry, job);
    good = good && match_memory(&s, entry, job);
    good &= set_shape(&s, job);
    number_made(job);
    good &= eval_number(&s, &k->useful, "`useful`", &job->useful_bytes);
    good &= eval_number(&s, &k->flops, "`flops`", &job->flops);
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
