// What a context draws anew, and what must not disturb a sample. Buffers are put at random places, so that the contexts
// of a run see several of them. Before each sample the host waits and makes empty launches, so that no sample is in
// step with the GPU's own rhythms. No sample is taken while the GPU is still busy with memory that was freed.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "base/clock.h"
#include "device/cuda/cuda.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

// Freeing a GiB keeps an H100 busy for 2 ms, in which other work runs up to 9 % slower.
static const double free_s_a_byte = 2.5e-3 / 0x1p30;
static double quiet_at; // of this process: a context's memory is freed with it, and the next one waits

static uint64_t any(struct cuda_device *d)
{
    if (!d->draw.chance) d->draw.chance = (uint64_t)(1e9 * clock_seconds()) * 2654435761u + (uint64_t)getpid() + 1;
    d->draw.chance ^= d->draw.chance << 13;
    d->draw.chance ^= d->draw.chance >> 7;
    d->draw.chance ^= d->draw.chance << 17;
    return d->draw.chance;
}

void cuda_freed(size_t bytes)
{
    double now = clock_seconds();
    quiet_at = (quiet_at > now ? quiet_at : now) + (double)bytes * free_s_a_byte;
}

// Small blocks move what follows within a page, large ones from page to page.
void cuda_pad(struct cuda_device *d)
{
    static const size_t mib = 1 << 20;
    size_t available = 0, total = 0;
    if (d->draw.pad_count == CUDA_PADS || cudaMemGetInfo(&available, &total) || available < (size_t)2 << 30) return;
    size_t bytes = any(d) % 2 ? 512 + any(d) % mib : mib + any(d) % (32 * mib);
    if (cudaMalloc(&d->draw.pads[d->draw.pad_count], bytes) == cudaSuccess)
        d->draw.pad_bytes[d->draw.pad_count++] = bytes;
    else cudaGetLastError();
}

void cuda_pads_free(struct cuda_device *d)
{
    for (int i = 0; i < d->draw.pad_count; i++) {
        cudaFree(d->draw.pads[i]);
        cuda_freed(d->draw.pad_bytes[i]);
    }
    d->draw.pad_count = 0;
}

bool cuda_rest(struct cuda_device *d, double seconds, struct diags *diags)
{
    const struct timespec wait = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    if (!cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "letting the GPU rest")) return false;
    nanosleep(&wait, NULL);
    return true;
}

bool cuda_stir(struct cuda_device *d, double wait_us, unsigned launches, struct diags *diags)
{
    double until = clock_seconds() + 1e-6 * wait_us;
    if (until < quiet_at) until = quiet_at;
    while (clock_seconds() < until) {} // a sleep would end in step with the host's own clock
    for (unsigned i = 0; i < launches; i++)
        if (!cuda_launch_helper(d, d->helpers.empty, 1, 1, d->stream, NULL, diags)) return false;
    return true;
}
#endif
