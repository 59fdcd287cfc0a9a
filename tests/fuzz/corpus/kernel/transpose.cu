/*
about: The transpose of an n x n matrix, three ways. Reads along rows; what was a row has to be written down a column.
params:
  n: {default: 4096, min: 1, about: rows and columns}
  variant:
    default: padded
    one_of: [naive, shared, padded]
    about: >
      naive writes down the columns; shared turns a 32 x 32 tile round in shared memory and writes along rows, but reads the tile
      down a column, which lies in one bank; padded makes the tile's rows 33 long, so that a column lies in 32 banks
  rows: {kind: constant, default: 8, one_of: [1, 2, 4, 8, 16, 32], about: "rows of threads that share a tile: the block is [32, rows]"}
buffers:
  in:  {type: float, count: n * n, access: read, fill: random}
  out: {type: float, count: n * n, access: write}
threads: [n, ceil(n / 32) * rows]
useful: 2 * n * n * sizeof(float)
*/
extern "C" __global__ void transpose_naive(const float *in, float *out, size_t n)
{
    size_t x = blockIdx.x * 32 + threadIdx.x;
    size_t y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += rows)
        if (x < n && y + k < n) out[x * n + y + k] = in[(y + k) * n + x];
}

// Both tiled ways: they differ in the length of the tile's rows and in nothing else.
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

__device__ bool check(size_t i, const float *in, const float *out, size_t n)
{
    size_t row = i / n, column = i % n;
    return out[i] == in[column * n + row];
}
