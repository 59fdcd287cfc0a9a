/*
about: Batched LU of 16 x 16 matrices, one block each.
params: {batch: 64}
buffers:
  A: {type: float, count: batch * 256, access: both, fill: "i % 256 / 16 == i % 16 ? 20.0f : (float)(i % 7) * 0.1f"}
grid: batch
block: [16, 16]
*/
__global__ void batched_lu(float *A)
{
    __shared__ float s[16][17];
    int r = threadIdx.y, c = threadIdx.x;
    float *mine = A + blockIdx.x * 256;
    s[r][c] = mine[r * 16 + c];
    __syncthreads();
    for (int k = 0; k < 15; k++) {
        if (c == k && r > k) s[r][k] /= s[k][k];
        __syncthreads();
        if (r > k && c > k) s[r][c] -= s[r][k] * s[k][c];
        __syncthreads();
    }
    mine[r * 16 + c] = s[r][c];
}
__device__ bool check(size_t i, const float *A, const float *A_before)
{
    const float *m = A + i / 256 * 256;
    int r = i % 256 / 16, c = i % 16;
    float s = 0;
    for (int k = 0; k <= (r < c ? r : c); k++) s += (k == r ? 1.0f : m[r * 16 + k]) * m[k * 16 + c];
    return fabsf(s - A_before[i]) < 1e-3f;
}
