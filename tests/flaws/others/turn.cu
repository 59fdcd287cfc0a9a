/*
about: Turns an image by 90 degrees.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  w: {default: 1024}
buffers:
  in: {type: float, count: w * w, access: read, fill: random}
  out: {type: float, count: w * w, access: write}
block: [32, 8]
grid: [w / 32, w / 32]
*/
// SPDX-License-Identifier: MIT
// Has to be found first: overfetch
extern "C" __global__ void turn_flawed(const float *in, float *out, int w)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int y = blockIdx.y * 32 + threadIdx.y; y < blockIdx.y * 32 + 32; y += 8)
        out[x * w + w - 1 - y] = in[y * w + x];
}
extern "C" __global__ void turn_clean(const float *in, float *out, int w)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int k = threadIdx.y; k < 32; k += 8)
        tile[k][threadIdx.x] = in[(blockIdx.y * 32 + k) * w + x];
    __syncthreads();
    for (int k = threadIdx.y; k < 32; k += 8)
        out[(blockIdx.x * 32 + k) * w + w - 32 - blockIdx.y * 32 + threadIdx.x] = tile[31 - threadIdx.x][k];
}
