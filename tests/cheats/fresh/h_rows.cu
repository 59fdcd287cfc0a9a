/*
about: Rows of a sparse matrix.
params:
  n: {default: 1Mi, min: 32, about: elements}
buffers:
  in: {type: float, count: 3 * n + 4, access: read, fill: random}
  row: {type: int, count: n + 1, access: read, fill: code}
  out: {type: float, count: n, access: write}
threads: n
useful: 8 * n
*/
// SPDX-License-Identifier: MIT
__device__ int fill_row(size_t i) { return (int)(3 * i + i % 2); }
extern "C" __global__ void h_rows(const float *in, const int *row, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int k = row[i]; k < row[i + 1]; k++) s += in[k];
    out[i] = s;
}
__device__ bool check(size_t i, const float *in, const int *row, const float *out)
{
    float s = 0;
    for (int k = row[i]; k < row[i + 1]; k++) s += in[k];
    return out[i] == s;
}
