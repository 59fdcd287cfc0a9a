/*
about: >
  All blocks of a cooperative grid meet twice, and read what others wrote before (after the grid sync of the guide).
params:
  n: {default: 1Ki}
buffers:
  a: {type: int, count: n, access: write}
  b: {type: int, count: n, access: write}
block: 64
threads: n
*/
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void grid_sync(int *a, int *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i * 3;
    cg::this_grid().sync();
    b[i] = a[n - 1 - i];
    cg::this_grid().sync();
    a[i] = b[(i + 64) % n];
}
__device__ bool check(size_t i, const int *a, const int *b, int n)
{
    return b[i] == (n - 1 - (int)i) * 3 && a[i] == (n - 1 - (int)((i + 64) % n)) * 3;
}
