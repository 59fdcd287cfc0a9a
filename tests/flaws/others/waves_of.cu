/*
about: Long blocks of 1024 threads, one or two more than fit at once.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  loops: {default: 64}
buffers:
  in: {type: float, count: 300 * 1024 * loops, access: read, fill: 1}
  out: {type: float, count: 300 * 1024, access: write}
block: 1024
grid: "variant == 'flawed' and 265 or 264"
*/
// SPDX-License-Identifier: MIT
// Has to be found first: tail
__device__ void go(const float *in, float *out, int loops)
{
    int i = blockIdx.x * 1024 + threadIdx.x;
    float s = 0;
    for (int k = 0; k < loops; k++) s += in[(size_t)k * gridDim.x * 1024 + i];
    out[i] = s;
}
extern "C" __global__ void waves_of_flawed(const float *in, float *out, int loops) { go(in, out, loops); }
extern "C" __global__ void waves_of_clean(const float *in, float *out, int loops) { go(in, out, loops); }
