/*
about: Blocks make tensor maps of their own, each for a matrix of another size, and add one to it, box after box.
params:
  groups: {default: 5, min: 1, max: 64, about: matrices}
  width:  {default: 64, min: 4, about: "columns of the first, a multiple of 4; each has 4 more than the one before"}
  height: {default: 20, min: 1, about: "rows of the first; each has 3 fewer, and at least one"}
buffers:
  in:  {type: float, count: groups * (width + 4 * groups) * height, access: read, fill: index}
  out: {type: float, count: groups * (width + 4 * groups) * height, access: both, fill: index}
  maps: {type: uint4, count: 16 * groups, access: both}
arguments:
  from: {tensor: in, size: [width, height], box: [32, 8]}
  to: {tensor: out, size: [width, height], box: [32, 8]}
block: 128
grid: groups
*/
#include <cuda.h>

__device__ int columns(int group, int width) { return width + 4 * group; }
__device__ int rows(int group, int height) { return height > 3 * group ? height - 3 * group : 1; }

// One warp: a map for this block's matrix, made from another one in shared memory and handed on to global memory.
__device__ void make(void *to, unsigned *copy, const CUtensorMap *map, const float *base, int width, int height)
{
    const unsigned at = (unsigned)__cvta_generic_to_shared(copy), lane = threadIdx.x % 32;
    copy[lane] = ((const unsigned *)map)[lane];
    __syncwarp();
    if (lane == 0) {
        asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(at), "l"(base)
                     : "memory");
        asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 0, %1;" ::"r"(at), "r"(width)
                     : "memory");
        asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %1;" ::"r"(at), "r"(height)
                     : "memory");
        asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %1;" ::"r"(at),
                     "l"(4ull * width)
                     : "memory");
    }
    __syncwarp();
    asm volatile(
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(
            to),
        "r"(at)
        : "memory");
}

extern "C" __global__ void grouped(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to,
    const float *in, float *out, uint4 *maps, int width, int height)
{
    __shared__ __align__(128) float tile[8][32];
    __shared__ __align__(128) unsigned copy[2][32];
    __shared__ unsigned long long barrier;
    const int group = blockIdx.x, w = columns(group, width), h = rows(group, height);
    const unsigned box = (unsigned)__cvta_generic_to_shared(tile), bar = (unsigned)__cvta_generic_to_shared(&barrier);
    size_t first = 0;
    for (int g = 0; g < group; g++) first += (size_t)columns(g, width) * rows(g, height);
    uint4 *source = maps + 16 * group, *target = source + 8;
    if (threadIdx.x < 32) make(source, copy[0], &from, in + first, w, h);
    else if (threadIdx.x < 64) make(target, copy[1], &to, out + first, w, h);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    unsigned phase = 0;
    for (int y = 0; y < h; y += 8)
        for (int x = 0; x < w; x += 32, phase ^= 1) {
            if (threadIdx.x == 0) {
                asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(source) : "memory");
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;" ::"r"(bar) : "memory");
                asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                             "[%0], [%1, {%2, %3}], [%4];" ::"r"(box),
                             "l"(source), "r"(x), "r"(y), "r"(bar)
                             : "memory");
            }
            unsigned done = 0;
            while (!done)
                asm volatile(
                    "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                    : "=r"(done)
                    : "r"(bar), "r"(phase)
                    : "memory");
            for (int i = threadIdx.x; i < 256; i += blockDim.x) tile[i / 32][i % 32] += 1;
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
            __syncthreads();
            if (threadIdx.x == 0) {
                asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(target) : "memory");
                asm volatile(
                    "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(target),
                    "r"(x), "r"(y), "r"(box)
                    : "memory");
                asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
            }
            __syncthreads();
        }
}

__device__ bool check(size_t i, const float *in, const float *out, int groups, int width, int height)
{
    size_t all = 0;
    for (int g = 0; g < groups; g++) all += (size_t)columns(g, width) * rows(g, height);
    return out[i] == (i < all ? in[i] + 1 : (float)i);
}
