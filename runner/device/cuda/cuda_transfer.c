// Copies as timed work: upload, download, and the round trip, whole or in chunks over streams.
//
// A chunked round trip treats the kernel as elementwise: chunk k gets each buffer's address moved up by k shares, the
// grid's share of blocks, and where an argument is the buffers' common element count, the share of it.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "device/cuda/cuda.h"

// Taking memory and giving it back as timed work: the point's buffers once more, all of them taken, then all given
// back. The host does that, so its clock is read around the calls; what the GPU still does afterwards is not in it.

void cuda_allocate_unfit(const struct job *job, char why[256])
{
    for (size_t i = 0; i < job->buffer_count; i++) {
        const enum cuda_kind kind = cuda_kind_of(&job->buffers[i]);
        if (kind == CUDA_SYMBOL || kind == CUDA_TEXTURE || kind == CUDA_PEER)
            snprintf(why, 256, "`timed: allocate`: it is not timed for `%s`, which is %s", job->buffers[i].name,
                job->buffers[i].memory);
    }
}

static cudaError_t get(struct cuda_device *d, const struct job_buffer *j, struct cuda_block *b)
{
    struct cudaPitchedPtr rows;
    *b = (struct cuda_block){.kind = cuda_kind_of(j), .bytes = j->bytes};
    if (b->kind != CUDA_PITCHED) return cuda_memory_get(d, b);
    const cudaError_t error =
        cudaMalloc3D(&rows, (struct cudaExtent){j->extent[0] * j->element_bytes, j->extent[1], j->extent[2]});
    *b = (struct cuda_block){.kind = CUDA_DEVICE, .address = error ? NULL : rows.ptr}; // given back as any other
    return error;
}

// A pool gives what is free back to the system at each synchronisation, unless it is told to keep it; then the next
// request is served from it. That is what a pool is for, so it is told.
static cudaError_t keep_in_pool(const struct cuda_device *d)
{
    cudaMemPool_t pool;
    uint64_t all = UINT64_MAX;
    const cudaError_t error = cudaDeviceGetDefaultMemPool(&pool, d->ordinal);
    return error ? error : cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
}

static bool cuda_allocate_submit(struct cuda_device *d, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    struct cuda_block blocks[CUDA_BUFFERS];
    cudaError_t error = asks_memory(p->job, "pool") ? keep_in_pool(d) : cudaSuccess;
    size_t n = 0;
    const double began = clock_seconds();
    while (!error && n < p->buffer_count) {
        error = get(d, p->buffers[n].job, &blocks[n]);
        n += !error;
    }
    const size_t taken = n;
    while (n > 0) cuda_memory_put(d, &blocks[--n]);
    p->host_s += clock_seconds() - began;
    return cuda_ok(d, error, diags, "allocating `%s` once more",
        p->buffers[taken < p->buffer_count ? taken : 0].job->name);
}

enum way {
    UP = 1,
    RUN = 2,
    DOWN = 4,
    FETCH_HOST = 8,
    COPY = 16,
    ALLOCATE = 32,
    FETCH_DEVICE = 64,
    FETCH = FETCH_HOST | FETCH_DEVICE
};

static int ways(const struct job *job)
{
    const char *timed = asks_text(job, SETTING_TIMED);
    return strcmp(timed, "upload") == 0         ? UP
        : strcmp(timed, "download") == 0        ? DOWN
        : strcmp(timed, "roundtrip") == 0       ? UP | RUN | DOWN
        : strcmp(timed, "prefetch_host") == 0   ? FETCH_HOST
        : strcmp(timed, "prefetch_device") == 0 ? FETCH_DEVICE
        : strcmp(timed, "copy") == 0            ? COPY
        : strcmp(timed, "allocate") == 0        ? ALLOCATE
                                                : RUN;
}

static bool goes_up(const struct job_buffer *b) { return b->access != ACCESS_WRITE; }
static bool comes_down(const struct job_buffer *b) { return b->access != ACCESS_READ; }

static enum cuda_kind host_kind(const struct job *job)
{
    const char *host = asks_text(job, SETTING_HOST);
    return strcmp(host, "pinned") == 0        ? CUDA_HOST_PINNED
        : strcmp(host, "write_combined") == 0 ? CUDA_HOST_WRITE_COMBINED
        : strcmp(host, "registered") == 0     ? CUDA_HOST_REGISTERED
        : strcmp(host, "portable") == 0       ? CUDA_HOST_PORTABLE
                                              : CUDA_HOST_PAGEABLE;
}

