/*
about: A sparse matrix times a vector, a group of lanes a row, an instance of a template (after Bell and Garland, 2008).
params: {rows: 150, LANES: {kind: constant, default: 8, one_of: [4, 8, 16, 32]}}
entry: spmv<float, LANES>
buffers:
  start: {type: int, count: rows + 1, access: read, fill: "(int)(i * (i + 1) / 2 % 7 + 5 * i)"}
  col:   {type: ushort, count: 5 * rows + 8, access: read, fill: "(unsigned short)(i * 31 % rows)"}
  val:   {type: float, count: 5 * rows + 8, access: read}
  x:     {type: float, count: rows, access: read}
  y:     {type: float, count: rows, access: write}
threads: rows * LANES
*/
template <typename F, int W> __global__ void spmv(const int *start, const ushort *col, const F *val, const F *x, F *y,
    int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / W, lane = threadIdx.x % W;
    F sum = 0;
    for (int k = row < rows ? start[row] + lane : 0; row < rows && k < start[row + 1]; k += W)
        sum += val[k] * x[col[k]];
    for (int o = W / 2; o; o /= 2) sum += __shfl_down_sync(~0u, sum, o, W);
    if (row < rows && !lane) y[row] = sum;
}
__device__ bool check(size_t i, const int *start, const ushort *col, const float *val, const float *x, const float *y)
{
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++) sum += (double)val[k] * x[col[k]];
    return fabs(sum - y[i]) < 1e-4;
}
