/*
about: "Each thread follows a chain through a table of its own block or of its neighbour's, in shared memory or in L2."
params:
  blocks: {default: 128, min: 1, about: "blocks, a multiple of the group"}
  lanes:  {default: 1024, min: 32, max: 1024, about: "threads a block, a multiple of 32"}
  group:  {default: 2, min: 1, about: "blocks that are neighbours in a ring; of a cluster all"}
  turns:  {default: 1024, min: 1, about: "loads of each thread, each waiting for the one before"}
  variant:
    default: own
    one_of: [own, cluster, l2]
    about: >
      own: a block's own shared memory; cluster: that of the next block of its cluster (Hopper); l2: the next block's
      table in global memory
buffers:
  tables: {type: unsigned, count: blocks * 4096, access: read, fill: code}
  out:    {type: unsigned, count: blocks * lanes, access: write}
reports:
  cycles: {type: double, unit: cycles, about: "cycles a load, by the SM's own counter, as the first thread sees it"}
grid: blocks
block: lanes
useful: blocks * lanes * turns * sizeof(unsigned)
*/

// Each block's table leads on by another number of rows of 32 words: where a thread ends shows whose table it was.
// Places are in bytes, so that what was loaded is all of the next address.
__device__ unsigned step(size_t block) { return 32 * (1 + 2 * (block % 16)); }
__device__ unsigned fill_tables(size_t i) { return (i % 4096 + step(i / 4096)) % 4096 * 4; }
__device__ const unsigned *beyond(const unsigned *table, unsigned bytes)
{
    return (const unsigned *)((const char *)table + bytes);
}

__device__ size_t next_of(size_t block, size_t group) { return block / group * group + (block + 1) % group; }

// The ways differ in `load` and in nothing else.
template <class loader> __device__ void follow(unsigned *out, size_t turns, double *cycles, loader load)
{
    unsigned at = threadIdx.x * 4;
    const long long start = clock64();
#pragma unroll 8
    for (size_t k = 0; k < turns; k++) at = load(at);
    const long long stop = clock64();
    out[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = at;
    if (blockIdx.x == 0 && threadIdx.x == 0) *cycles = (double)(stop - start) / turns;
}

__device__ void fetch(unsigned *table, const unsigned *tables)
{
    for (unsigned k = threadIdx.x; k < 4096; k += blockDim.x) table[k] = tables[(size_t)blockIdx.x * 4096 + k];
}

extern "C" __global__ void neighbour_own(const unsigned *tables, unsigned *out, size_t turns, double *cycles)
{
    __shared__ unsigned table[4096];
    fetch(table, tables);
    __syncthreads();
    follow(out, turns, cycles, [&](unsigned at) { return *beyond(table, at); });
}

extern "C" __global__ void neighbour_cluster(const unsigned *tables, unsigned *out, size_t group, size_t turns,
                                             double *cycles)
{
#if __CUDA_ARCH__ >= 900
    __shared__ unsigned table[4096];
    fetch(table, tables);
    // Nobody reads before all tables of the cluster are there, and nobody leaves while another still reads.
    asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
    const unsigned next = next_of(blockIdx.x, group) % group;
    unsigned there;
    const unsigned here = (unsigned)__cvta_generic_to_shared(table);
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"(next));
    follow(out, turns, cycles, [=](unsigned at) {
        unsigned value;
        asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(there + at) : "memory");
        return value;
    });
    asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
#endif
}

extern "C" __global__ void neighbour_l2(const unsigned *tables, unsigned *out, size_t group, size_t turns,
                                        double *cycles)
{
    const unsigned *there = tables + next_of(blockIdx.x, group) * 4096;
    follow(out, turns, cycles, [=](unsigned at) { return __ldcg(beyond(there, at)); });
}

__device__ bool check_own(size_t i, const unsigned *out, size_t lanes, size_t turns)
{
    return out[i] == (i % lanes + turns * step(i / lanes)) % 4096 * 4;
}

__device__ bool check(size_t i, const unsigned *out, size_t lanes, size_t group, size_t turns)
{
    return out[i] == (i % lanes + turns * step(next_of(i / lanes, group))) % 4096 * 4;
}
