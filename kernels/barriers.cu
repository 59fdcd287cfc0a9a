/*
about: "Threads wait for each other again and again and do nothing else: what does one barrier cost?"
params:
  n:     {default: 256, min: 32, about: "threads, a multiple of the block"}
  turns: {default: 256, min: 1, about: barriers}
  variant:
    default: block
    one_of: [warp, tile, block, grid]
    about: >
      warp: __syncwarp; tile: a cooperative group of 16 lanes; block: __syncthreads; grid: all blocks, which needs
      `cooperative: true`
buffers:
  said:  {type: unsigned, count: n, access: write}
  heard: {type: unsigned, count: n, access: write}
reports:
  cycles: {type: double, unit: cycles, about: "cycles a barrier, by the SM's own counter, as the first thread sees it"}
threads: n
useful: 0
checks: n
needs: n % block == 0
*/
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Who waits for whom: as many threads as `scope` says stand together.
template <class barrier>
__device__ void meet(unsigned *said, unsigned *heard, unsigned scope, size_t turns, double *cycles, barrier wait)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    volatile unsigned *place = said;
    place[i] = i;
    wait();
    const long long start = clock64();
    for (size_t k = 0; k < turns; k++) wait();
    const long long stop = clock64();
    heard[i] = place[i / scope * scope + scope - 1 - i % scope]; // what the one opposite has said
    if (i == 0) *cycles = (double)(stop - start) / turns;
}

extern "C" __global__ void barriers_warp(unsigned *said, unsigned *heard, size_t turns, double *cycles)
{
    meet(said, heard, 32, turns, cycles, [] { __syncwarp(); });
}

extern "C" __global__ void barriers_tile(unsigned *said, unsigned *heard, size_t turns, double *cycles)
{
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    meet(said, heard, 16, turns, cycles, [=] { tile.sync(); });
}

extern "C" __global__ void barriers_block(unsigned *said, unsigned *heard, size_t turns, double *cycles)
{
    meet(said, heard, blockDim.x, turns, cycles, [] { __syncthreads(); });
}

extern "C" __global__ void barriers_grid(unsigned *said, unsigned *heard, size_t turns, double *cycles)
{
    const auto grid = cg::this_grid();
    meet(said, heard, blockDim.x * gridDim.x, turns, cycles, [=] { grid.sync(); });
}

// Each thread has spoken, and it was heard by the one that it has heard.
__device__ bool check(size_t i, const unsigned *said, const unsigned *heard)
{
    return said[i] == i && heard[heard[i]] == i;
}
