/*
about: A matrix turned through a tile with a column to spare (after "An Efficient Matrix Transpose in CUDA").
params: {width: 70, height: 45}
buffers:
  in: {type: float, count: width * height, access: read}
  out: {type: float, count: width * height, access: write}
block: [32, 8]
grid: [ceil(width / 32), ceil(height / 32)]
*/
const int TILE_DIM = 32, BLOCK_ROWS = 8;
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x, y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
__device__ bool check(size_t i, const float *in, const float *out, int width, int height)
{
    return out[i] == in[i % height * width + i / height];
}
