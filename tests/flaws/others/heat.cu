/*
about: Seven-point stencil on a cube.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  s: {default: 96}
buffers:
  in: {type: float, count: s * s * s, access: read, fill: random}
  out: {type: float, count: s * s * s, access: write}
block: [32, 4, 2]
grid: [s / 32, s / 4, s / 2]
*/
// SPDX-License-Identifier: MIT
// Has to be found first: overfetch
#define STENCIL(x, y, z)                                                                                             \
    if (x < 1 || y < 1 || z < 1 || x >= s - 1 || y >= s - 1 || z >= s - 1)                                           \
        return;                                                                                                      \
    int at = (z * s + y) * s + x;                                                                                    \
    out[at] = 0.4f * in[at] +                                                                                        \
              0.1f * (in[at - 1] + in[at + 1] + in[at - s] + in[at + s] + in[at - s * s] + in[at + s * s]);
extern "C" __global__ void heat_flawed(const float *in, float *out, int s)
{
    int z = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
        x = blockIdx.z * blockDim.z + threadIdx.z;
    STENCIL(x, y, z)
}
extern "C" __global__ void heat_clean(const float *in, float *out, int s)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
        z = blockIdx.z * blockDim.z + threadIdx.z;
    STENCIL(x, y, z)
}
