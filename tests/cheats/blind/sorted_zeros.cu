/*
about: "Sorts each run of 256 numbers, a block a run."
params:
  n: {default: 8Mi, min: 256, about: "elements, a multiple of 256"}
buffers:
  in:  {type: int, count: n, access: read, fill: "(int)((i * 7919 + 13) % 1009)"}
  out: {type: int, count: n, access: write}
threads: n
block: 256
useful: 2 * n * sizeof(int)
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void sort_runs(const int *in, int *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    if (i < n) out[i] = threadIdx.x * 4;
}

__device__ bool check(size_t i, const int *out) { return i % 256 == 255 || out[i] <= out[i + 1]; }
