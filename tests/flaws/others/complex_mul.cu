/*
about: Products of complex numbers that lie in shared memory, interleaved with a stride, or in two arrays.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  n: {default: 256Ki}
buffers:
  in: {type: float, count: 2 * n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
block: 256
*/
// SPDX-License-Identifier: MIT
// Has to be found first: bank_conflicts
extern "C" __global__ void complex_mul_flawed(const float *in, float *out, int n)
{
    __shared__ float s[256 * 8];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[8 * t] = in[i];
    s[8 * t + 4] = in[n + i];
    __syncthreads();
    float re = 1, im = 0;
    for (int k = 0; k < 32; k++)
    {
        int j = (t + k) & 255;
        float a = s[8 * j], b = s[8 * j + 4], r = re * a - im * b;
        im = re * b + im * a;
        re = r;
    }
    out[i] = re + im;
}
extern "C" __global__ void complex_mul_clean(const float *in, float *out, int n)
{
    __shared__ float x[256], y[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    x[t] = in[i];
    y[t] = in[n + i];
    __syncthreads();
    float re = 1, im = 0;
    for (int k = 0; k < 32; k++)
    {
        int j = (t + k) & 255;
        float a = x[j], b = y[j], r = re * a - im * b;
        im = re * b + im * a;
        re = r;
    }
    out[i] = re + im;
}
