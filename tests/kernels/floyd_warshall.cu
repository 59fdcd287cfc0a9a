/*
about: All shortest ways of a ring, a launch a node between (after Floyd, algorithm 97).
params: {n: 24}
buffers:
  d: {type: int, count: n * n, access: both, fill: "i / n == i % n ? 0 : (i % n == (i / n + 1) % n ? 1 : 1000)"}
sequence: [{launch: relax, repeat: n, arguments: {k: step}}]
threads: [n, n]
block: [8, 8]
*/
__global__ void relax(int *d, int n, int k)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && j < n) d[i * n + j] = min(d[i * n + j], d[i * n + k] + d[k * n + j]);
}
__device__ bool check(size_t i, const int *d, int n) { return d[i] == (int)((i % n + n - i / n) % n); }
