/*
about: Conway's game of life on a torus; a glider is back in its form after four steps (after Gardner, 1970).
params: {n: 32, steps: 4}
buffers:
  from: {type: unsigned char, count: n * n, access: both,
         fill: "(i == 1 || i == n + 2 || i == 2 * n || i == 2 * n + 1 || i == 2 * n + 2) ? 1 : 0"}
  to:   {type: unsigned char, count: n * n, access: write}
sequence: [{launch: life, repeat: steps, swap: [from, to]}]
threads: [n, n]
block: [16, 16]
*/
__global__ void life(const unsigned char *from, unsigned char *to, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, alive = 0;
    if (x >= n || y >= n) return;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) alive += (dx || dy) && from[(y + dy + n) % n * n + (x + dx + n) % n];
    to[y * n + x] = alive == 3 || (alive == 2 && from[y * n + x]);
}
__device__ bool check(size_t i, const unsigned char *from, const unsigned char *from_before, int n)
{
    int x = (i % n + n - 1) % n, y = (i / n + n - 1) % n;
    return from[i] == from_before[y * n + x];
}
