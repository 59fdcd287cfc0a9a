/*
about: y = A x, a thread or a warp for each row.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  rows: {default: 16Ki}
  columns: {default: 128}
buffers:
  a: {type: float, count: rows * columns, access: read, fill: random}
  x: {type: float, count: columns, access: read, fill: random}
  y: {type: float, count: rows, access: write}
block: 256
threads: "variant == 'flawed' and rows or 32 * rows"
*/
// SPDX-License-Identifier: MIT
// Has to be found first: overfetch
extern "C" __global__ void matvec_flawed(const float *a, const float *x, float *y, int rows, int columns)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float s = 0;
    for (int c = 0; c < columns; c++) s += a[r * columns + c] * x[c];
    y[r] = s;
}
extern "C" __global__ void matvec_clean(const float *a, const float *x, float *y, int rows, int columns)
{
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    float s = 0;
    for (int c = lane; c < columns; c += 32) s += a[r * columns + c] * x[c];
    for (int d = 16; d; d /= 2) s += __shfl_xor_sync(~0u, s, d);
    if (lane == 0) y[r] = s;
}