// Which element count all buffers share: what a chunk is a share of.
static uint64_t common_count(const struct job *job)
{
    for (size_t i = 1; i < job->buffer_count; i++)
        if (job->buffers[i].count != job->buffers[0].count) return 0;
    return job->buffer_count ? job->buffers[0].count : 0;
}

static const struct job_buffer *shaped(const struct job *job)
{
    for (size_t i = 0; i < job->buffer_count; i++)
        if (cuda_kind_shaped(cuda_kind_of(&job->buffers[i]))) return &job->buffers[i];
    return NULL;
}

// The place of the buffer that gets what is read from number `i`: the first written one for the first that is read, and
// so on; `count` where there is none, or `i` is not read.
static size_t target(const struct job *job, size_t i)
{
    size_t before = 0, at = 0;
    if (job->buffers[i].access != ACCESS_READ) return job->buffer_count;
    for (size_t k = 0; k < i; k++) before += job->buffers[k].access == ACCESS_READ;
    while (at < job->buffer_count && (job->buffers[at].access != ACCESS_WRITE || before-- > 0)) at++;
    return at;
}

// Does the host make one of the copies? It waits for the stream then.
static bool copied_by_host(const struct job *job)
{
    for (size_t i = 0; i < job->buffer_count; i++) {
        const size_t to = target(job, i);
        if (to < job->buffer_count && cuda_kind_of(&job->buffers[i]) == CUDA_MAPPED &&
            cuda_kind_of(&job->buffers[to]) == CUDA_MAPPED)
            return true;
    }
    return false;
}

static void copy_unfit(const struct job *job, char why[256])
{
    size_t read = 0, written = 0;
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct job_buffer *b = &job->buffers[i];
        const size_t to = target(job, i);
        read += b->access != ACCESS_WRITE;
        written += b->access != ACCESS_READ;
        if (b->access == ACCESS_BOTH || (b->access == ACCESS_READ && to == job->buffer_count) ||
            (to < job->buffer_count && job->buffers[to].bytes != b->bytes))
            snprintf(why, 256, "`timed: copy`: no buffer of the same size is written for `%s`", b->name);
    }
    if (!*why && (read == 0 || written != read))
        snprintf(why, 256, "`timed: copy` needs a buffer that is written for each that is read");
    if (!*why && shaped(job))
        snprintf(why, 256, "`timed: copy` is of flat memory: `%s` is %s", shaped(job)->name, shaped(job)->memory);
}

void cuda_transfer_unfit(const struct job *job, char why[256])
{
    const int64_t chunks = asks_whole(job, SETTING_CHUNKS, 1), streams = asks_whole(job, SETTING_STREAMS, 1);
    const int way = ways(job);
    const int most = way == RUN ? CUDA_LANES : CUDA_STREAMS;
    if (streams > most) {
        snprintf(why, 256, "`streams: %lld`: at most %d%s", (long long)streams, most,
            way == RUN ? " launches at once" : "");
    } else if (streams > 1 && way == RUN && asks_is(job, SETTING_VIA, "graph")) {
        snprintf(why, 256, "`via: graph` holds one launch: it does not go with `streams: %lld`", (long long)streams);
    } else if (chunks > 1 && !(way & (UP | DOWN))) {
        snprintf(why, 256, "`chunks` cuts copies: it needs `timed: upload`, `download` or `roundtrip`");
    } else if (chunks > 1 && shaped(job)) {
        snprintf(why, 256, "`chunks` cuts flat memory: `%s` is %s", shaped(job)->name, shaped(job)->memory);
    } else if (chunks > 1) {
        const uint64_t count = common_count(job);
        const bool even = count && count % (uint64_t)chunks == 0;
        if (!even || ((way & RUN) && (job->grid[0] % (uint64_t)chunks || job->grid[1] != 1 || job->grid[2] != 1)))
            snprintf(why, 256,
                "`chunks: %lld` does not divide the buffers (which must all have as many elements) and the grid evenly",
                (long long)chunks);
    }
    if (!*why && way == COPY) copy_unfit(job, why);
}

