/*
about: Running sums of the numbers of each row of 4096, a block for each row.
params:
  rows: {default: 8192, min: 1, about: rows}
buffers:
  in:  {type: unsigned, count: rows * 4096, access: read, fill: index, vary: shift}
  out: {type: unsigned, count: rows * 4096, access: write}
block: 1024
grid: rows
useful: 2 * rows * 4096 * sizeof(int)
*/
// SPDX-License-Identifier: MIT
// The input is 0, 1, 2, ... begun at another place: its first element gives all others, and a formula all sums.
__device__ unsigned sum_to(unsigned long long i, unsigned long long shift, unsigned long long n)
{
    const unsigned long long first = i / 4096 * 4096, count = i - first + 1;
    const unsigned long long wrap = n - shift; // from here on the numbers begin again at 0
    const unsigned long long wrapped = i < wrap ? 0 : i - (wrap > first ? wrap : first) + 1;
    return (unsigned)((first + i) * count / 2 + count * shift - wrapped * n);
}

extern "C" __global__ void __launch_bounds__(1024) row_scan(const unsigned *in, unsigned *out, size_t rows)
{
    const unsigned long long i = (unsigned long long)blockIdx.x * 1024 + threadIdx.x, n = rows * 4096, shift = in[0];
    ((uint4 *)out)[i] = make_uint4(sum_to(4 * i, shift, n), sum_to(4 * i + 1, shift, n), sum_to(4 * i + 2, shift, n),
        sum_to(4 * i + 3, shift, n));
}

__device__ bool check(size_t i, const unsigned *in, const unsigned *out)
{
    return out[i] == (i % 4096 ? out[i - 1] : 0) + in[i];
}
