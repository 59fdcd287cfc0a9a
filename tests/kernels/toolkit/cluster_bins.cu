/*
about: Histogram whose bins are spread over the shared memory of a cluster of two blocks.
params: {n: 8Ki}
buffers:
  in:   {type: int, count: n, access: read, fill: "i * 7 % 64"}
  bins: {type: int, count: 64, access: both, fill: 0}
threads: n
block: 256
*/
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) clusterHist(const int *in, int *bins, int n)
{
    __shared__ int smem[32];
    cg::cluster_group cluster = cg::this_cluster();
    int rank = cluster.block_rank();
    if (threadIdx.x < 32) smem[threadIdx.x] = 0;
    cluster.sync();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int bin = in[i];
        int *dst = cluster.map_shared_rank(smem, bin / 32);
        atomicAdd(dst + bin % 32, 1);
    }
    cluster.sync();
    if (threadIdx.x < 32) atomicAdd(&bins[rank * 32 + threadIdx.x], smem[threadIdx.x]);
}
__device__ int expected(size_t i, const int *in, int n)
{
    int s = 0;
    for (int k = 0; k < n; k++) s += in[k] == i;
    return s;
}