bool cuda_transfer_prepare(struct cuda_device *d, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    const int way = ways(p->job);
    p->is_copy = way != RUN;
    if (!p->is_copy) return true;
    p->chunks = (int)asks_whole(p->job, SETTING_CHUNKS, 1);
    p->streams = (int)asks_whole(p->job, SETTING_STREAMS, 1);
    if (!cuda_streams_make(d, p->streams, diags)) return false;
    // What the host does itself would wait behind the gate that it must open: a pageable copy it stages, one within its
    // own memory it makes.
    p->ungated = way == COPY ? copied_by_host(p->job) : host_kind(p->job) == CUDA_HOST_PAGEABLE || (way & FETCH);
    p->by_host = way == ALLOCATE;
    if (!(way & (UP | DOWN))) return true;
    for (size_t i = 0; i < p->buffer_count; i++) {
        struct cuda_buffer *b = &p->buffers[i];
        b->host = cuda_block_take(d, host_kind(p->job), b->bytes, 0, b->job->name, diags);
        if (!b->host) return false;
        if (b->job->access != ACCESS_WRITE &&
            !cuda_ok(d, cudaMemcpyAsync(b->host->host, b->flat, b->bytes, cudaMemcpyDefault, d->stream), diags,
                "filling the host's `%s`", b->job->name))
            return false;
    }
    return true;
}

static bool copy(struct cuda_device *d, const struct cuda_buffer *b, bool up, int chunk, cudaStream_t stream,
    struct diags *diags)
{
    cuda_queued(d);
    if (d->point.chunks == 1) return cuda_layout_copy(d, b, b->host->host, up, stream, diags);
    const size_t share = b->bytes / (size_t)d->point.chunks, at = share * (size_t)chunk;
    char *host = (char *)b->host->host + at, *device = (char *)b->address + at;
    return cuda_ok(d,
        cudaMemcpyAsync(up ? device : host, up ? host : device, share,
            up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, stream),
        diags, "copying `%s`", b->job->name);
}

static bool run(struct cuda_device *d, int chunk, cudaStream_t stream, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    const struct job *job = p->job;
    cuda_queued(d);
    if (p->chunks == 1)
        return cuda_launch_own(d, p->kernel, job->grid, job->block, p->shared, stream, &p->params[0], diags);
    struct cuda_params *share = &p->chunk_params;
    const uint64_t count = common_count(job);
    *share = p->params[0];
    for (size_t i = 0; i < job->argument_count; i++) {
        const struct job_argument *a = &job->arguments[i];
        if (a->buffer >= 0 && a->part == PART_ADDRESS) {
            const struct cuda_buffer *b = &p->buffers[a->buffer];
            cuda_params_pointer(share, (int)i, (char *)b->address + b->bytes / (size_t)p->chunks * (size_t)chunk);
        } else if (a->buffer < 0 && a->report < 0 && a->value.kind == VALUE_INT && (uint64_t)a->value.i == count) {
            cuda_params_value(share, (int)i, value_int(a->value.i / p->chunks));
        }
    }
    const uint32_t grid[3] = {job->grid[0] / (uint32_t)p->chunks, 1, 1};
    return cuda_launch_own(d, p->kernel, grid, job->block, p->shared, stream, share, diags);
}

static bool chunk_submit(struct cuda_device *d, int way, int chunk, cudaStream_t stream, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    for (size_t i = 0; (way & UP) && i < p->buffer_count; i++)
        if (goes_up(p->buffers[i].job) && !copy(d, &p->buffers[i], true, chunk, stream, diags)) return false;
    if ((way & RUN) && !run(d, chunk, stream, diags)) return false;
    for (size_t i = 0; (way & DOWN) && i < p->buffer_count; i++)
        if (comes_down(p->buffers[i].job) && !copy(d, &p->buffers[i], false, chunk, stream, diags)) return false;
    return true;
}

// Each copy in a stream of its own, if there are several: then they run at once.
static bool copy_across(struct cuda_device *d, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    int stream = 0;
    bool ok = p->streams == 1 || cuda_fork(d, p->streams, diags);
    for (size_t i = 0; ok && i < p->buffer_count; i++) {
        const size_t to = target(p->job, i);
        if (to == p->buffer_count) continue;
        cuda_queued(d);
        ok = cuda_ok(d,
            cudaMemcpyAsync(p->buffers[to].address, p->buffers[i].address, p->buffers[i].bytes, cudaMemcpyDefault,
                p->streams == 1 ? d->stream : d->fan.streams[stream++ % p->streams]),
            diags, "copying `%s`", p->buffers[i].job->name);
    }
    return ok && (p->streams == 1 || cuda_join(d, p->streams, diags));
}

