/*
about: "Floyd's shortest paths: n launches of n x n threads each."
params:
  n: {default: 128, min: 2, about: nodes}
buffers:
  d: {type: int, count: n * n, access: both,
    fill: "i % 128 == i / 128 ? 0 : (i / 128 * 7919 + i % 128 * 104729) % 1000 + 1"}
sequence:
  - {launch: relax, repeat: n, arguments: {k: step}}
threads: [n, n]
block: [32, 4]
useful: 2 * n * n * n * sizeof(int)
*/
// SPDX-License-Identifier: MIT
__global__ void relax(int *d, int n, int k)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) {
        const int via = d[y * n + k] + d[k * n + x];
        if (x != k && y != k && via < d[y * n + x]) d[y * n + x] = via;
    }
}
// No way over one more node is shorter, and none is longer than the edge itself.
__device__ bool check(size_t i, const int *d, const int *d_before, int n)
{
    const int x = i % n, y = i / n;
    bool made = d[i] == d_before[i];
    if (d[i] > d_before[i]) return false;
    for (int k = 0; k < n; k++) {
        if (d[y * n + k] + d[k * n + x] < d[i]) return false;
        if (k != x && k != y && d[y * n + k] + d[k * n + x] == d[i]) made = true;
    }
    return made;
}
