/*
about: sorts tiles of keys by CUB and sums each by a warp
params: {tiles: 8}
buffers:
  d_in:  {type: int, count: 512 * tiles, access: read, fill: i * 7919 % 1009}
  d_out: {type: int, count: 512 * tiles, access: write}
  sums:  {type: int, count: tiles * 4, access: write}
entry: BlockSortKernel<128, 4>
grid: tiles
block: 128
checks: 512 * tiles
*/
#include <cub/block/block_load.cuh>
#include <cub/block/block_store.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/warp/warp_reduce.cuh>

template <int BLOCK_THREADS, int ITEMS_PER_THREAD>
__launch_bounds__(BLOCK_THREADS) __global__ void BlockSortKernel(const int *d_in, int *d_out, int *sums)
{
    using BlockLoadT = cub::BlockLoad<int, BLOCK_THREADS, ITEMS_PER_THREAD, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using BlockStoreT = cub::BlockStore<int, BLOCK_THREADS, ITEMS_PER_THREAD, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    using BlockRadixSortT = cub::BlockRadixSort<int, BLOCK_THREADS, ITEMS_PER_THREAD>;
    __shared__ union {
        typename BlockLoadT::TempStorage load;
        typename BlockStoreT::TempStorage store;
        typename BlockRadixSortT::TempStorage sort;
        typename cub::WarpReduce<int>::TempStorage reduce[BLOCK_THREADS / 32];
    } temp_storage;
    int keys[ITEMS_PER_THREAD];
    int block_offset = blockIdx.x * (BLOCK_THREADS * ITEMS_PER_THREAD);
    BlockLoadT(temp_storage.load).Load(d_in + block_offset, keys);
    __syncthreads();
    BlockRadixSortT(temp_storage.sort).Sort(keys);
    __syncthreads();
    BlockStoreT(temp_storage.store).Store(d_out + block_offset, keys);
    __syncthreads();
    int mine = 0;
    for (int k = 0; k < ITEMS_PER_THREAD; k++) mine += keys[k];
    int sum = cub::WarpReduce<int>(temp_storage.reduce[threadIdx.x / 32]).Sum(mine);
    if (threadIdx.x % 32 == 0) sums[blockIdx.x * (BLOCK_THREADS / 32) + threadIdx.x / 32] = sum;
}
__device__ bool check(size_t i, const int *d_in, const int *d_out, const int *sums)
{
    size_t tile = i / 512 * 512;
    int below = 0, same = 0, total = 0;
    for (int k = 0; k < 512; k++) below += d_in[tile + k] < d_out[i], same += d_in[tile + k] == d_out[i];
    if (below > i % 512 || below + same <= i % 512) return false;
    for (int k = 0; k < 128; k++) total += d_out[i / 128 * 128 + k];
    return sums[i / 128] == total;
}
