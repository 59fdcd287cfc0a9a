/*
about: A total for each row, or each column, of a matrix.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  rows: {default: 65536}
  columns: {default: 32}
buffers:
  in: {type: float, count: rows * columns, access: read, fill: random}
  out: {type: float, count: rows, access: write}
threads: rows
*/
// SPDX-License-Identifier: MIT
// Has to be found first: overfetch
extern "C" __global__ void totals_flawed(const float *in, float *out, int rows, int columns)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float sum = 0;
    for (int c = 0; c < columns; c++) sum += in[r * columns + c];
    out[r] = sum;
}
extern "C" __global__ void totals_clean(const float *in, float *out, int rows, int columns)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float sum = 0;
    for (int c = 0; c < columns; c++) sum += in[c * rows + r];
    out[r] = sum;
}
