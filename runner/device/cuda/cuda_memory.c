// Memory of every kind as blocks that are kept when a point ends: the next point often asks for the same sizes, and
// cudaMalloc and cudaFree of hundreds of megabytes cost more than a measurement. Blocks that are not in use are freed
// when there is too little memory.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "device/cuda/cuda.h"

#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {[CUDA_DEVICE] = "device memory",
    [CUDA_MANAGED] = "managed memory",
    [CUDA_MAPPED] = "mapped host memory",
    [CUDA_POOL] = "memory from the stream-ordered pool",
    [CUDA_PEER] = "device memory of the next GPU",
    [CUDA_PITCHED] = "pitched device memory",
    [CUDA_SYMBOL] = "a variable of the source",
    [CUDA_TEXTURE] = "a texture",
    [CUDA_HOST_PAGEABLE] = "pageable host memory",
    [CUDA_HOST_PINNED] = "pinned host memory",
    [CUDA_HOST_WRITE_COMBINED] = "write-combined host memory",
    [CUDA_HOST_REGISTERED] = "registered host memory",
    [CUDA_HOST_PORTABLE] = "portable pinned host memory"};

size_t cuda_memory_free(struct cuda_device *d)
{
    (void)d;
    size_t available = 0, total = 0;
    return cudaMemGetInfo(&available, &total) ? 0 : available;
}

static bool on_device(enum cuda_kind kind) { return kind <= CUDA_TEXTURE && kind != CUDA_MAPPED; }

static cudaError_t host_pages(void **host, size_t bytes)
{
    size_t whole = (bytes + 4095) / 4096 * 4096;
    *host = aligned_alloc(4096, whole);
    if (!*host) return cudaErrorMemoryAllocation;
    memset(*host, 1, whole); // every page is there before anything is timed
    return cudaSuccess;
}

static cudaError_t mapped(struct cuda_block *b, unsigned flags)
{
    cudaError_t error = cudaHostAlloc(&b->host, b->bytes, flags);
    if (!error && (flags & cudaHostAllocMapped)) error = cudaHostGetDevicePointer(&b->address, b->host, 0);
    if (error && b->host) cudaFreeHost(b->host);
    return error;
}

int cuda_memory_peer(const struct cuda_device *d)
{
    int count = 0, reached = 0;
    if (cudaGetDeviceCount(&count) || count < 2) return -1;
    const int next = (d->ordinal + 1) % count;
    return !cudaDeviceCanAccessPeer(&reached, d->ordinal, next) && reached ? next : -1;
}

static cudaError_t on_peer(struct cuda_device *d, struct cuda_block *b)
{
    const int peer = cuda_memory_peer(d);
    if (peer < 0) return cudaErrorPeerAccessUnsupported;
    d->blocks.peered = true;
    cudaError_t error = cudaSetDevice(peer);
    if (!error) error = cudaMalloc(&b->address, b->bytes);
    cudaSetDevice(d->ordinal);
    if (error) return error;
    error = cudaDeviceEnablePeerAccess(peer, 0);
    if (error == cudaErrorPeerAccessAlreadyEnabled) error = (cudaGetLastError(), cudaSuccess);
    if (error) cudaFree(b->address);
    return error;
}

cudaError_t cuda_memory_get(struct cuda_device *d, struct cuda_block *b)
{
    cudaError_t error;
    switch (b->kind) {
    case CUDA_DEVICE: return cudaMalloc(&b->address, b->bytes);
    case CUDA_PEER: return on_peer(d, b);
    case CUDA_MANAGED:
        error = cudaMallocManaged(&b->address, b->bytes, cudaMemAttachGlobal);
        b->host = b->address;
        return error;
    case CUDA_POOL: return cudaMallocAsync(&b->address, b->bytes, d->stream);
    case CUDA_MAPPED: return mapped(b, cudaHostAllocMapped);
    case CUDA_HOST_PINNED: return mapped(b, cudaHostAllocDefault);
    case CUDA_HOST_WRITE_COMBINED: return mapped(b, cudaHostAllocWriteCombined);
    case CUDA_HOST_PORTABLE: return mapped(b, cudaHostAllocPortable);
    case CUDA_HOST_PAGEABLE: return host_pages(&b->host, b->bytes);
    case CUDA_HOST_REGISTERED:
        error = host_pages(&b->host, b->bytes);
        if (!error) error = cudaHostRegister(b->host, (b->bytes + 4095) / 4096 * 4096, cudaHostRegisterDefault);
        if (error) free(b->host);
        return error;
    case CUDA_PITCHED:
    case CUDA_SYMBOL:
    case CUDA_TEXTURE: break; // not blocks: cuda_layout.c
    }
    return cudaErrorNotSupported;
}

static cudaError_t allocate(struct cuda_device *d, struct cuda_block *b)
{
    if (b->kind == CUDA_DEVICE) cuda_pad(d);
    const cudaError_t error = cuda_memory_get(d, b);
    return !error && b->kind == CUDA_POOL ? cudaStreamSynchronize(d->stream) : error;
}

