/*
about: Tiled GEMM whose tiles come by cuda::pipeline.
params: {m: 128}
buffers:
  A: {type: float, count: m * m, access: read, fill: "(float)(i % 7)"}
  B: {type: float, count: m * m, access: read, fill: "(float)(i % 5)"}
  C: {type: float, count: m * m, access: write}
threads: [m, m]
block: [16, 16]
*/
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
#define T 16
__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int m)
{
    constexpr int stages = 3;
    __shared__ float sA[stages][T][T], sB[stages][T][T];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * T + tx, y = blockIdx.y * T + ty, tiles = m / T;
    float sum = 0;
    for (int k = 0, fetch = 0; k < tiles; k++) {
        for (; fetch < tiles && fetch < k + stages; fetch++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&sA[fetch % stages][ty][tx], &A[y * m + fetch * T + tx], sizeof(float), pipe);
            cuda::memcpy_async(&sB[fetch % stages][ty][tx], &B[(fetch * T + ty) * m + x], sizeof(float), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        for (int j = 0; j < T; j++) sum += sA[k % stages][ty][j] * sB[k % stages][j][tx];
        pipe.consumer_release();
    }
    C[y * m + x] = sum;
}
__device__ float expected(size_t i, const float *A, const float *B, int m)
{
    float s = 0;
    for (int k = 0; k < m; k++) s += A[i / m * m + k] * B[k * m + i % m];
    return s;
}
