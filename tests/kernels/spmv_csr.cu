/*
about: A sparse matrix times a vector, a thread a row (after Bell and Garland, "Efficient Sparse Matrix-Vector
    Multiplication on CUDA").
params: {rows: 200}
buffers:
  ptr:  {type: int, count: rows + 1, access: read, fill: (int)(3 * i)}
  col:  {type: int, count: 3 * rows, access: read, fill: "(int)((i * 31) % rows)"}
  data: {type: float, count: 3 * rows, access: read}
  x:    {type: float, count: rows, access: read}
  y:    {type: float, count: rows, access: write}
threads: rows
*/
__global__ void spmv(const int rows, const int *ptr, const int *col, const float *data, const float *x, float *y)
{
    int row = blockDim.x * blockIdx.x + threadIdx.x;
    if (row >= rows) return;
    float dot = 0;
    for (int k = ptr[row]; k < ptr[row + 1]; k++) dot += data[k] * x[col[k]];
    y[row] = dot;
}
__device__ bool check(size_t i, const int *col, const float *data, const float *x, const float *y)
{
    float dot = 0;
    for (int k = 0; k < 3; k++) dot += data[3 * i + k] * x[col[3 * i + k]];
    return fabsf(dot - y[i]) < 1e-5f;
}
