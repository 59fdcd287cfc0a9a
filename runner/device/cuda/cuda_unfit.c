// What has no meaning on this GPU, or not in this combination: the point is skipped with the sentence, before anything
// is compiled.
//
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "device/cuda/cuda.h"

#include <string.h>

static void memory_unfit(struct cuda_device *d, const struct job *job, char why[256])
{
    const char *timed = asks_text(job, SETTING_TIMED);
    const bool fetch = strncmp(timed, "prefetch_", 9) == 0;
    if (asks_memory(job, "managed") && !cuda_attribute(d, cudaDevAttrManagedMemory))
        snprintf(why, 256, "`memory: managed`: this GPU has no managed memory");
    else if (asks_memory(job, "mapped") && !cuda_attribute(d, cudaDevAttrCanMapHostMemory))
        snprintf(why, 256, "`memory: mapped`: this GPU cannot map host memory");
    else if (asks_memory(job, "pool") && !cuda_attribute(d, cudaDevAttrMemoryPoolsSupported))
        snprintf(why, 256, "`memory: pool`: this driver has no stream-ordered allocation");
    else if (asks_memory(job, "peer") && cuda_memory_peer(d) < 0)
        snprintf(why, 256, "`memory: peer`: there is no other GPU here that this one can reach");
    else if (!asks_memory(job, "managed") && fetch)
        snprintf(why, 256, "`timed: %s` needs a buffer in managed memory", timed);
    else if (fetch && asks_true(job, SETTING_PREFETCH) && strcmp(timed, "prefetch_device") == 0)
        snprintf(why, 256, "`timed: prefetch_device` has nothing to bring: `prefetch: true` did it before");
    else if (asks_memory(job, "managed") && !cuda_attribute(d, cudaDevAttrConcurrentManagedAccess) &&
        (fetch || asks_true(job, SETTING_PREFETCH)))
        snprintf(why, 256, "prefetching managed memory needs a GPU with concurrent managed access");
}

static void window_unfit(struct cuda_device *d, const struct job *job, char why[256])
{
    const bool window = asks_any(job, SETTING_WINDOW_BUFFER);
    if ((window || asks_any(job, SETTING_PERSIST)) && d->prop.persistingL2CacheMaxSize == 0)
        snprintf(why, 256,
            "`%s`: this GPU has no persisting L2 (compute capability 8.0 or newer, no MIG, no MPS limit)",
            window ? "window" : "persist");
}

static void sequence_unfit(const struct job *job, char why[256])
{
    const bool window = !asks_is(job, SETTING_WINDOW_BUFFER, "none");
    if (!asks_is(job, SETTING_TIMED, "launch"))
        snprintf(why, 256, "`timed: %s` copies around one launch, not around a sequence",
            asks_text(job, SETTING_TIMED));
    else if (asks_whole(job, SETTING_STREAMS, 1) > 1)
        snprintf(why, 256, "`streams`: the launches of a sequence follow each other in one");
    else if (window && asks_is(job, SETTING_VIA, "graph"))
        snprintf(why, 256, "`window` with `via: graph` is for one launch, not for a sequence");
}

static void manner_unfit(struct cuda_device *d, const struct job *job, char why[256])
{
    uint32_t cluster[3];
    if (asks_true(job, SETTING_COOPERATIVE) && !cuda_attribute(d, cudaDevAttrCooperativeLaunch))
        snprintf(why, 256, "`cooperative`: this GPU has no cooperative launch");
    if (!asks_dimensions(job, SETTING_CLUSTER, cluster)) return;
    if (d->prop.major < 9) snprintf(why, 256, "`cluster`: compute capability 9.0 or newer is needed");
    for (size_t l = 0; !*why && l < job_launches(job); l++)
        for (int i = 0; i < 3; i++)
            if (job_launch(job, l).grid[i] % cluster[i])
                snprintf(why, 256, "`cluster`: a grid of %u blocks in %c is not made of clusters of %u",
                    job_launch(job, l).grid[i], "xyz"[i], cluster[i]);
}

void cuda_unfit(struct cuda_device *d, const struct job *job, char why[256])
{
    why[0] = 0;
    if (d->prop.major < 7) {
        snprintf(why, 256, "compute capability %d.%d: 7.0 or newer is needed", d->prop.major, d->prop.minor);
        return;
    }
    memory_unfit(d, job, why);
    if (!*why) cuda_layout_unfit(d, job, why);
    if (!*why) window_unfit(d, job, why);
    if (!*why) cuda_transfer_unfit(job, why);
    if (!*why && asks_is(job, SETTING_TIMED, "allocate")) cuda_allocate_unfit(job, why);
    if (!*why && job_launches(job) > 1) sequence_unfit(job, why);
    if (!*why) manner_unfit(d, job, why);
    if (!*why && cuda_tensor_used(job) && d->prop.major < 9)
        snprintf(why, 256, "tensor maps: compute capability 9.0 or newer is needed");
    if (!*why && cuda_tensor_used(job) && asks_whole(job, SETTING_CHUNKS, 1) > 1)
        snprintf(why, 256, "`chunks`: a tensor map describes a buffer as a whole");
}

void cuda_limits(const struct cuda_device *d, struct device_limits *l)
{
    *l = (struct device_limits){.memory_of = "this GPU",
        .threads_per_block = (uint64_t)d->prop.maxThreadsPerBlock,
        .regs_per_block = (uint64_t)d->prop.regsPerBlock,
        .shared_per_block = d->prop.sharedMemPerBlockOptin,
        .memory = d->prop.totalGlobalMem};
    snprintf(l->of, sizeof l->of, "this GPU");
    snprintf(l->arch, sizeof l->arch, "sm_%d%d", d->prop.major, d->prop.minor);
}
#endif
