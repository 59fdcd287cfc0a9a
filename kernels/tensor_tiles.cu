/*
about: Blocks bring tiles to shared memory, by loads and stores, cp.async or a tensor map, and write them transposed.
params:
  width:   {default: 4096, min: 4, max: 65536, about: "columns of the matrix, a multiple of 4"}
  height:  {default: 4096, min: 1, max: 65536, about: rows of the matrix}
  swizzle: {kind: constant, default: 0, one_of: [0, 128], about: "128: pieces of 16 bytes change places, by their row"}
  variant: {one_of: [plain, async, tensor], default: tensor, about: how a tile comes to shared memory}
buffers:
  in:  {type: float, count: [width, height], access: read, fill: random}
  out: {type: float, count: [height, width], access: write}
arguments:
  map: {tensor: in, box: [32, 32], swizzle: swizzle}
block: 256
grid: [(width + 31) // 32, (height + 31) // 32]
useful: 2 * width * height * sizeof(float)
*/
#include <cuda.h>

constexpr int SIDE = 32, PIECES = SIDE / 4; // a row of a tile is 8 pieces of 16 bytes

// Where column `x` of row `y` lies in a tile.
__device__ int place(int x, int y) { return SIDE * y + 4 * (swizzle ? (x / 4) ^ (y % PIECES) : x / 4) + x % 4; }

// A column of the tile becomes a row of the output.
__device__ void write(const float *tile, float *out, int x0, int y0, int width, int height)
{
    const int y = threadIdx.x % SIDE;
    for (int x = threadIdx.x / SIDE; x < SIDE; x += blockDim.x / SIDE)
        if (x0 + x < width && y0 + y < height) out[(size_t)(x0 + x) * height + y0 + y] = tile[place(x, y)];
}

extern "C" __global__ void tensor_tiles_plain(const float *in, float *out, int width, int height)
{
    __shared__ __align__(1024) float tile[SIDE * SIDE];
    const int x0 = blockIdx.x * SIDE, y0 = blockIdx.y * SIDE;
    for (int i = threadIdx.x; i < SIDE * PIECES; i += blockDim.x) {
        const int x = i % PIECES * 4, y = i / PIECES;
        if (x0 + x < width && y0 + y < height)
            *(float4 *)&tile[place(x, y)] = *(const float4 *)&in[(size_t)(y0 + y) * width + x0 + x];
    }
    __syncthreads();
    write(tile, out, x0, y0, width, height);
}

extern "C" __global__ void tensor_tiles_async(const float *in, float *out, int width, int height)
{
    __shared__ __align__(1024) float tile[SIDE * SIDE];
    const int x0 = blockIdx.x * SIDE, y0 = blockIdx.y * SIDE;
    for (int i = threadIdx.x; i < SIDE * PIECES; i += blockDim.x) {
        const int x = i % PIECES * 4, y = i / PIECES;
        if (x0 + x < width && y0 + y < height)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                             (unsigned)__cvta_generic_to_shared(&tile[place(x, y)])),
                "l"(&in[(size_t)(y0 + y) * width + x0 + x]));
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    write(tile, out, x0, y0, width, height);
}

// One thread asks for the whole tile. What lies outside of the matrix comes as zeros, and its bytes are counted too.
extern "C" __global__ void tensor_tiles_tensor(const __grid_constant__ CUtensorMap map, float *out, int width,
                                               int height)
{
    __shared__ __align__(1024) float tile[SIDE * SIDE];
    __shared__ unsigned long long barrier;
    const int x0 = blockIdx.x * SIDE, y0 = blockIdx.y * SIDE;
    const unsigned to = (unsigned)__cvta_generic_to_shared(tile), bar = (unsigned)__cvta_generic_to_shared(&barrier);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); // the copy must find the barrier made
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"((unsigned)sizeof tile)
                     : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                     "[%0], [%1, {%2, %3}], [%4];" ::"r"(to),
            "l"(&map), "r"(x0), "r"(y0), "r"(bar)
            : "memory");
    }
    unsigned done = 0;
    while (!done)
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done)
                     : "r"(bar)
                     : "memory");
    write(tile, out, x0, y0, width, height);
}

__device__ bool check(size_t i, const float *in, const float *out, int width, int height)
{
    return out[i] == in[i % height * width + i / height];
}
