/*
about: "All threads together read the same `words` words again and again: what does the cache that holds them give?"
params:
  words:  {kind: constant, default: 256Ki, min: 2048, about: "words that are read: a power of two"}
  stride: {kind: constant, default: 1, min: 0, about: "distance between neighbouring threads' words"}
  turns:  {kind: constant, default: 256, min: 1, about: reads of a thread}
  path:   {kind: constant, default: l1, one_of: [l1, l2], about: "l1: a plain load; l2: one that L1 does not keep"}
  T:      {kind: type, default: int4, one_of: [int, int4], about: "what a thread reads at once: 4 or 16 bytes"}
  blocks: {default: 1056, min: 1, about: blocks of 256 threads}
buffers:
  in:  {type: T, count: words, access: read, fill: random}
  out: {type: int, count: blocks * 256, access: write}
threads: blocks * 256
useful: blocks * 256 * turns * sizeof(T)
*/
__device__ int mix(int v) { return v; }
__device__ int mix(int4 v) { return v.x ^ v.y ^ v.z ^ v.w; } // all four, or the compiler reads only what is used

// In assembly, so that the compiler neither drops a read that it has seen nor keeps the caches out of it.
__device__ int load(const int *p)
{
    int v;
    if (path == path_l1) asm volatile("ld.global.ca.s32 %0, [%1];" : "=r"(v) : "l"(p));
    else asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(v) : "l"(p));
    return v;
}

__device__ int4 load(const int4 *p)
{
    int4 v;
    if (path == path_l1)
        asm volatile("ld.global.ca.v4.s32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
    else
        asm volatile("ld.global.cg.v4.s32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
    return v;
}

// The word of thread `i` of `all` in turn `k`. Eight turns read the same place of each eighth of the words, for which
// one address is made: with one for each, the arithmetic would take longer than L1. Of an eighth the threads of the
// grid read neighbouring words, and in the next eight turns those behind them and 64 more. So each block reads every
// word in time, and the compiler finds none that stays the same.
__device__ unsigned place(unsigned i, unsigned all, unsigned k)
{
    const unsigned eighth = words / 8;
    return (i * (unsigned)stride + k / 8 * (all + 64)) % eighth + k % 8 * eighth;
}

extern "C" __global__ void cached(const T *in, int *out)
{
    const unsigned i = blockIdx.x * 256 + threadIdx.x;
    int sum = 0;
#pragma unroll 8
    for (unsigned k = 0; k < turns; k++) sum += mix(load(&in[place(i, gridDim.x * 256, k)]));
    out[i] = sum;
}

__device__ bool check(size_t i, const T *in, const int *out, size_t blocks)
{
    int sum = 0;
    for (unsigned k = 0; k < turns; k++) sum += mix(in[place(i, blocks * 256, k)]);
    return out[i] == sum;
}
