/*
about: "Softmax of each row, a block a row."
params:
  n: {default: 4Ki, min: 1, about: rows}
  w: {kind: constant, default: 16Ki, min: 256, about: columns}
buffers:
  x: {type: float, count: n * w, access: read, fill: random}
  y: {type: float, count: n * w, access: write}
grid: n
block: 256
useful: 2 * n * w * sizeof(float)
checks: n
*/
// SPDX-License-Identifier: MIT
__device__ float largest(float v, float *part)
{
    for (int by = 16; by; by /= 2) v = fmaxf(v, __shfl_xor_sync(~0u, v, by));
    __syncthreads();
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    for (int k = 0; k < 8; k++) v = fmaxf(v, part[k]);
    return v;
}

__device__ float total(float v, float *part)
{
    for (int by = 16; by; by /= 2) v += __shfl_xor_sync(~0u, v, by);
    __syncthreads();
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    v = 0;
    for (int k = 0; k < 8; k++) v += part[k];
    return v;
}

extern "C" __global__ void softmax(const float *x, float *y)
{
    __shared__ float part[8];
    const float *row = x + (size_t)blockIdx.x * w;
    float *to = y + (size_t)blockIdx.x * w;
    float m = -INFINITY, s = 0;
    for (int k = threadIdx.x; k < w; k += blockDim.x) m = fmaxf(m, row[k]);
    m = largest(m, part);
    for (int k = threadIdx.x; k < w; k += blockDim.x) s += expf(row[k] - m);
    s = total(s, part);
    for (int k = threadIdx.x; k < w; k += blockDim.x) to[k] = expf(row[k] - m) / s;
}

__device__ bool check(size_t r, const float *x, const float *y)
{
    double sum = 0;
    for (int k = 0; k < w; k++) sum += exp((double)x[r * w + k]);
    for (int k = 0; k < w; k++)
        if (!(fabs(y[r * w + k] * sum - exp((double)x[r * w + k])) < 1e-3)) return false;
    return true;
}
