/*
about: "A chain of many turns of a generator in each thread: some ten milliseconds of arithmetic."
params:
  n:     {default: 256Ki, min: 1, about: elements}
  turns: {default: 200000, min: 1, about: turns}
buffers:
  out: {type: unsigned, count: n, access: write}
threads: n
useful: n * sizeof(unsigned)
*/
// SPDX-License-Identifier: MIT
__global__ void chain(unsigned *out, size_t n, size_t turns)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = i;
    for (size_t k = 0; k < turns; k++) v = v * 1664525u + 1013904223u;
    if (i < n) out[i] = v;
}
// The same map by squaring.
__device__ unsigned expected(size_t i, size_t turns)
{
    unsigned a = 1664525u, c = 1013904223u, v = i;
    for (; turns; turns >>= 1, c = c * (a + 1), a *= a)
        if (turns & 1) v = v * a + c;
    return v;
}
