// A kernel that is held against another must make of the same inputs what that one makes: `check` may look at a part
// alone. Behind a timed launch the other one is launched too, on outputs of its own, and what `check` knows by name is
// compared. Where that kernel makes something else each time nothing can be.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "compile/compile.h"
#include "device/cuda/cuda.h"
#include "device/host_fill.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BFLOAT = 7 }; // as gpuexp_unlike knows it

static struct cuda_buffer *shadow(struct cuda_device *d, size_t i)
{
    return &d->point.buffers[d->point.job->buffer_count + i];
}

// Its code is in the other module: for a while that is the point's own.
static void turn_codes(struct cuda_device *d)
{
    const struct cuda_loaded own = d->loaded;
    d->loaded = d->contract;
    d->contract = own;
}

// Arguments that C++ makes, several lanes and memory that is not flat are left to `check`.
static bool possible(const struct cuda_device *d)
{
    const struct cuda_point *p = &d->point;
    const struct job *base = p->job->base;
    if (!base || !base->check || p->lanes != 1 || p->is_copy || job_made(base) ||
        base->buffer_count != p->buffer_count || 2 * p->buffer_count > CUDA_BUFFERS)
        return false;
    for (size_t i = 0; i < p->buffer_count; i++)
        if (p->buffers[i].address != p->buffers[i].flat || p->buffers[i].bytes != base->buffers[i].bytes) return false;
    return true;
}

static bool outputs_take(struct cuda_device *d, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    struct diags unheard = {0};
    for (size_t i = 0; i < p->buffer_count; i++) {
        struct cuda_buffer *b = shadow(d, i);
        *b = p->buffers[i];
        if (b->job->access == ACCESS_READ) continue;
        b->block = cuda_block_take(d, CUDA_DEVICE, b->bytes, 0, b->job->name, &unheard);
        if (b->block) b->flat = b->address = b->block->address;
    }
    diags_clear(&unheard);
    (void)diags;
    for (size_t i = 0; i < p->buffer_count; i++)
        if (!shadow(d, i)->block) return false; // no memory for it: `check` alone looks
    return true;
}

static void outputs_give(struct cuda_device *d)
{
    for (size_t i = 0; i < d->point.buffer_count; i++)
        if (shadow(d, i)->job && shadow(d, i)->job->access != ACCESS_READ) cuda_block_give(d, shadow(d, i)->block, 0);
    for (size_t i = 0; i < d->point.buffer_count; i++) *shadow(d, i) = (struct cuda_buffer){0};
}

static bool launches_lay(struct cuda_device *d, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    const struct job *base = p->job->base;
    const size_t count = job_launches(base);
    p->base = mem_alloc(count * sizeof *p->base);
    for (size_t i = 0; i < count; i++) {
        const struct job_launch l = job_launch(base, i);
        struct cuda_prepared *to = &p->base[i];
        memcpy(to->grid, l.grid, sizeof to->grid);
        memcpy(to->block, l.block, sizeof to->block);
        to->shared = l.shared;
        if (!cuda_function(d, d->loaded.module, l.entry, &to->kernel, diags) ||
            !cuda_dress(d, to->kernel, l.shared, diags) || !cuda_arguments_lay(d, 1, &l, NULL, &to->params, diags))
            return false;
    }
    p->base_count = count;
    return true;
}

bool cuda_base_prepare(struct cuda_device *d, struct diags *diags)
{
    if (!possible(d)) return true;
    if (!outputs_take(d, diags)) return outputs_give(d), true;
    turn_codes(d);
    const bool ok = launches_lay(d, diags);
    turn_codes(d);
    return ok;
}

void cuda_base_finish(struct cuda_device *d)
{
    if (d->point.base) outputs_give(d);
    free(d->point.base);
}

static bool launch(struct cuda_device *d, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    bool ok = true;
    for (size_t i = 0; ok && i < p->buffer_count; i++) {
        struct cuda_buffer *b = shadow(d, i);
        if (b->job->access == ACCESS_WRITE) ok = cuda_poison(d, b, diags);
        else if (b->job->access == ACCESS_BOTH)
            ok = cuda_ok(d,
                cudaMemcpyAsync(b->flat, p->buffers[i].before->address, b->bytes, cudaMemcpyDefault, d->stream), diags,
                "copying `%s`", b->job->name);
    }
    turn_codes(d);
    ok = ok && cuda_variables_reset(d, diags);
    turn_codes(d);
    for (size_t i = 0; ok && i < p->base_count; i++) {
        struct cuda_prepared *l = &p->base[i];
        ok = cuda_launch_own(d, l->kernel, l->grid, l->block, l->shared, d->stream, &l->params, diags);
    }
    return ok;
}

static bool named(const struct job *base, size_t i)
{
    const struct job_buffer *b = &base->buffers[i];
    for (size_t k = 1; b->access != ACCESS_READ && k < base->check->count; k++) {
        const char *name = base->check->arguments[k].name;
        if (strcmp(name, b->name) == 0 || (b->as && strcmp(name, b->as) == 0)) return true;
    }
    return false;
}

