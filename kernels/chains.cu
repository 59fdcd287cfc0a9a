/*
about: "Each thread follows `ilp` chains at once through a table in L2: how many loads under way hide the time of one?"
params:
  workers: {default: 32, min: 32, about: "threads in all, a multiple of 32"}
  ilp:     {kind: constant, default: 1, one_of: [1, 2, 4, 8], about: chains that a thread follows at once}
  links:   {kind: constant, default: 128Ki, min: 1, about: "links, 32 bytes each: a power of two"}
  loads:   {kind: constant, default: 256, min: 1, about: loads along each chain}
buffers:
  next: {type: unsigned, count: links * 8, access: read, fill: code}
  out:  {type: unsigned, count: workers, access: write}
threads: workers
useful: workers * ilp * loads * 32
*/

// Which link follows link `i`: this generator visits every number below a power of two before it returns.
__device__ unsigned after(unsigned i) { return (i * 1664525 + 1013904223) % (unsigned)links; }

__device__ unsigned fill_next(size_t i) { return i % 8 ? 0 : after(i / 8); }

__device__ unsigned first(size_t i, int chain)
{
    return ((unsigned)i * 2654435761u + chain * 40503u) % (unsigned)links;
}

__device__ unsigned load(const unsigned *p) // from L2, not from L1
{
    unsigned v;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p));
    return v;
}

extern "C" __global__ void chains(const unsigned *next, unsigned *out, size_t workers)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= workers) return;
    unsigned at[ilp], sum = 0;
#pragma unroll
    for (int c = 0; c < ilp; c++) at[c] = first(i, c);
#pragma unroll 4
    for (int k = 0; k < loads; k++)
#pragma unroll
        for (int c = 0; c < ilp; c++) at[c] = load(&next[at[c] * 8]); // does not wait for the other chains
#pragma unroll
    for (int c = 0; c < ilp; c++) sum += at[c];
    out[i] = sum;
}

__device__ bool check(size_t i, const unsigned *out)
{
    unsigned sum = 0;
    for (int c = 0; c < ilp; c++) {
        unsigned at = first(i, c);
        for (int k = 0; k < loads; k++) at = after(at);
        sum += at;
    }
    return out[i] == sum;
}
