/*
about: 7-point stencil marching in z.
params: {nx: 64, ny: 32, nz: 16}
buffers:
  in:  {type: float, count: nx * ny * nz, access: read, fill: random}
  out: {type: float, count: nx * ny * nz, access: both, fill: 0}
threads: [nx, ny]
block: [32, 8]
arguments: {c0: -6.0, c1: 1.0}
tolerance: {abs: 1e-4, rel: 1e-4}
*/
__global__ void stencil(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int nz, float c0,
    float c1)
{
    __shared__ float tile[10][34];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    size_t stride = (size_t)nx * ny, at = (size_t)y * nx + x;
    bool inner = x > 0 && y > 0 && x < nx - 1 && y < ny - 1;
    float behind, current = in[at], front = in[at + stride];
    at += stride;
    for (int z = 1; z < nz - 1; z++, at += stride) {
        behind = current;
        current = front;
        front = in[at + stride];
        __syncthreads();
        tile[ty][tx] = current;
        if (threadIdx.x == 0 && x > 0) tile[ty][0] = in[at - 1];
        if (threadIdx.x == 31 && x < nx - 1) tile[ty][33] = in[at + 1];
        if (threadIdx.y == 0 && y > 0) tile[0][tx] = in[at - nx];
        if (threadIdx.y == 7 && y < ny - 1) tile[9][tx] = in[at + nx];
        __syncthreads();
        if (inner)
            out[at] = c0 * current +
                c1 * (behind + front + tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
    }
}
__device__ float expected(size_t i, const float *in, int nx, int ny, int nz)
{
    int x = i % nx, y = i / nx % ny, z = i / (nx * ny);
    if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1) return 0;
    size_t s = (size_t)nx * ny;
    return -6 * in[i] + in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - s] + in[i + s];
}
