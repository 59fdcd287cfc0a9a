/*
about: "Adds the coordinates to a box of odd edges, in three-dimensional blocks of 7 x 5 x 3."
params:
  n: {default: 251, min: 1, about: "edge; the box is n x (n + 2) x (n + 4)"}
buffers:
  in:  {type: int, count: n * (n + 2) * (n + 4), access: read, fill: random}
  out: {type: int, count: n * (n + 2) * (n + 4), access: write}
threads: [n, n + 2, n + 4]
block: [7, 5, 3]
useful: 2 * n * (n + 2) * (n + 4) * sizeof(int)
*/
// SPDX-License-Identifier: MIT
__global__ void box(const int *in, int *out, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= n || y >= n + 2 || z >= n + 4) return;
    const size_t i = ((size_t)z * (n + 2) + y) * n + x;
    out[i] = in[i] + x + 1000 * y + 1000000 * z;
}
__device__ bool check(size_t i, const int *in, const int *out, int n)
{
    return out[i] == in[i] + i % n + 1000 * (i / n % (n + 2)) + 1000000 * (i / n / (n + 2));
}
