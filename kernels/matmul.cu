/*
about: "c = a x b for n x n matrices: from variant to variant the same arithmetic reads less memory."
params:
  n: {default: 2048, min: 64, about: "rows and columns, a multiple of 64"}
  variant:
    default: tiled32
    one_of: [naive, tiled16, tiled32, registers]
    about: >
      naive reads a row and a column for each element; tiled16 and tiled32 share a tile of that size in a block;
      registers has each thread work on 4 x 4 elements of a 64 x 64 tile, so that a value read from shared memory is
      used four times
buffers:
  a: {type: float, count: n * n, access: read, fill: cycle}
  b: {type: float, count: n * n, access: read, fill: cycle}
  c: {type: float, count: n * n, access: write}
threads: ["variant == 'registers' and n // 4 or n", "variant == 'registers' and n // 4 or n"]
block: ["(variant == 'naive' or variant == 'tiled32') and 32 or 16",
    "variant == 'naive' and 8 or variant == 'tiled32' and 32 or 16"]
useful: 3 * n * n * sizeof(float)
flops: 2 * n * n * n
needs: n % 64 == 0
*/
extern "C" __global__ void matmul_naive(const float *a, const float *b, float *c, size_t n)
{
    const size_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (size_t k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

template <int tile> __device__ void tiled(const float *a, const float *b, float *c, size_t n)
{
    __shared__ float ta[tile][tile], tb[tile][tile];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const size_t x = blockIdx.x * tile + tx, y = blockIdx.y * tile + ty;
    float sum = 0;
    for (size_t k = 0; k < n; k += tile) {
        ta[ty][tx] = a[y * n + k + tx];
        tb[ty][tx] = b[(k + ty) * n + x];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < tile; j++) sum += ta[ty][j] * tb[j][tx];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

extern "C" __global__ void matmul_tiled16(const float *a, const float *b, float *c, size_t n) { tiled<16>(a, b, c, n); }
extern "C" __global__ void matmul_tiled32(const float *a, const float *b, float *c, size_t n) { tiled<32>(a, b, c, n); }

// 16 x 16 threads, 64 x 64 elements: of each step along k a thread reads four values of a and four of b, and multiplies
// all pairs.
extern "C" __global__ void matmul_registers(const float *a, const float *b, float *c, size_t n)
{
    __shared__ float ta[16][68], tb[16][64]; // a's tile is transposed; rows of 68 spread its columns over the banks
    const int tx = threadIdx.x, ty = threadIdx.y, me = ty * 16 + tx;
    const size_t x = blockIdx.x * 64, y = blockIdx.y * 64;
    float sum[4][4] = {};
    for (size_t k = 0; k < n; k += 16) {
        const float4 va = *(const float4 *)&a[(y + me / 4) * n + k + me % 4 * 4];
        ta[me % 4 * 4 + 0][me / 4] = va.x;
        ta[me % 4 * 4 + 1][me / 4] = va.y;
        ta[me % 4 * 4 + 2][me / 4] = va.z;
        ta[me % 4 * 4 + 3][me / 4] = va.w;
        *(float4 *)&tb[ty][tx * 4] = *(const float4 *)&b[(k + ty) * n + x + tx * 4];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 16; j++) {
            const float4 p = *(const float4 *)&ta[j][ty * 4], q = *(const float4 *)&tb[j][tx * 4];
            const float row[4] = {p.x, p.y, p.z, p.w}, column[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
            for (int r = 0; r < 4; r++)
#pragma unroll
                for (int s = 0; s < 4; s++) sum[r][s] += row[r] * column[s];
        }
        __syncthreads();
    }
    for (int r = 0; r < 4; r++)
        *(float4 *)&c[(y + ty * 4 + r) * n + x + tx * 4] = make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
}

__device__ bool check(size_t i, const float *a, const float *b, const float *c, size_t n)
{
    const size_t y = i / n, x = i % n;
    float sum = 0, size = 0;
    for (size_t k = 0; k < n; k++) {
        sum += a[y * n + k] * b[k * n + x];
        size += fabsf(a[y * n + k] * b[k * n + x]);
    }
    return fabsf(c[i] - sum) <= 1e-5f * size; // the variants add in different orders
}
