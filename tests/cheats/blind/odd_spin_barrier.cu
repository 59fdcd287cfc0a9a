/*
about: "Blocks wait for each other at a barrier of their own, 20 times; its generation goes on counting."
params:
  n: {default: 128, min: 1, max: 132, about: "blocks, all of which must run at once"}
  turns: {default: 20, min: 1, about: barriers}
buffers:
  values: {type: unsigned, count: n, access: both, fill: random}
  other:  {type: unsigned, count: n, access: both, fill: 0}
grid: n
block: 64
useful: 0
checks: 1
*/
// SPDX-License-Identifier: MIT
__device__ unsigned arrived;
__device__ volatile unsigned generation;

__device__ void wait_for_all()
{
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned g = generation;
        __threadfence();
        if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
            arrived = 0;
            __threadfence();
            generation = g + 1;
        } else
            while (generation == g) __nanosleep(20);
        __threadfence();
    }
    __syncthreads();
}
// Everyone hands its number, plus one, to the right.
__global__ void ring(unsigned *values, unsigned *other, size_t n, size_t turns)
{
    volatile unsigned *from = values, *to = other;
    for (size_t k = 0; k < turns; k++) {
        if (threadIdx.x == 0) to[(blockIdx.x + 1) % n] = from[blockIdx.x] + 1;
        wait_for_all();
        volatile unsigned *t = from;
        from = to, to = t;
    }
}
__device__ bool check(size_t, const unsigned *values, const unsigned *values_before, const unsigned *other, size_t n,
    size_t turns)
{
    const unsigned *last = turns % 2 ? other : values;
    for (size_t i = 0; i < n; i++)
        if (last[(i + turns) % n] != values_before[i] + turns) return false;
    return true;
}
