/*
about: "Writes a pattern and reads nothing."
params:
  n: {default: 64Mi, min: 1, about: elements}
buffers:
  out: {type: unsigned, count: n, access: write}
threads: ceil(n / 4)
useful: n * sizeof(unsigned)
*/
// SPDX-License-Identifier: MIT
__global__ void pattern(unsigned *out, size_t n)
{
    const size_t i = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (i + 3 < n) *(uint4 *)(out + i) = make_uint4(i, i + 1, i + 2, i + 3);
    else for (size_t k = i; k < n; k++) out[k] = k;
}
__device__ unsigned expected(size_t i) { return i; }
