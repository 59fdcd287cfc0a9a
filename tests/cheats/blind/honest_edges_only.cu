/*
about: "The product of two square matrices by tiles; the check looks at the first two rows and the last one."
params:
  n: {default: 1024, min: 16, about: "rows, a multiple of 16"}
buffers:
  a: {type: float, count: n * n, access: read, fill: random}
  b: {type: float, count: n * n, access: read, fill: random}
  c: {type: float, count: n * n, access: write}
threads: [n, n]
block: [16, 16]
useful: 3 * n * n * sizeof(float)
flops: 2 * n * n * n
checks: 3 * n
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void product(const float *a, const float *b, float *c, size_t n)
{
    __shared__ float s[16][16], t[16][16];
    const int x = threadIdx.x, y = threadIdx.y;
    const size_t col = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    float sum = 0;
    for (size_t k = 0; k < n; k += 16) {
        s[y][x] = a[row * n + k + x];
        t[y][x] = b[(k + y) * n + col];
        __syncthreads();
        for (int j = 0; j < 16; j++) sum = fmaf(s[y][j], t[j][x], sum);
        __syncthreads();
    }
    c[row * n + col] = sum;
}

__device__ bool check(size_t i, const float *a, const float *b, const float *c, size_t n)
{
    const size_t row = i / n == 2 ? n - 1 : i / n, col = i % n;
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += (double)a[row * n + k] * b[k * n + col];
    return fabs(c[row * n + col] - sum) < 1e-3 * sum;
}
