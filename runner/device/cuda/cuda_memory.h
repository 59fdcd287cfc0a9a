// Memory that is kept from point to point, so that equal sizes are not allocated again.
// SPDX-License-Identifier: MIT
#pragma once
#include "device/cuda/cuda_driver.h"
#include "plan/job.h"

enum { CUDA_BLOCKS = 96 };
enum cuda_kind { // where a block of memory lies
    CUDA_DEVICE,
    CUDA_MANAGED,
    CUDA_MAPPED,
    CUDA_POOL,
    CUDA_PEER,
    CUDA_PITCHED, // this and those up to the host's: not flat, or not allocated here (cuda_layout.c)
    CUDA_SYMBOL,
    CUDA_TEXTURE,
    CUDA_HOST_PAGEABLE,
    CUDA_HOST_PINNED,
    CUDA_HOST_WRITE_COMBINED,
    CUDA_HOST_REGISTERED,
    CUDA_HOST_PORTABLE
};

struct cuda_block {
    void *address; // on the device; NULL: a free slot. Host kinds have none
    void *host;    // on the host, where there is one
    size_t bytes;
    enum cuda_kind kind;
    bool used;
    uint64_t content; // what a read-only buffer was filled with; 0: anything
    uint64_t age;     // when it was last given back
};
struct cuda_blocks {
    struct cuda_block items[CUDA_BLOCKS];
    uint64_t age;
    bool moving; // what is given back is freed
    bool peered; // some memory was on the next GPU: it has a context too
};

struct cuda_device;
// cuda_memory.c — blocks, kept and given back.
cudaError_t cuda_memory_get(struct cuda_device *, struct cuda_block *); // of its kind and bytes; not kept
void cuda_memory_put(struct cuda_device *, struct cuda_block *);
int cuda_memory_peer(const struct cuda_device *); // the next GPU; -1: there is none that this one can reach
struct cuda_block *cuda_block_take(struct cuda_device *, enum cuda_kind, size_t bytes, uint64_t content,
    const char *name, struct diags *);
void cuda_block_give(struct cuda_device *, struct cuda_block *, uint64_t content); // NULL is fine
void cuda_blocks_free(struct cuda_device *, bool used_too);
size_t cuda_memory_free(struct cuda_device *);
