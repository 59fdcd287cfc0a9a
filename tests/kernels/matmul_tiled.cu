/*
about: A matrix product through tiles, a template of their width (after Kirk and Hwu, chapter 4).
params: {n: 48, TILE: {kind: constant, default: 16, one_of: [8, 16]}}
buffers:
  A: {type: float, count: n * n, access: read}
  B: {type: float, count: n * n, access: read}
  C: {type: float, count: n * n, access: write}
entry: matmul<TILE>
block: [TILE, TILE]
grid: [n / TILE, n / TILE]
*/
template <int W> __global__ void matmul(float *C, const float *A, const float *B, int n)
{
    __shared__ float As[W][W], Bs[W][W];
    int row = blockIdx.y * W + threadIdx.y, col = blockIdx.x * W + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n / W; t++) {
        As[threadIdx.y][threadIdx.x] = A[row * n + t * W + threadIdx.x];
        Bs[threadIdx.y][threadIdx.x] = B[(t * W + threadIdx.y) * n + col];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < W; k++) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    C[row * n + col] = sum;
}
__device__ bool check(size_t i, const float *A, const float *B, const float *C, int n)
{
    float sum = 0;
    for (int k = 0; k < n; k++) sum += A[i / n * n + k] * B[k * n + i % n];
    return fabsf(C[i] - sum) < 1e-4f * (1 + sum);
}
