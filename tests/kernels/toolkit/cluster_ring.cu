/*
about: >
  Each block of a cluster adds to the shared memory of the next one (after the distributed histogram of the guide).
params: {n: {default: 1Ki}}
buffers: {a: {type: int, count: n, access: write}}
block: 32
threads: n
*/
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void cluster_ring(int *a)
{
    __shared__ int s[32];
    auto cl = cg::this_cluster();
    s[threadIdx.x] = threadIdx.x + 100 * cl.block_rank();
    cl.sync();
    int *o = cl.map_shared_rank(s, (cl.block_rank() + 1) % cl.num_blocks());
    atomicAdd(o + 31 - threadIdx.x, 1000);
    cl.sync();
    a[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x] + 10000 * cl.num_blocks();
}
__device__ bool check(size_t i, const int *a)
{
    return a[i] % 10000 == 1000 + (int)(i % 32) + 100 * (int)(i / 32 % (a[i] / 10000));
}
