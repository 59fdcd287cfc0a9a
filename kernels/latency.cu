/*
about: "One thread follows pointers through memory of any size, for so many loads: how far away is what it reads?"
params:
  n:     {default: 8Ki, min: 2, about: links of the chain}
  step:  {default: 16, min: 1,
          about: "distance between links, in pointers of 8 bytes: 16 is a cache line for each, 256Ki a page of 2 MiB"}
  walks: {default: 1, min: 0,
          about: "times that the whole chain is walked before the loads that are timed, to fill the caches as loads do"}
  most:  {default: 64Ki, min: 1, about: "loads that are timed: so many, or as many whole walks as are in that"}
  path:  {kind: constant, default: l1, one_of: [l1, l2], about: "l1: a plain load; l2: one that L1 does not keep"}
buffers:
  chain: {type: "void *", count: n * step, access: write}
  last:  {type: "void *", count: 1, access: write}
reports:
  cycles: {type: double, unit: cycles, about: "cycles a load, by the SM's own counter"}
  near:   {type: unsigned, unit: cycles,
           about: "of loads timed one by one, the cycles that the fastest tenth took at most"}
  far:    {type: unsigned, unit: cycles, about: "the cycles that the slowest tenth of them took at least"}
threads: 256
carveout: 0.03
checks: n
useful: (n < most and most // n * n or most) * sizeof(size_t)
*/
// Which link follows link `i`. Modulo a power of two this generator visits every number before it returns, in an order
// that no prefetcher follows; numbers that are no link of the chain are skipped.
__device__ size_t after(size_t i, size_t n)
{
    const size_t room = (size_t)1 << (64 - __clzll(n - 1));
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

static __device__ unsigned ranked(const unsigned *bins, unsigned size, unsigned rank)
{
    unsigned at = 0;
#pragma unroll 1
    for (unsigned seen = bins[0]; seen <= rank && at < size - 1; seen += bins[++at]) {}
    return 4 * at;
}

// Whole walks: every link counts alike.
static __device__ size_t timed(size_t n, size_t most) { return n < most ? most / n * n : most; }

extern "C" __global__ void latency(void **chain, void **last, size_t n, size_t step, size_t walks, size_t most,
    double *cycles, unsigned *near, unsigned *far)
{
    enum { size = 1024, alone = 2048 };
    __shared__ unsigned bins[size]; // four cycles each
    for (int i = threadIdx.x; i < size; i += 256) bins[i] = 0;
    for (size_t i = threadIdx.x; i < n; i += 256) chain[i * step] = &chain[after(i, n) * step];
    __syncthreads();
    if (threadIdx.x) return;

    void **p = chain;
    for (size_t i = 0; i < walks * n; i++) p = follow(p);
    last[0] = p;

    const size_t loads = timed(n, most);
    const long long start = clock64();
#pragma unroll 16
    for (size_t i = 0; i < loads; i++) p = follow(p);
    last[0] = p; // waits for the last load
    const long long stop = clock64();
    *cycles = (double)(stop - start) / loads;

    for (size_t i = 0; i < alone; i++) { // `q` is used between the clocks, so that the second one waits for it
        const unsigned begin = clock();
        void **q = follow(p);
        asm volatile("" : "+l"(q)::"memory");
        const unsigned took = q == nullptr ? 0 : (unsigned)clock() - begin;
        bins[took / 4 < size ? took / 4 : size - 1]++;
        p = q;
    }
    *near = ranked(bins, size, alone / 10);
    *far = ranked(bins, size, alone - alone / 10 - 1);
    last[0] = p;
}

__device__ bool check(size_t i, void **chain, void **last, size_t n, size_t step, size_t most)
{
    if (chain[i * step] != &chain[after(i, n) * step]) return false;
    if (i) return true;
    size_t at = 0;
    for (size_t k = (timed(n, most) + 2048) % n; k > 0; k--) at = after(at, n);
    return last[0] == &chain[at * step];
}
