/*
about: blocks add tiles of many layers into one plane by cp.reduce.async.bulk.tensor
params: {w: {default: 96, min: 4}, h: {default: 33, min: 1}, layers: {default: 12, min: 1}}
buffers:
  in: {type: float, count: [w, h, layers], access: read, fill: index}
  sum: {type: float, count: [w, h], access: both, fill: index}
arguments: {from: {tensor: in, box: [32, 8, 1]}, to: {tensor: sum, box: [32, 8]}}
block: 32
grid: [(w + 31) // 32, (h + 7) // 8, layers]
*/
#include <cuda.h>
using TensorMap = CUtensorMap;
__global__ void sums(const __grid_constant__ TensorMap from, const __grid_constant__ CUtensorMap to)
{
    __shared__ __align__(128) float tile[8][32];
    __shared__ unsigned long long bar;
    unsigned t = (unsigned)__cvta_generic_to_shared(tile), b = (unsigned)__cvta_generic_to_shared(&bar), done = 0;
    int x = blockIdx.x * 32, y = blockIdx.y * 8, z = blockIdx.z;
    unsigned leader;
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(leader));
    if (leader) {
        asm volatile("prefetch.tensormap [%0];" ::"l"(&from) : "memory");
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;" ::"r"(b) : "memory");
        asm volatile("cp.async.bulk.tensor.3d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint "
                     "[%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(t),
                     "l"(&from), "r"(x), "r"(y), "r"(z), "r"(b), "l"(0x12F0000000000000ull)
                     : "memory");
    }
    __syncwarp();
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(b)
                     : "memory");
    if (leader) {
        asm volatile(
            "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&to),
            "r"(x), "r"(y), "r"(t)
            : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}
__device__ bool check(size_t i, const float *in, const float *sum, int w, int h, int layers)
{
    float want = (float)i;
    for (int z = 0; z < layers; z++) want += in[(size_t)z * w * h + i];
    return sum[i] == want;
}
