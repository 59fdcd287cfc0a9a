/*
about: "Pascal's triangle modulo a prime, an odd number of launches that swap two buffers."
params:
  n: {default: 1Mi, min: 2, about: elements}
buffers:
  from: {type: unsigned, count: n, access: both, fill: "i == 0"}
  to:   {type: unsigned, count: n, access: both, fill: 0}
sequence:
  - {launch: row, repeat: 33, swap: [from, to]}
threads: n
useful: 66 * n * sizeof(unsigned)
checks: n
*/
// SPDX-License-Identifier: MIT
__global__ void row(const unsigned *from, unsigned *to, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = (from[i] + (i ? from[i - 1] : 0)) % 1000003;
}
// C(33, i) by Pascal's rule, in registers.
__device__ bool check(size_t i, const unsigned *from)
{
    unsigned c[34];
    for (int k = 0; k < 34; k++) c[k] = k == 0;
    for (int s = 0; s < 33; s++)
        for (int k = 33; k > 0; k--) c[k] = (c[k] + c[k - 1]) % 1000003;
    return from[i] == (i < 34 ? c[i] : 0);
}
