/*
about: Sums of tiles of a block, by cooperative groups.
params: {n: 1000, TILE: {kind: constant, default: 16, one_of: [4, 8, 16, 32]}}
buffers:
  in: {type: uint, count: n, access: read, fill: index}
  out: {type: uint, count: ceil(n / TILE), access: write}
threads: n
*/
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void tiles(const uint *in, uint *out, uint n)
{
    cg::thread_block_tile<TILE> tile = cg::tiled_partition<TILE>(cg::this_thread_block());
    size_t i = cg::this_grid().thread_rank();
    uint sum = cg::reduce(tile, i < n ? in[i] : 0u, cg::plus<uint>());
    if (tile.thread_rank() == 0 && i < n) out[i / TILE] = sum;
}
__device__ bool check(size_t i, const uint *in, const uint *out, size_t n)
{
    uint sum = 0;
    for (size_t k = i * TILE; k < n && k < (i + 1) * TILE; k++) sum += in[k];
    return out[i] == sum;
}
