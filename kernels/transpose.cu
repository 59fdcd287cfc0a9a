/*
about: The transpose of an n x n matrix, four variants. Reads along rows; what was a row becomes a column.
params:
  n: {default: 4096, min: 1, about: rows and columns}
  variant:
    default: padded
    one_of: [naive, shared, padded, wide]
    about: >
      naive writes down the columns; shared transposes a 32 x 32 tile in shared memory and writes along rows, but reads
      the tile down a column, which lies in one bank; padded makes the tile's rows 33 long, so that a column lies in 32
      banks; wide moves 16 bytes at a time: 256 threads transpose a 64 x 64 tile, each a 4 x 4 part of it in its
      registers (n is a multiple of 64, the block [16, 16])
  rows: {kind: constant, default: 8, one_of: [1, 2, 4, 8, 16, 32],
         about: "rows of threads that share a tile: the block is [32, rows]"}
buffers:
  in:  {type: float, count: n * n, access: read, fill: random}
  out: {type: float, count: n * n, access: write}
threads: ["variant == 'wide' and n // 4 or n", "variant == 'wide' and n // 4 or ceil(n / 32) * rows"]
block: ["variant == 'wide' and 16 or 32", "variant == 'wide' and 16 or rows"]
useful: 2 * n * n * sizeof(float)
*/
extern "C" __global__ void transpose_naive(const float *in, float *out, size_t n)
{
    size_t x = blockIdx.x * 32 + threadIdx.x;
    size_t y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += rows)
        if (x < n && y + k < n) out[x * n + y + k] = in[(y + k) * n + x];
}

// Both tiled variants: they differ in the length of the tile's rows and in nothing else.
template <int row_length>
__device__ void tiled(const float *in, float *out, size_t n)
{
    __shared__ float tile[32][row_length];

    size_t x = blockIdx.x * 32 + threadIdx.x;
    size_t y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += rows)
        if (x < n && y + k < n) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
    __syncthreads();

    x = blockIdx.y * 32 + threadIdx.x; // the tile's place on the other side of the diagonal
    y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += rows)
        if (x < n && y + k < n) out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

extern "C" __global__ void transpose_shared(const float *in, float *out, size_t n) { tiled<32>(in, out, n); }
extern "C" __global__ void transpose_padded(const float *in, float *out, size_t n) { tiled<33>(in, out, n); }

// A tile of 16 x 16 parts. Each part lies at a place of its row that depends on its column too (x ^ y), so that neither
// the parts of a row nor those of a column meet in a bank.
extern "C" __global__ void transpose_wide(const float *in, float *out, size_t n)
{
    __shared__ float4 tile[64][16];
    const int x = threadIdx.x, y = threadIdx.y;

    const float *from = in + (blockIdx.y * 64 + y * 4) * n + blockIdx.x * 64 + x * 4;
    float4 row[4];
#pragma unroll
    for (int k = 0; k < 4; k++) row[k] = *(const float4 *)(from + k * n); // all four reads are under way at once
    tile[x * 4 + 0][y ^ x] = make_float4(row[0].x, row[1].x, row[2].x, row[3].x);
    tile[x * 4 + 1][y ^ x] = make_float4(row[0].y, row[1].y, row[2].y, row[3].y);
    tile[x * 4 + 2][y ^ x] = make_float4(row[0].z, row[1].z, row[2].z, row[3].z);
    tile[x * 4 + 3][y ^ x] = make_float4(row[0].w, row[1].w, row[2].w, row[3].w);
    __syncthreads();

    float *to = out + (blockIdx.x * 64 + y * 4) * n + blockIdx.y * 64 + x * 4;
#pragma unroll
    for (int k = 0; k < 4; k++) *(float4 *)(to + k * n) = tile[y * 4 + k][x ^ y];
}

__device__ bool check(size_t i, const float *in, const float *out, size_t n)
{
    size_t row = i / n, column = i % n;
    return out[i] == in[column * n + row];
}