bool cuda_transfer_submit(struct cuda_device *d, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    const int way = ways(p->job);
    bool ok = true;
    if (way & FETCH) return cuda_managed_fetch(d, way == FETCH_HOST, diags);
    if (way == ALLOCATE) return cuda_allocate_submit(d, diags);
    if (way == COPY) return copy_across(d, diags);
    if (p->streams == 1) {
        for (int c = 0; ok && c < p->chunks; c++) ok = chunk_submit(d, way, c, d->stream, diags);
        return ok;
    }
    ok = cuda_fork(d, p->streams, diags);
    for (int c = 0; ok && c < p->chunks; c++) ok = chunk_submit(d, way, c, d->fan.streams[c % p->streams], diags);
    return ok && cuda_join(d, p->streams, diags);
}

// Counts 4-byte words that differ between the device's and the host's side, on the device: the host's side goes up once
// more, into a block of its own.
static bool compare(struct cuda_device *d, struct cuda_buffer *b, struct result_check *says, struct diags *diags)
{
    struct cuda_block *again = cuda_block_take(d, CUDA_DEVICE, b->bytes, 0, b->job->name, diags);
    if (!again) return false;
    uint64_t result[2] = {0, UINT64_MAX};
    void *one = b->flat, *other = again->address, *out = d->checked.result;
    unsigned long long words = b->bytes / 4;
    void *arguments[] = {&one, &other, &words, &out};
    bool ok = cuda_ok(d, cudaMemcpyAsync(other, b->host->host, b->bytes, cudaMemcpyHostToDevice, d->stream), diags,
                  "checking the copy") &&
        cuda_ok(d, cudaMemcpyAsync(d->checked.result, result, sizeof result, cudaMemcpyHostToDevice, d->stream), diags,
            "clearing what was checked") &&
        cuda_launch_over(d, d->helpers.compare, words, arguments, diags) &&
        cuda_ok(d, cudaMemcpyAsync(result, d->checked.result, sizeof result, cudaMemcpyDeviceToHost, d->stream), diags,
            "reading what was checked") &&
        cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "checking the copy of `%s`", b->job->name);
    cuda_block_give(d, again, 0);
    if (ok && result[0] && !says->wrong) says->first = result[1] * 4 / b->job->element_bytes;
    if (ok) says->wrong += result[0];
    if (ok) says->checked += b->job->count;
    return ok;
}

// The side that a copy writes is poisoned first, then the timed work runs once: upload and round trip into poisoned
// device buffers, download into poisoned host ones.
bool cuda_transfer_verify(struct cuda_device *d, struct result_check *says, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    const int way = ways(p->job);
    if (way == FETCH_HOST)
        return cuda_restore(d, diags) && cuda_submit_kernel(d, diags) && cuda_managed_fetch(d, true, diags) &&
            cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "prefetching to the host");
    if (way == FETCH_DEVICE)
        return cuda_restore(d, diags) && cuda_managed_fetch(d, false, diags) && cuda_submit_kernel(d, diags) &&
            cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "prefetching to the device");
    if (way == ALLOCATE && (!cuda_restore(d, diags) || !cuda_submit_named(d, diags))) return false;
    if (way & (COPY | ALLOCATE))
        return cuda_transfer_submit(d, diags) &&
            cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "running what is timed");
    if (way == DOWN && (!cuda_restore(d, diags) || !cuda_submit_kernel(d, diags))) return false;
    for (size_t i = 0; i < p->buffer_count; i++) {
        struct cuda_buffer *b = &p->buffers[i];
        if ((way & UP) && goes_up(b->job) && !cuda_poison(d, b, diags)) return false;
        if ((way & DOWN) && (way == DOWN ? comes_down(b->job) : b->job->access == ACCESS_WRITE))
            memset(b->host->host, 0xff, b->bytes);
    }
    if (!cuda_transfer_submit(d, diags) || !cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "copying"))
        return false;
    for (size_t i = 0; i < p->buffer_count; i++) {
        struct cuda_buffer *b = &p->buffers[i];
        const bool copied = way == UP ? goes_up(b->job) : comes_down(b->job);
        if (copied && (!cuda_flatten(d, b, diags) || !compare(d, b, says, diags))) return false;
    }
    says->verified = true;
    return true;
}

#endif
