/*
about: Each element becomes its square.
params:
  n: {default: 1Mi, min: 1, about: elements}
buffers:
  in:  {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
useful: 2 * n * sizeof(float)
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void run_NAME(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * in[i];
}

// What is right, for every element: it is called after the first launch.
__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == in[i] * in[i]; }
