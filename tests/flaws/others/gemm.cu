/*
about: C = A^T B with tiles of 32 x 32 in shared memory.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  m: {default: 256}
buffers:
  a: {type: float, count: m * m, access: read, fill: random}
  b: {type: float, count: m * m, access: read, fill: random}
  c: {type: float, count: m * m, access: write}
block: [32, 32]
grid: [m / 32, m / 32]
*/
// SPDX-License-Identifier: MIT
// Has to be found first: bank_conflicts
template <int PAD> __device__ void product(const float *a, const float *b, float *c, int m)
{
    __shared__ float ta[32][32 + PAD], tb[32][32 + PAD];
    int x = threadIdx.x, y = threadIdx.y;
    float sum = 0;
    for (int t = 0; t < m; t += 32)
    {
        ta[x][y] = a[(blockIdx.y * 32 + y) * m + t + x];
        tb[y][x] = b[(t + y) * m + blockIdx.x * 32 + x];
        __syncthreads();
        for (int k = 0; k < 32; k++) sum += ta[k][y] * tb[k][x];
        __syncthreads();
    }
    c[(blockIdx.y * 32 + y) * m + blockIdx.x * 32 + x] = sum;
}
extern "C" __global__ void gemm_flawed(const float *a, const float *b, float *c, int m) { product<0>(a, b, c, m); }
extern "C" __global__ void gemm_clean(const float *a, const float *b, float *c, int m) { product<1>(a, b, c, m); }
