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
    for (size_t k = 0; k < base->expect_count; k++)
        if (base->expects[k].buffer == i) return true;
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

struct unlike { // as gpuexp_unlike fills it
    uint64_t count, first;
    double apart, size, sum, squares, numbers; // how far reals lie apart; of the right ones
    uint64_t bag, right_bag;                   // the same where both hold the same, in whatever order
    uint64_t written, left;                    // places that the right one has written; the other one has not
};

// Two orders of a long sum lie so far apart, of its size; what was rounded to halves on the way, or to floats where it
// is of doubles, lies further.
static bool is_coarse(const struct job_buffer *b, const struct unlike *u)
{
    const enum fill_scalar kind = host_fill_scalar(b);
    return (kind == FILL_F64 || kind == FILL_F32) && u->apart > (kind == FILL_F64 ? 1e-9 : 6e-5) * u->size;
}

static bool is_halves(const struct job_buffer *b)
{
    const enum fill_scalar kind = host_fill_scalar(b);
    return kind != FILL_F64 && kind != FILL_F32;
}

// Numbers that lie so far from what is right, beside how far those lie from each other, do not follow the inputs: work
// was left out, whatever tolerance the description has.
static bool is_astray(const struct job_buffer *b, const struct unlike *u)
{
    const double n = u->numbers, mean = u->sum / n, spread = sqrt(fmax(0, u->squares / n - mean * mean));
    return u->apart > 0.25 * n * spread && u->apart > (is_halves(b) ? 1e-3 : 6e-5) * u->size;
}

static bool compare(struct cuda_device *d, const struct job_buffer *b, const void *is, const void *want,
    const struct device_look *look, struct unlike *found, struct diags *diags)
{
    const struct job *job = d->point.job;
    void *to = d->checked.result;
    const char *scalar = b->scalar ? b->scalar : b->type;
    unsigned long long scalars = b->count * (unsigned long long)(b->lanes > 0 ? b->lanes : 1), part = look->part,
                       pick = look->pick ^ 0x5851f42d4c957f2dull;
    int real = compile_is_real(scalar), kind = (int)host_fill_scalar(b);
    const bool coarse = kind == FILL_BF16 || kind == FILL_F16;
    double most = fmax(coarse ? 1e-2 : 1e-5, 2 * job->tolerance[0]),
           share = fmax(coarse ? 2e-2 : 1e-3, 2 * job->tolerance[1]);
    const struct unlike nothing = {.first = UINT64_MAX};
    void *arguments[] = {&is, &want, &scalars, &kind, &real, &most, &share, &part, &pick, &to};
    return cuda_ok(d, cudaMemcpyAsync(d->checked.result, &nothing, sizeof nothing, cudaMemcpyHostToDevice, d->stream),
               diags, "clearing what was checked") &&
        cuda_launch_over(d, d->helpers.unlike, scalars, arguments, diags) &&
        read_result(d, found, sizeof *found, diags);
}

// Does it make the same of the same inputs? Asked a few times where the other kernel made something else. One that
// leaves its result to chance is no measure of it, unless what it leaves is little beside what was found.
static bool settled(struct cuda_device *d, size_t i, const struct device_look *look, const struct unlike *found,
    bool *same, struct diags *diags)
{
    enum { TIMES = 4, LITTLE = 8 };
    const struct cuda_point *p = &d->point;
    const struct job_buffer *b = &p->job->base->buffers[i];
    const void *is = shadow(d, (size_t)((int)i + b->swapped))->flat;
    struct diags unheard = {0};
    struct unlike again = {0};
    struct cuda_block *once = cuda_block_take(d, CUDA_DEVICE, b->bytes, 0, b->name, &unheard);
    diags_clear(&unheard);
    *same = once != NULL; // no memory for it: `check` alone says
    bool ok = !once ||
        cuda_ok(d, cudaMemcpyAsync(once->address, is, b->bytes, cudaMemcpyDefault, d->stream), diags, "copying `%s`",
            b->name);
    for (int k = 0; ok && *same && k < TIMES; k++) {
        ok = launch(d, diags) && compare(d, b, is, once->address, look, &again, diags);
        *same = !again.count && LITTLE * again.apart <= found->apart;
    }
    cuda_block_give(d, once, 0);
    return ok;
}

