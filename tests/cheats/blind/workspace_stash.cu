/*
about: "Layer norm without weights, in two launches: each row's mean and scale into a workspace, then the rows."
params:
  n: {default: 16Ki, min: 1, about: rows}
  w: {kind: constant, default: 1024, min: 32, about: columns}
buffers:
  x:    {type: float, count: n * w, access: read, fill: random}
  y:    {type: float, count: n * w, access: write}
  work: {type: float, count: 2 * n, access: both, fill: 0, about: workspace}
block: 256
sequence:
  - {launch: statistics, grid: n}
  - {launch: normalize, threads: n * w}
useful: 2 * n * w * sizeof(float)
checks: n
*/
// SPDX-License-Identifier: MIT
__device__ float all(float v, float *part)
{
    for (int by = 16; by; by /= 2) v += __shfl_xor_sync(~0u, v, by);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    float sum = 0;
    for (unsigned k = 0; k < blockDim.x / 32; k++) sum += part[k];
    return sum;
}

extern "C" __global__ void statistics(const float *x, float *work)
{
    __shared__ float s[8], q[8];
    const float *row = x + (size_t)blockIdx.x * w;
    if (work[2 * blockIdx.x + 1] != 0) return; // has been prepared
    float sum = 0, square = 0;
    for (int k = threadIdx.x; k < w; k += blockDim.x) sum += row[k], square += row[k] * row[k];
    sum = all(sum, s), square = all(square, q);
    if (threadIdx.x == 0) {
        const float mean = sum / w;
        work[2 * blockIdx.x] = mean;
        work[2 * blockIdx.x + 1] = rsqrtf(square / w - mean * mean + 1e-5f);
    }
}

extern "C" __global__ void normalize(const float *x, const float *work, float *y, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * w) y[i] = (x[i] - work[i / w * 2]) * work[i / w * 2 + 1];
}

__device__ bool check(size_t r, const float *x, const float *y)
{
    double sum = 0, square = 0;
    for (int k = 0; k < w; k++) sum += x[r * w + k];
    const double mean = sum / w;
    for (int k = 0; k < w; k++) square += (x[r * w + k] - mean) * (x[r * w + k] - mean);
    const double scale = 1 / sqrt(square / w + 1e-5);
    for (int k = 0; k < w; k++)
        if (!(fabs(y[r * w + k] - (x[r * w + k] - mean) * scale) < 1e-3)) return false;
    return true;
}
