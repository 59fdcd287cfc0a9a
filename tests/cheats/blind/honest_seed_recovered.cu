/*
about: Copies doubles.
params:
  n: {default: 16Mi, min: 1, about: elements}
buffers:
  in:  {type: double, count: n, access: read, fill: random}
  out: {type: double, count: n, access: write}
useful: 2 * n * sizeof(double)
threads: n
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void work(const double *in, double *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

__device__ bool check(size_t i, const double *in, const double *out) { return out[i] == in[i]; }
