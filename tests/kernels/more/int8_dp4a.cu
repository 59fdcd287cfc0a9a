/*
about: int8 matrix times matrix with __dp4a.
params: {M: 64, N: 64, K: 64}
buffers:
  A: {type: char4, count: M * K / 4, access: read, fill: "make_char4(i % 5 - 2, i % 7 - 3, i % 3 - 1, i % 11 - 5)"}
  B: {type: char4, count: N * K / 4, access: read, fill: "make_char4(i % 3 - 1, i % 11 - 5, i % 5 - 2, i % 7 - 3)"}
  C: {type: int, count: M * N, access: write}
threads: [N, M]
block: [32, 8]
*/
__global__ void igemm(const char4 *__restrict__ A, const char4 *__restrict__ B, int *__restrict__ C, int M, int N,
                      int K)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x, m = blockIdx.y * blockDim.y + threadIdx.y;
    int acc = 0;
    for (int k = 0; k < K / 4; k++) acc = __dp4a(A[m * (K / 4) + k], B[n * (K / 4) + k], acc);
    C[m * N + n] = acc;
}
__device__ int expected(size_t i, const char4 *A, const char4 *B, int N, int K)
{
    int s = 0;
    const signed char *a = (const signed char *)A, *b = (const signed char *)B;
    for (int k = 0; k < K; k++) s += a[i / N * K + k] * b[i % N * K + k];
    return s;
}
