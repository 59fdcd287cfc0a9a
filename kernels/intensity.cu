/*
about: "Each value is read, worked on by `each` multiply-adds and written: `each` sets how much
    arithmetic there is for a byte."
params:
  n:    {default: 32Mi, min: 4, about: "values, 4 a thread: a multiple of 4"}
  each: {kind: constant, default: 16, min: 0, about: multiply-adds for each value}
  T:    {kind: type, default: float, one_of: [float, double], about: type of the values}
buffers:
  in:  {type: T, count: n, access: read, fill: random}
  out: {type: T, count: n, access: write}
threads: n // 4
useful: 2 * n * sizeof(T)
flops: 2 * n * each
*/

// Four values side by side, so that one's multiply-adds need not wait for another's.
extern "C" __global__ void intensity(const T *in, T *out, size_t n)
{
    const size_t quarter = n / 4, i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= quarter) return;
    T v[4];
#pragma unroll
    for (int k = 0; k < 4; k++) v[k] = in[k * quarter + i];
#pragma unroll 16
    for (int j = 0; j < each; j++)
#pragma unroll
        for (int k = 0; k < 4; k++) v[k] = v[k] * (T)0.5 + (T)1;
#pragma unroll
    for (int k = 0; k < 4; k++) out[k * quarter + i] = v[k];
}

__device__ bool check(size_t i, const T *in, const T *out)
{
    T v = in[i];
    for (int j = 0; j < each; j++) v = v * (T)0.5 + (T)1;
    return fabs(out[i] - v) <= v * (T)1e-5;
}
