/*
about: Blocks of 1024 threads, one or two more than fit at once.
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
// Has to be found first: tail; flawed grid: 265, loops: 2; clean grid: 264, loops: 2
// (The grid is given, so that it is looked at as it is. Of 64 loops there is room for some blocks only; they stand for
// all, on a part of the device, and there the last round is not to be seen: the model gives it 0.1 %.)
__device__ void go(const float *in, float *out, int loops)
{
    int i = blockIdx.x * 1024 + threadIdx.x;
    float s = 0;
    for (int k = 0; k < loops; k++) s += in[(size_t)k * gridDim.x * 1024 + i];
    out[i] = s;
}
extern "C" __global__ void waves_of_flawed(const float *in, float *out, int loops) { go(in, out, loops); }
extern "C" __global__ void waves_of_clean(const float *in, float *out, int loops) { go(in, out, loops); }
