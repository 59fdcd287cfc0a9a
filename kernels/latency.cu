/*
about: "One thread follows pointers: each load gives the address of the next, so that nothing hides how long a load
    takes."
params:
  n:     {default: 8Ki, min: 2, about: links of the chain}
  step:  {default: 16, min: 1,
          about: "distance between links, in pointers of 8 bytes; 16 is a cache line of its own for each"}
  walks: {default: 1, min: 0,
          about: "times that the whole chain is walked before the walk that is timed, to fill the caches as a walk
              does"}
  path:  {kind: constant, default: l1, one_of: [l1, l2], about: "l1: a plain load; l2: one that L1 does not keep"}
buffers:
  chain: {type: "void *", count: n * step, access: write}
  last:  {type: "void *", count: 1, access: write}
reports:
  cycles: {type: double, unit: cycles, about: "cycles a load, over a whole number of walks, by the SM's own counter"}
  near:   {type: unsigned, unit: cycles,
           about: "of the loads timed one by one, the cycles that the fastest tenth took at most"}
  far:    {type: unsigned, unit: cycles, about: "the cycles that the slowest tenth of them took at least"}
threads: 256
checks: n
useful: max(n, 4096 // n * n) * sizeof(size_t)
*/

// Which link follows link `i`. Modulo a power of two this generator visits every number before it returns, in
// an order that no prefetcher follows; numbers that are no link of the chain are skipped. So one walk visits each
// link once.
__device__ size_t after(size_t i, size_t n)
{
    const size_t room = (size_t)1 << (64 - __clzll(n - 1)); // the least power of two that is not below n
    do i = (i * 1664525 + 1013904223) & (room - 1);
    while (i >= n);
    return i;
}

// The load itself, from global memory by its name: through a generic pointer it would take longer.
static __device__ void **follow(void **p)
{
    void **q;
    if (path == path_l1) asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(q) : "l"(p) : "memory");
    else asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(q) : "l"(p) : "memory");
    return q;
}

// `bins` counts loads by their cycles. The cycles of the load that `rank` others are quicker than.
static __device__ unsigned ranked(const unsigned *bins, unsigned size, unsigned rank)
{
    unsigned at = 0;
    for (unsigned seen = bins[0]; seen <= rank && at < size - 1; seen += bins[++at]) {}
    return at;
}

extern "C" __global__ void latency(void **chain, void **last, size_t n, size_t step, size_t walks,
    double *cycles, unsigned *near, unsigned *far)
{
    enum { size = 4096 };
    __shared__ unsigned bins[size];
    for (int i = threadIdx.x; i < size; i += 256) bins[i] = 0;
    for (size_t i = threadIdx.x; i < n; i += 256) chain[i * step] = &chain[after(i, n) * step];
    __syncthreads();
    if (threadIdx.x) return;

    void **p = chain;
    for (size_t i = 0; i < walks * n; i++) p = follow(p);
    last[0] = p;

    const size_t loads = n < 4096 ? 4096 / n * n : n; // whole walks: every link counts alike
    const long long start = clock64();
#pragma unroll 16
    for (size_t i = 0; i < loads; i++) p = follow(p);
    last[0] = p; // waits for the last load
    const long long stop = clock64();
    *cycles = (double)(stop - start) / loads;

    const size_t alone = n < 4096 ? n : 4096;
    for (size_t i = 0; i < alone; i++) { // `q` is used between the clocks, so that the second one waits for it
        const unsigned begin = clock();
        void **q = follow(p);
        asm volatile("" : "+l"(q)::"memory");
        const unsigned took = q == nullptr ? 0 : clock() - begin;
        bins[took < size ? took : size - 1]++;
        p = q;
    }
    *near = ranked(bins, size, alone / 10);
    *far = ranked(bins, size, alone - alone / 10 - 1);
    last[0] = p;
}

__device__ bool check(size_t i, void **chain, void **last, size_t n, size_t step)
{
    if (chain[i * step] != &chain[after(i, n) * step]) return false;
    if (i) return true;
    size_t at = 0; // whole walks end where they began; after them come the loads that were timed alone
    for (size_t k = 0; k < (n < 4096 ? n : 4096); k++) at = after(at, n);
    return last[0] == &chain[at * step];
}
