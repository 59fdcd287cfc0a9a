/*
about: "Waits a given number of cycles by the SM's clock, and says how many it took."
params:
  n:    {default: 1320, min: 1, about: blocks}
  wait: {default: 20000, min: 1, about: cycles}
buffers:
  done: {type: unsigned, count: n, access: write}
reports:
  cycles: {type: double, unit: cycles, about: "what the first block has waited"}
grid: n
block: 32
useful: 0
*/
// SPDX-License-Identifier: MIT
__global__ void wait_long(unsigned *done, size_t wait, double *cycles)
{
    const long long start = clock64();
    long long now = start;
    while (now - start < (long long)wait) now = clock64();
    if (threadIdx.x == 0) done[blockIdx.x] = blockIdx.x;
    if (blockIdx.x + threadIdx.x == 0) *cycles = now - start;
}
__device__ unsigned expected(size_t i) { return i; }
