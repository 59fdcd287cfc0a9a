/*
about: scaled copy through shared memory by cuda::ptx, two stages
params: {w: {default: 256, min: 32}, h: {default: 96, min: 1}, s: {default: 3}}
buffers:
  in: {type: float, count: [w, h], access: read, fill: random}
  out: {type: float, count: [w, h], access: write}
arguments: {source: {tensor: in, box: [32, 16]}, target: {tensor: out, box: [32, 16]}}
block: 128
grid: (h + 15) // 16
*/
#include <cuda.h>
#include <cuda/ptx>
#include <cuda/std/cstdint>
namespace ptx = cuda::ptx;
constexpr int W = 32, H = 16, STAGES = 2;
__global__ void scale(const __grid_constant__ CUtensorMap source, const __grid_constant__ CUtensorMap target, int w,
    float s)
{
    alignas(128) __shared__ float tile[STAGES][H][W];
    __shared__ uint64_t bar[STAGES];
    const int y = blockIdx.x * H, tiles = (w + W - 1) / W;
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) ptx::mbarrier_init(&bar[i], 1);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    auto ask = [&](int t) {
        const int32_t at[2] = {t * W, y};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, &tile[t % STAGES], &source, at,
            &bar[t % STAGES]);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar[t % STAGES],
            sizeof(tile[0]));
    };
    if (threadIdx.x == 0) ask(0);
    for (int t = 0; t < tiles; t++) {
        if (threadIdx.x == 0 && t + 1 < tiles) {
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{}); // the stage's last store has read it
            ask(t + 1);
        }
        while (!ptx::mbarrier_try_wait_parity(&bar[t % STAGES], (t / STAGES) & 1)) {}
        for (int i = threadIdx.x; i < W * H; i += blockDim.x) tile[t % STAGES][i / W][i % W] *= s;
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            const int32_t at[2] = {t * W, y};
            ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &target, at, &tile[t % STAGES]);
            ptx::cp_async_bulk_commit_group();
        }
    }
    if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
}
__device__ bool check(size_t i, const float *in, const float *out, float s) { return out[i] == in[i] * s; }
