/*
about: Moves particles by one step.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  n: {default: 512Ki}
buffers:
  p: {type: float, count: 8 * n, access: both, fill: random}
threads: n
*/
// SPDX-License-Identifier: MIT
// Has to be found first: overfetch
struct particle { float x, y, z, vx, vy, vz, mass, charge; };
extern "C" __global__ void particles_flawed(float *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    particle *q = (particle *)p + i;
    q->x += 0.01f * q->vx;
}
extern "C" __global__ void particles_clean(float *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    p[i] += 0.01f * p[3 * n + i];
}
