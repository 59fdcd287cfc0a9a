/*
about: "Steps of the Collatz sequence: each thread's time is its own."
params:
  n: {default: 2Mi, min: 1, about: numbers}
buffers:
  start: {type: unsigned, count: n, access: read, fill: "(i * 48271u) % 1000003 + 1"}
  steps: {type: int, count: n, access: write}
threads: n
useful: 2 * n * sizeof(int)
*/
// SPDX-License-Identifier: MIT
__device__ int steps_of(unsigned long long v)
{
    int s = 0;
    for (; v != 1; s++) v = v % 2 ? 3 * v + 1 : v / 2;
    return s;
}
__global__ void collatz(const unsigned *start, int *steps, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) steps[i] = steps_of(start[i]);
}
__device__ bool check(size_t i, const unsigned *start, const int *steps) { return steps[i] == steps_of(start[i]); }
