/*
about: "Every thread adds a number to a sum: one sum for all, one a block, one a thread; or first in shared memory,
    then once a block."
params:
  n: {default: 1Mi, min: 1, max: 4Mi, about: "threads; the sums of up to 4Mi stay exact as float"}
  T: {kind: type, default: int, one_of: [int, float], about: type of the sums}
  to:
    kind: constant
    default: one
    one_of: [one, block, own, shared]
    about: "one: a single sum; block: one a block; own: one a thread; shared: the block's sum in shared memory, added to
        the single one at the end"
buffers:
  sum: {type: T, count: n, access: both, fill: code}
threads: n
useful: n * sizeof(T)
*/
__device__ T fill_sum(size_t i) { return 0; }

__device__ T value(size_t i) { return i % 8; }

extern "C" __global__ void atomics(T *sum, size_t n)
{
    __shared__ T of_block;
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (to != to_shared) {
        if (i < n) atomicAdd(&sum[to == to_one ? 0 : to == to_block ? blockIdx.x : i], value(i));
        return;
    }
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    if (i < n) atomicAdd(&of_block, value(i));
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&sum[0], of_block);
}

// Blocks have 256 threads.
__device__ bool check(size_t i, const T *sum, const T *sum_before, size_t n)
{
    const size_t first = to == to_own ? i : to == to_block ? i * 256 : i ? n : 0;
    const size_t count = to == to_own ? 1 : to == to_block ? 256 : n;
    T all = sum_before[i];
    for (size_t k = first; k < n && k < first + count; k++) all += value(k);
    return sum[i] == all;
}
