/*
about: A polynomial with all its powers in registers.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  n: {default: 512Ki}
buffers:
  in: {type: float, count: 64 * n, access: read, fill: 1}
  out: {type: float, count: n, access: write}
threads: n
block: 256
*/
// SPDX-License-Identifier: MIT
// Has to be found first: spills
template <int> __device__ void polynomial(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float c[64];
#pragma unroll
    for (int k = 0; k < 64; k++)
        c[k] = in[k * n + i];
#pragma unroll
    for (int r = 0; r < 8; r++)
#pragma unroll
        for (int k = 0; k < 64; k++)
            c[k] = c[k] * c[(k * 7 + 3 + r) % 64] + c[(k * 5 + 1) % 64];
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 64; k++)
        sum += c[k];
    out[i] = sum;
}
extern "C" __global__ void __launch_bounds__(256, 8) polynomial_flawed(const float *in, float *out, int n)
{
    polynomial<0>(in, out, n);
}
extern "C" __global__ void __launch_bounds__(256, 2) polynomial_clean(const float *in, float *out, int n)
{
    polynomial<1>(in, out, n);
}
