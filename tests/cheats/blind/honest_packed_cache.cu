/*
about: "Sums of 4096 neighbours each, a block a sum."
params:
  n: {default: 64Mi, min: 4096, about: "elements, a multiple of 4096"}
buffers:
  in:  {type: int, count: n, access: read, fill: random}
  out: {type: int, count: n // 4096, access: write}
grid: n // 4096
block: 256
useful: n * 4
*/
// SPDX-License-Identifier: MIT
__device__ int all(int v)
{
    __shared__ int part[8];
    for (int by = 16; by; by /= 2) v += __shfl_xor_sync(~0u, v, by);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 8; k++) sum += part[k];
    return sum;
}

extern "C" __global__ void sums(const int *in, int *out)
{
    int sum = 0;
    const int4 *from = (const int4 *)(in + (size_t)blockIdx.x * 4096);
    for (int k = 0; k < 4; k++) {
        const int4 v = from[k * 256 + threadIdx.x];
        sum += v.x + v.y + v.z + v.w;
    }
    sum = all(sum);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__device__ int expected(size_t i, const int *in)
{
    int sum = 0;
    for (int k = 0; k < 4096; k++) sum += in[i * 4096 + k];
    return sum;
}
