/*
about: "Every thread adds a number to a sum. How many sums are there, and who shares one: neighbours, whole blocks, or
    blocks that have added up in shared memory first?"
params:
  n: {default: 1Mi, min: 1, max: 4Mi, about: "threads; the sums of up to 4Mi stay exact as float"}
  T: {kind: type, default: int, one_of: [int, float], about: type of the sums}
  places: {default: 1, min: 1, about: "how many sums there are; n is a multiple of it"}
  apart: {default: 1, min: 1, about: "words from one sum to the next"}
  to:
    kind: constant
    default: block
    one_of: [block, thread, shared]
    about: "block: all threads of a block add to one sum, the next block to the next; thread: each thread adds to the
        next sum; shared: as block, but the block adds up in shared memory first"
buffers:
  sum: {type: T, count: n, access: both, fill: code}
threads: n
useful: n * sizeof(T)
needs: n % places == 0 and places * apart <= n
*/
__device__ T fill_sum(size_t i) { return 0; }

__device__ T value(size_t i) { return i % 8; }

extern "C" __global__ void atomics(T *sum, size_t n, unsigned places, unsigned apart)
{
    __shared__ T of_block;
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    T *const mine = &sum[(to == to_thread ? (unsigned)i : blockIdx.x) % places * apart];
    if (to != to_shared) {
        if (i < n) atomicAdd(mine, value(i));
        return;
    }
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    if (i < n) atomicAdd(&of_block, value(i));
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(mine, of_block);
}

// Blocks have 256 threads: a share of that many goes to one place, the next to the next.
__device__ bool check(size_t i, const T *sum, const T *sum_before, size_t n, size_t places, size_t apart)
{
    const size_t share = to == to_thread ? 1 : 256;
    T all = sum_before[i];
    for (size_t first = i / apart * share; i % apart == 0 && i / apart < places && first < n; first += places * share)
        for (size_t k = first; k < n && k < first + share; k++) all += value(k);
    return sum[i] == all;
}