// Of a buffer in which the kernel that says what is right has another order each time, the other one must have the same
// numbers in any order.
static bool compare_bags(struct cuda_device *d, size_t i, struct result_check *v, struct diags *diags)
{
    enum { TIMES = 4 };
    struct cuda_point *p = &d->point;
    const struct job_buffer *b = &p->job->base->buffers[i];
    const void *is = p->buffers[(int)i + p->job->buffers[i].swapped].flat,
               *want = shadow(d, (size_t)((int)i + b->swapped))->flat;
    const struct device_look whole = {0};
    struct unlike found, again;
    if (!compare(d, b, is, want, &whole, &found, diags)) return false;
    if (found.bag == found.right_bag) return true;
    for (int k = 0; k < TIMES; k++) {
        if (!launch(d, diags) || !compare(d, b, is, want, &whole, &again, diags)) return false;
        if (again.right_bag == found.right_bag) continue;
        p->base_any |= 1ull << i;
        return true;
    }
    v->unlike = p->job->buffers[i].name;
    v->unlike_count = found.count;
    v->unlike_at = found.first;
    return true;
}

// What `check` does not take by name may be a workspace that this kernel has no need of, or a result that it leaves
// out.
static bool compare_unnamed(struct cuda_device *d, size_t i, struct result_check *v, struct diags *diags)
{
    const struct cuda_point *p = &d->point;
    const struct job_buffer *b = &p->job->base->buffers[i];
    const struct device_look whole = {0};
    struct unlike found;
    if (b->access != ACCESS_WRITE || b->declared) return true;
    if (!compare(d, b, p->buffers[(int)i + p->job->buffers[i].swapped].flat,
            shadow(d, (size_t)((int)i + b->swapped))->flat, &whole, &found, diags))
        return false;
    if (2 * found.left > found.written) v->left = p->job->buffers[i].name;
    return true;
}

// What of this buffer is not as it should be stands in `v` then.
static bool compare_one(struct cuda_device *d, size_t i, const struct device_look *look, struct result_check *v,
    struct diags *diags)
{
    struct cuda_point *p = &d->point;
    const struct job *job = p->job;
    const struct job_buffer *b = &job->base->buffers[i];
    const void *is = p->buffers[(int)i + job->buffers[i].swapped].flat,
               *want = shadow(d, (size_t)((int)i + b->swapped))->flat;
    struct unlike found;
    bool same;
    if (!compare(d, b, is, want, look, &found, diags)) return false;
    const bool coarse = is_coarse(b, &found), astray = is_astray(b, &found);
    if (!found.count && !coarse && !astray) return true;
    if (!settled(d, i, look, &found, &same, diags)) return false;
    if (!same) p->base_unsettled |= 1ull << i;
    if (!same) return true;
    v->unlike = job->buffers[i].name;
    v->unlike_count = found.count;
    v->unlike_at = found.first;
    v->coarse = found.apart / found.size;
    v->allowed = !found.count && !astray && (job->tolerance[0] > 0 || job->tolerance[1] > 0);
    return true;
}

bool cuda_base_compare(struct cuda_device *d, const struct device_look *look, struct result_check *v,
    struct diags *diags)
{
    const struct cuda_point *p = &d->point;
    bool all = true, any = false;
    if (!p->base) return true;
    if (!launch(d, diags)) return false;
    for (size_t i = 0; i < p->job->buffer_count && (!v->unlike || v->allowed); i++) {
        if (!named(p->job->base, i)) {
            if (look->part < 2 && !compare_unnamed(d, i, v, diags)) return false;
            continue;
        }
        const bool can = !p->job->base->buffers[i].declared;
        if (can && !(p->base_unsettled >> i & 1) && !compare_one(d, i, look, v, diags)) return false;
        const bool unsettled = p->base_unsettled >> i & 1;
        if (can && unsettled && !(p->base_any >> i & 1) && !compare_bags(d, i, v, diags)) return false;
        all &= can && !(unsettled && (p->base_any >> i & 1));
        any = true;
    }
    v->compared = all && any;
    return true;
}
#endif
