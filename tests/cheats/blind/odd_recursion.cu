/*
about: "Ackermann's function by recursion, on each thread's own stack."
params:
  n: {default: 64Ki, min: 1, about: elements}
buffers:
  out: {type: unsigned, count: n, access: write}
threads: n
useful: n * sizeof(unsigned)
*/
// SPDX-License-Identifier: MIT
__device__ __noinline__ unsigned depth(unsigned m, unsigned k)
{
    if (m == 0) return k + 1;
    if (k == 0) return depth(m - 1, 1);
    return depth(m - 1, depth(m, k - 1));
}
__global__ void ackermann(unsigned *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = depth(2, i % 4);
}
__device__ unsigned expected(size_t i) { return 2 * (i % 4) + 3; }
