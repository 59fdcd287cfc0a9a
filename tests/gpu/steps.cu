/*
about: A chain of small launches, each of which adds one. What a sequence costs beside the same loop written by hand.
params:
  n:     {default: 64Ki, min: 1, about: elements}
  count: {default: 1000, min: 1, max: 20000, about: launches}
buffers:
  from: {type: int, count: n, access: both}
  to:   {type: int, count: n, access: write}
threads: n
sequence:
  - {launch: add_one, repeat: count, swap: [from, to]}
*/
extern "C" __global__ void add_one(const int *from, int *to, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i] + 1;
}

__device__ bool check(size_t i, const int *from, const int *from_before, size_t count)
{
    return from[i] == from_before[i] + (int)count;
}
