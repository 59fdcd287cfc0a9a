// Contents of buffers before a point: filled on the device where the formula allows, else made on the host and copied.
// The formulas are compile/text/fill.h's, to the last bit, so that a kernel sees the same input here as on the
// simulator.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "device/cuda/cuda.h"
#include "device/host_fill.h"

#include <stdlib.h>

enum { RANDOM, INDEX, POISON, SPOILED, NEAR, SECRET }; // as gpuexp_fill knows them

static bool on_device(struct cuda_device *d, const struct cuda_buffer *b, int what, uint64_t as, struct diags *diags)
{
    void *to = b->flat;
    unsigned long long lanes = b->job->lanes > 0 ? (unsigned long long)b->job->lanes : 1,
                       scalars = b->job->count * lanes;
    unsigned long long seed = as;
    int scalar = (int)host_fill_scalar(b->job);
    void *arguments[] = {&to, &scalars, &lanes, &seed, &scalar, &what};
    return cuda_launch_over(d, d->helpers.fill, scalars, arguments, diags);
}

enum { KEPT_MOST = 1 << 30 };
static struct { // what was made last, of this process: the point's next context asks for the same again
    uint64_t content;
    void *host;
} kept;

// A random cycle is made one step after the other: on the host, 2 s for 256 MiB.
static void *make(const struct cuda_buffer *b, struct diags *diags)
{
    const uint64_t content = host_fill_content(b->job);
    if (content && content == kept.content) return kept.host;
    free(kept.host);
    kept.content = 0;
    kept.host = malloc(b->bytes ? b->bytes : 1);
    if (!kept.host) {
        diag_system(diags, "a smaller buffer", "out of host memory: %zu bytes to fill `%s` with", b->bytes,
            b->job->name);
        return NULL;
    }
    if (b->job->fill == FILL_FILE && !host_file_fill(b->job, kept.host, diags)) return NULL;
    if (b->job->fill != FILL_FILE) host_fill_buffer(b->job, kept.host, 4);
    if (b->bytes <= KEPT_MOST) kept.content = content;
    return kept.host;
}

static bool on_host(struct cuda_device *d, const struct cuda_buffer *b, struct diags *diags)
{
    void *host = make(b, diags);
    const bool ok = host &&
        cuda_ok(d, cudaMemcpyAsync(b->flat, host, b->bytes, cudaMemcpyDefault, d->stream), diags, "filling `%s`",
            b->job->name) &&
        cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "filling `%s`", b->job->name);
    if (kept.content) return ok;
    free(kept.host);
    kept.host = NULL;
    return ok;
}

static bool is_number(struct value v) { return v.kind == VALUE_INT || v.kind == VALUE_REAL || v.kind == VALUE_BOOL; }

// gpuexp_fill_<buffer>(T *out, size_t n, unsigned long long seed, every number among the parameters), made by
// compile_source.
static bool by_code(struct cuda_device *d, const struct cuda_buffer *b, uint64_t seed, struct diags *diags)
{
    const struct job *job = d->point.job;
    struct cuda_params *p = &d->point.chunk_params; // free until the point is prepared
    char name[160];
    CUfunction function;
    int n = 3;
    snprintf(name, sizeof name, "gpuexp_fill_%s", b->job->name);
    if (!cuda_contract_entry(d, name, &function, p, diags)) return false;
    bool ok = cuda_params_pointer(p, 0, b->flat) && cuda_params_value(p, 1, value_int((int64_t)b->job->count)) &&
        cuda_params_value(p, 2, value_int((int64_t)seed));
    for (size_t i = 0; ok && i < job->scalar_count; i++)
        if (is_number(job->scalars[i].value)) ok = cuda_params_value(p, n++, job->scalars[i].value);
    if (!ok || n != p->count)
        return diag_user(diags, (struct where){0}, NULL, "the arguments of `fill_%s` do not fit what was compiled",
            b->job->name);
    const uint32_t grid[3] = {(uint32_t)d->prop.multiProcessorCount * 8, 1, 1}, block[3] = {256, 1, 1};
    return cuda_launch(d, function, grid, block, 0, d->stream, p, diags);
}

// `seed` 0: as described.
static bool fill(struct cuda_device *d, struct cuda_buffer *b, uint64_t seed, struct diags *diags)
{
    switch (b->job->fill) {
    case FILL_RANDOM: return on_device(d, b, seed ? SECRET : RANDOM, host_fill_seed(b->job) ^ seed, diags);
    case FILL_INDEX: return on_device(d, b, INDEX, host_fill_shift(b->job, seed), diags);
    case FILL_CYCLE:
    case FILL_FILE: return on_host(d, b, diags);
    case FILL_CODE: return by_code(d, b, host_fill_by(b->job, seed), diags);
    case FILL_NONE: break;
    }
    return true;
}

bool cuda_fill(struct cuda_device *d, struct cuda_buffer *b, struct diags *diags) { return fill(d, b, 0, diags); }

// A cycle is one still when its places are turned about.
static bool is_cycle(const struct job_buffer *b)
{
    const enum fill_scalar s = host_fill_scalar(b);
    return b->fill == FILL_CYCLE && (s == FILL_I16 || s == FILL_I32 || s == FILL_I64);
}

bool cuda_fill_varies(const struct job_buffer *b) { return host_fill_varies(b) || is_cycle(b); }

static bool turn_once(struct cuda_device *d, struct cuda_buffer *b, uint64_t links, uint64_t by, struct diags *diags)
{
    void *at = b->flat;
    unsigned long long n = links, step = b->job->step ? b->job->step : 1,
                       lanes = b->job->lanes > 0 ? (unsigned long long)b->job->lanes : 1, about = by % links;
    int scalar = (int)host_fill_scalar(b->job);
    void *arguments[] = {&at, &n, &step, &lanes, &about, &scalar};
    b->turned = !b->turned;
    b->by = (about + links - b->by) % links;
    return cuda_launch_over(d, d->helpers.turn, links, arguments, diags);
}

static bool turn(struct cuda_device *d, struct cuda_buffer *b, uint64_t seed, struct diags *diags)
{
    const uint64_t step = b->job->step ? b->job->step : 1, links = (b->job->count + step - 1) / step;
    if (links < 2) return true;
    if (seed) return turn_once(d, b, links, fill_hash(seed, 0), diags);
    if (!b->turned && b->by && !turn_once(d, b, links, 0, diags)) return false;
    return !b->turned || turn_once(d, b, links, b->by, diags);
}

bool cuda_refill(struct cuda_device *d, struct cuda_buffer *b, uint64_t seed, struct diags *diags)
{
    return is_cycle(b->job) ? turn(d, b, seed, diags) : fill(d, b, seed, diags);
}

bool cuda_shape(struct cuda_device *d, struct cuda_buffer *b, struct diags *diags)
{
    return b->address == b->flat || cuda_layout_copy(d, b, b->flat, true, d->stream, diags);
}

bool cuda_flatten(struct cuda_device *d, struct cuda_buffer *b, struct diags *diags)
{
    return b->address == b->flat || cuda_layout_copy(d, b, b->flat, false, d->stream, diags);
}

bool cuda_poison(struct cuda_device *d, struct cuda_buffer *b, struct diags *diags)
{
    return on_device(d, b, POISON, 0, diags) && cuda_shape(d, b, diags);
}

bool cuda_spoil(struct cuda_device *d, struct cuda_buffer *b, bool near, struct diags *diags)
{
    return on_device(d, b, near ? NEAR : SPOILED, 0, diags) && cuda_shape(d, b, diags);
}
#endif
