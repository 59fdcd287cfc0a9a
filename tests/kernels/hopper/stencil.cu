/*
about: seven-point stencil over a volume, planes with a halo by three-dimensional boxes, zero outside
params: {nx: {default: 64, min: 16}, ny: {default: 40, min: 1}, nz: {default: 20, min: 1}}
buffers:
  in: {type: float, count: [nx, ny, nz], access: read, fill: random}
  out: {type: float, count: [nx, ny, nz], access: write}
arguments: {map: {tensor: in, box: [40, 10, 3]}}
block: [32, 8]
grid: [(nx + 31) // 32, (ny + 7) // 8, nz]
*/
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/std/utility>
using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;
__global__ void stencil(const __grid_constant__ CUtensorMap map, float *out, int nx, int ny, int nz)
{
    __shared__ alignas(128) float v[3][10][40];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier bar;
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z = blockIdx.z;
    const bool first = threadIdx.x == 0 && threadIdx.y == 0;
    if (first) {
        init(&bar, 256);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    barrier::arrival_token token;
    if (first) {
        cde::cp_async_bulk_tensor_3d_global_to_shared(&v, &map, (int)blockIdx.x * 32 - 4, (int)blockIdx.y * 8 - 1,
            z - 1, bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(v));
    } else token = bar.arrive();
    bar.wait(cuda::std::move(token));
    const int i = threadIdx.x + 4, j = threadIdx.y + 1;
    if (x < nx && y < ny)
        out[((size_t)z * ny + y) * nx + x] = v[1][j][i - 1] + v[1][j][i + 1] + v[1][j - 1][i] + v[1][j + 1][i] +
            v[0][j][i] + v[2][j][i] - 6 * v[1][j][i];
}
__device__ float at(const float *in, int x, int y, int z, int nx, int ny, int nz)
{
    return x >= 0 && x < nx && y >= 0 && y < ny && z >= 0 && z < nz ? in[((size_t)z * ny + y) * nx + x] : 0;
}
__device__ bool check(size_t i, const float *in, const float *out, int nx, int ny, int nz)
{
    const int x = i % nx, y = i / nx % ny, z = i / nx / ny;
    const float want = at(in, x - 1, y, z, nx, ny, nz) + at(in, x + 1, y, z, nx, ny, nz) +
        at(in, x, y - 1, z, nx, ny, nz) + at(in, x, y + 1, z, nx, ny, nz) + at(in, x, y, z - 1, nx, ny, nz) +
        at(in, x, y, z + 1, nx, ny, nz) - 6 * in[i];
    return fabsf(out[i] - want) <= 1e-4f;
}
