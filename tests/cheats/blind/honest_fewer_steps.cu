/*
about: "A wave on a ring, smoothed a hundred times: each element becomes the mean of its neighbours."
params:
  n: {default: 8Mi, min: 1024, about: "elements, a multiple of 1024"}
buffers:
  from: {type: float, count: n, access: both, fill: code}
  to:   {type: float, count: n, access: both, fill: code}
sequence:
  - {launch: smooth, repeat: 100, swap: [from, to], arguments: {step: step}}
threads: n
useful: 200 * n * sizeof(float)
checks: n
*/
// SPDX-License-Identifier: MIT
__device__ float wave(size_t i) { return sinpif((float)(i % 1024) / 512); }
__device__ float fill_from(size_t i) { return wave(i); }
__device__ float fill_to(size_t i) { return 0; }

extern "C" __global__ void smooth(const float *from, float *to, size_t n, int step)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = 0.5f * (from[i ? i - 1 : n - 1] + from[i + 1 < n ? i + 1 : 0]);
}

// Each step damps a wave of 1024 elements by the cosine of its angle.
__device__ bool check(size_t i, const float *from)
{
    return fabsf(from[i] - wave(i) * powf(cospif(1.0f / 512), 100)) < 5e-3f;
}