void cuda_memory_put(struct cuda_device *d, struct cuda_block *b)
{
    switch (b->kind) {
    case CUDA_DEVICE:
    case CUDA_PEER:
    case CUDA_MANAGED: cudaFree(b->address); break;
    case CUDA_POOL: cudaFreeAsync(b->address, d->stream); break;
    case CUDA_MAPPED:
    case CUDA_HOST_PINNED:
    case CUDA_HOST_WRITE_COMBINED:
    case CUDA_HOST_PORTABLE: cudaFreeHost(b->host); break;
    case CUDA_HOST_REGISTERED:
        cudaHostUnregister(b->host);
        free(b->host);
        break;
    case CUDA_HOST_PAGEABLE: free(b->host); break;
    case CUDA_PITCHED:
    case CUDA_SYMBOL:
    case CUDA_TEXTURE: break;
    }
    *b = (struct cuda_block){0};
}

static void release(struct cuda_device *d, struct cuda_block *b)
{
    if (on_device(b->kind)) cuda_freed(b->bytes);
    cuda_memory_put(d, b);
}

static bool taken(const struct cuda_block *b) { return b->address || b->host; }

void cuda_blocks_free(struct cuda_device *d, bool used_too)
{
    cuda_pads_free(d);
    for (int i = 0; i < CUDA_BLOCKS; i++)
        if (taken(&d->blocks.items[i]) && (used_too || !d->blocks.items[i].used)) release(d, &d->blocks.items[i]);
}

// A slot for a new block: an empty one, else that of the block that has been unused for longest.
static struct cuda_block *slot(struct cuda_device *d)
{
    struct cuda_block *oldest = NULL;
    for (int i = 0; i < CUDA_BLOCKS; i++) {
        struct cuda_block *b = &d->blocks.items[i];
        if (!taken(b)) return b;
        if (!b->used && (!oldest || b->age < oldest->age)) oldest = b;
    }
    if (oldest) release(d, oldest);
    return oldest;
}

// Managed pages keep their advice and their place, so such blocks are allocated for each point.
static bool can_keep(enum cuda_kind kind) { return kind != CUDA_MANAGED && kind != CUDA_POOL; }

// A kept block of that size, if possible with the same content.
static struct cuda_block *kept(struct cuda_device *d, enum cuda_kind kind, size_t bytes, uint64_t content)
{
    struct cuda_block *best = NULL;
    for (int i = 0; i < CUDA_BLOCKS; i++) {
        struct cuda_block *b = &d->blocks.items[i];
        if (!taken(b) || b->used || b->kind != kind || b->bytes != bytes) continue;
        if (content && b->content == content) return b;
        // Of the others, if possible one whose content is not needed again.
        if (!best || (best->content && !b->content) || (!best->content == !b->content && b->age < best->age)) best = b;
    }
    return best;
}

static void out_of_memory(struct cuda_device *d, enum cuda_kind kind, size_t bytes, const char *name,
    struct diags *diags)
{
    LOCAL(str_release) struct str asked = {0}, available = {0};
    units_print_bytes((double)bytes, &asked);
    units_print_bytes((double)cuda_memory_free(d), &available);
    const char *lower = on_device(kind)
        ? "lower the parameter that sets its size, or take another kind: `memory: managed`"
        : "lower the parameter that sets its size, or use `host: pageable`";
    diag_system(diags, lower, "cudaErrorMemoryAllocation: out of memory: `%s` asked for %s of %s; %s free on the GPU",
        name, asked.text, kind_names[kind], available.text);
}

struct cuda_block *cuda_block_take(struct cuda_device *d, enum cuda_kind kind, size_t bytes, uint64_t content,
    const char *name, struct diags *diags)
{
    if (bytes == 0) bytes = 1;
    struct cuda_block *b = kept(d, kind, bytes, content);
    if (b) {
        if (!content || b->content != content) b->content = 0;
        b->used = true;
        return b;
    }
    b = slot(d);
    if (!b) {
        diag_system(diags, NULL, "more than %d blocks of memory at once", CUDA_BLOCKS);
        return NULL;
    }
    // Some drivers compact memory for a long time before they refuse a request that is too large; so the kept blocks
    // are freed first.
    if (on_device(kind) && bytes > cuda_memory_free(d)) cuda_blocks_free(d, false);
    *b = (struct cuda_block){.kind = kind, .bytes = bytes};
    cudaError_t error = allocate(d, b);
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        *b = (struct cuda_block){0};
        cuda_blocks_free(d, false);
        *b = (struct cuda_block){.kind = kind, .bytes = bytes};
        error = allocate(d, b);
    }
    if (!error) {
        b->used = true;
        return b;
    }
    *b = (struct cuda_block){0};
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        out_of_memory(d, kind, bytes, name, diags);
    } else {
        cuda_ok(d, error, diags, "allocating %s for `%s`", kind_names[kind], name);
    }
    return NULL;
}

void cuda_block_give(struct cuda_device *d, struct cuda_block *b, uint64_t content)
{
    if (!b) return;
    b->used = false;
    b->content = content;
    b->age = ++d->blocks.age;
    if (!can_keep(b->kind) || d->blocks.moving) release(d, b);
}
#endif