static bool read_result(struct cuda_device *d, void *to, size_t bytes, struct diags *diags)
{
    return cuda_ok(d, cudaMemcpyAsync(to, d->checked.result, bytes, cudaMemcpyDeviceToHost, d->stream), diags,
               "reading what was checked") &&
        cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "running `%s`", d->point.job->base->entry);
}

static bool digest(struct cuda_device *d, uint64_t to[2], struct diags *diags)
{
    const struct job *base = d->point.job->base;
    bool ok = cuda_ok(d, cudaMemsetAsync(d->checked.result, 0, 16, d->stream), diags, "clearing the digest");
    for (size_t i = 0; ok && i < base->buffer_count; i++) {
        void *from = shadow(d, i)->flat, *result = d->checked.result;
        unsigned long long bytes = shadow(d, i)->bytes, as = i + 1, part = 1, pick = 0;
        void *arguments[] = {&from, &bytes, &as, &part, &pick, &result};
        if (base->buffers[i].access != ACCESS_READ)
            ok = cuda_launch_over(d, d->helpers.digest, bytes / 8, arguments, diags);
    }
    return ok && read_result(d, to, 16, diags);
}

// Does it make the same of the same inputs? Asked a few times where the other kernel made something else: one that
// leaves its result to chance is no measure of it.
static bool settled(struct cuda_device *d, bool *same, struct diags *diags)
{
    enum { TIMES = 4 };
    uint64_t once[2], again[2];
    *same = true;
    if (!digest(d, once, diags)) return false;
    for (int i = 0; i < TIMES && *same; i++) {
        if (!launch(d, diags) || !digest(d, again, diags)) return false;
        *same = memcmp(once, again, sizeof once) == 0;
    }
    return true;
}

struct unlike { // as gpuexp_unlike fills it
    uint64_t count, first;
    double apart, size;
};

// Two orders of a long sum lie so far apart, of its size; what was rounded to halves on the way, or to floats where it
// is of doubles, lies further. Where the description names a tolerance that alone counts.
static bool is_coarse(const struct job *job, const struct job_buffer *b, const struct unlike *u)
{
    const enum fill_scalar kind = host_fill_scalar(b);
    const double most = kind == FILL_F64 ? 1e-9 : 6e-5;
    const bool told = job->tolerance[0] > 0 || job->tolerance[1] > 0 || (kind != FILL_F64 && kind != FILL_F32);
    return !told && u->apart > most * u->size;
}

static bool compare(struct cuda_device *d, size_t i, const struct device_look *look, struct unlike *found,
    struct diags *diags)
{
    const struct cuda_point *p = &d->point;
    const struct job *job = p->job, *base = job->base;
    const struct job_buffer *b = &base->buffers[i];
    void *is = p->buffers[(int)i + job->buffers[i].swapped].flat, *to = d->checked.result;
    void *want = shadow(d, (size_t)((int)i + b->swapped))->flat;
    const char *scalar = b->scalar ? b->scalar : b->type;
    unsigned long long scalars = b->count * (unsigned long long)(b->lanes > 0 ? b->lanes : 1), part = look->part,
                       pick = look->pick ^ 0x5851f42d4c957f2dull;
    int real = compile_is_real(scalar), kind = (int)host_fill_scalar(b);
    if (real && kind == FILL_I16) kind = BFLOAT;
    const bool coarse = kind == BFLOAT || kind == FILL_F16;
    double most = fmax(coarse ? 1e-2 : 1e-5, 2 * job->tolerance[0]),
           share = fmax(coarse ? 2e-2 : 1e-3, 2 * job->tolerance[1]);
    const struct unlike nothing = {.first = UINT64_MAX};
    void *arguments[] = {&is, &want, &scalars, &kind, &real, &most, &share, &part, &pick, &to};
    return cuda_ok(d, cudaMemcpyAsync(d->checked.result, &nothing, sizeof nothing, cudaMemcpyHostToDevice, d->stream),
               diags, "clearing what was checked") &&
        cuda_launch_over(d, d->helpers.unlike, scalars, arguments, diags) &&
        read_result(d, found, sizeof *found, diags);
}

bool cuda_base_compare(struct cuda_device *d, const struct device_look *look, struct result_check *v,
    struct diags *diags)
{
    struct cuda_point *p = &d->point;
    if (!p->base || p->base_unsettled) return true;
    if (!launch(d, diags)) return false;
    for (size_t i = 0; i < p->job->buffer_count; i++) {
        struct unlike found;
        if (!named(p->job->base, i) || p->job->base->buffers[i].declared) continue;
        if (!compare(d, i, look, &found, diags)) return false;
        const bool coarse = is_coarse(p->job, &p->job->buffers[i], &found);
        if (!found.count && !coarse) continue;
        bool same;
        if (!settled(d, &same, diags)) return false;
        if (!same) return p->base_unsettled = true;
        v->unlike = p->job->buffers[i].name;
        v->unlike_count = found.count;
        v->unlike_at = found.first;
        v->coarse = found.apart / found.size;
        return true;
    }
    return true;
}
#endif
