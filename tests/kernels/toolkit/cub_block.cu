/*
about: A block's sum and its keys in order, by the Toolkit's CUB.
params: {n: 512, B: {kind: constant, default: 128}, ITEMS: {kind: constant, default: 2}}
buffers:
  in:     {type: int, count: n, access: read, fill: "(int)(i * 7919 % 1009)"}
  sorted: {type: int, count: n, access: write}
  sum:    {type: int, count: n / (B * ITEMS), access: write}
block: B
grid: n / (B * ITEMS)
*/
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
__global__ void sort_and_sum(const int *in, int *sorted, int *sum)
{
    using Sort = cub::BlockRadixSort<int, B, ITEMS>;
    using Reduce = cub::BlockReduce<int, B>;
    __shared__ union { typename Sort::TempStorage sort; typename Reduce::TempStorage reduce; } temp;
    int keys[ITEMS], mine = 0;
    for (int k = 0; k < ITEMS; k++) keys[k] = in[(blockIdx.x * B + threadIdx.x) * ITEMS + k], mine += keys[k];
    Sort(temp.sort).Sort(keys);
    for (int k = 0; k < ITEMS; k++) sorted[(blockIdx.x * B + threadIdx.x) * ITEMS + k] = keys[k];
    __syncthreads();
    int all = Reduce(temp.reduce).Sum(mine);
    if (!threadIdx.x) sum[blockIdx.x] = all;
}
__device__ bool check(size_t i, const int *in, const int *sorted, const int *sum)
{
    size_t first = i / (B * ITEMS) * (B * ITEMS);
    int less = 0, same = 0, all = 0;
    for (size_t k = first; k < first + B * ITEMS; k++)
        less += in[k] < sorted[i], same += in[k] == sorted[i], all += in[k];
    return sum[i / (B * ITEMS)] == all && first + less <= i && i < first + less + same;
}
