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
__device__ unsigned up(unsigned v, int lane) // running sums of a warp
{
    for (int d = 1; d < 32; d *= 2) {
        const unsigned left = __shfl_up_sync(~0u, v, d);
        if (lane >= d) v += left;
    }
    return v;
}

extern "C" __global__ void __launch_bounds__(1024) row_scan(const unsigned *in, unsigned *out, size_t rows)
{
    __shared__ unsigned sums[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const size_t i = (size_t)blockIdx.x * 1024 + threadIdx.x;
    uint4 v = ((const uint4 *)in)[i];
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    const unsigned all = up(v.w, lane);
    if (lane == 31) sums[warp] = all;
    __syncthreads();
    const unsigned warps = up(sums[lane], lane), left = __shfl_sync(~0u, warps, warp > 0 ? warp - 1 : 0);
    const unsigned b = all - v.w + (warp > 0 ? left : 0);
    ((uint4 *)out)[i] = make_uint4(b + v.x, b + v.y, b + v.z, b + v.w);
}

__device__ bool check(size_t i, const unsigned *in, const unsigned *out)
{
    return out[i] == (i % 4096 ? out[i - 1] : 0) + in[i];
}
