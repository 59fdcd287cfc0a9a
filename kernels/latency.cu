/*
about: "One thread follows pointers: each load gives the address of the next, so that nothing hides how long a load takes."
params:
  n:     {default: 8Ki, min: 4, about: links of the chain}
  step:  {default: 16, min: 1, about: "distance between links, in pointers of 8 bytes; 16 is a cache line of its own for each"}
  loads: {default: 4Ki, min: 1, about: "loads that are timed, after one walk through the whole chain"}
buffers:
  chain: {type: "void *", count: n * step, access: write}
  last:  {type: "void *", count: 1, access: write}
reports:
  cycles: {type: double, about: "cycles a load, by the SM's own counter"}
threads: 1
checks: n
useful: loads * sizeof(size_t)
*/

// Where the link behind link `i` stands. Modulo a power of two this generator visits every number before it returns, in an order that
// no prefetcher follows; those that are no link of the chain are passed over.
__device__ size_t after(size_t i, size_t n)
{
    const size_t room = (size_t)1 << (64 - __clzll(n - 1)); // the least power of two that is not below n
    do i = (i * 1664525 + 1013904223) & (room - 1);
    while (i >= n);
    return i;
}

// The load itself, as global as it is: through a generic pointer it would take longer.
static __device__ void **follow(void **p)
{
    void **q;
    asm volatile("ld.global.u64 %0, [%1];" : "=l"(q) : "l"(p) : "memory");
    return q;
}

extern "C" __global__ void latency(void **chain, void **last, size_t n, size_t step, size_t loads, double *cycles)
{
    for (size_t i = 0; i < n; i++) chain[i * step] = &chain[after(i, n) * step];

    void **p = chain;
    for (size_t i = 0; i < n; i++) p = follow(p); // into whatever cache is large enough
    last[0] = p;

    const long long start = clock64();
#pragma unroll 16
    for (size_t i = 0; i < loads; i++) p = follow(p);
    last[0] = p; // waits for the last load
    const long long stop = clock64();
    *cycles = (double)(stop - start) / loads;
}

__device__ bool check(size_t i, void **chain, void **last, size_t n, size_t step, size_t loads)
{
    if (chain[i * step] != &chain[after(i, n) * step]) return false;
    if (i) return true;
    size_t at = 0; // the walk once more, without memory
    for (size_t k = 0; k < n + loads; k++) at = after(at, n);
    return last[0] == &chain[at * step];
}
