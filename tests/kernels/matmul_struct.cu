/*
about: A matrix product whose matrices are structures (after the Programming Guide's chapter on shared memory).
params: {n: 33}
buffers:
  a: {type: float, count: n * n, access: read}
  b: {type: float, count: n * n, access: read}
  c: {type: float, count: n * n, access: write}
arguments: {A: "{n, n, a}", B: "{n, n, b}", C: "{n, n, c}"}
threads: [n, n]
block: [16, 16]
*/
typedef struct { int width, height; float *elements; } Matrix;
__global__ void multiply(const Matrix A, const Matrix B, Matrix C)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float value = 0;
    if (row >= C.height || col >= C.width) return;
    for (int e = 0; e < A.width; ++e) value += A.elements[row * A.width + e] * B.elements[e * B.width + col];
    C.elements[row * C.width + col] = value;
}
__device__ bool check(size_t i, const float *a, const float *b, const float *c, int n)
{
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[i / n * n + k] * b[k * n + i % n];
    return fabsf(c[i] - sum) < 1e-4f * (1 + sum);
}
