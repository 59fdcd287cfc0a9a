/*
about: The sum of each piece of 16384 whole numbers.
params:
  pieces: {default: 4096, min: 1, max: 65536, about: pieces}
buffers:
  in:  {type: int, count: pieces * 16384, access: read, fill: index}
  out: {type: int, count: pieces, access: write}
block: 256
grid: pieces
useful: pieces * 16384 * sizeof(int)
*/
// SPDX-License-Identifier: MIT
constexpr int width = 16384;

extern "C" __global__ void piece_sum(const int *in, int *out)
{
    __shared__ int all;
    const int4 *piece = (const int4 *)(in + (size_t)blockIdx.x * width);
    if (threadIdx.x == 0) all = 0;
    __syncthreads();
    unsigned sum = 0;
    for (int k = threadIdx.x; k < width / 4; k += 256) {
        const int4 v = piece[k];
        sum += (unsigned)v.x + v.y + v.z + v.w;
    }
    for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) atomicAdd(&all, (int)sum);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = all;
}

__device__ int expected(size_t i, const int *in)
{
    unsigned sum = 0;
    for (int k = 0; k < width; k++) sum += in[i * width + k];
    return (int)sum;
}
