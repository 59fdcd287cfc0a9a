/*
about: Gauss's elimination, two launches a column, the second in two dimensions (after Rodinia's gaussian).
params: {n: {default: 24, max: 24}}
buffers:
  a: {type: double, count: [n, n], access: both, fill: "i / n == i % n ? 3.0 * n : (double)(i * 7 % 11) - 5"}
  f: {type: double, count: n, access: write}
sequence:
  - repeat: n - 1
    sequence:
      - {launch: factors, threads: n - 1 - step, arguments: {t: step}}
      - {launch: subtract, threads: [n - step, n - 1 - step], block: [8, 8], arguments: {t: step}}
checks: n * n
*/
__global__ void factors(const double *a, double *f, int n, int t)
{
    int row = t + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) f[row] = a[row * n + t] / a[t * n + t];
}
__global__ void subtract(double *a, const double *f, int n, int t)
{
    int x = t + blockIdx.x * blockDim.x + threadIdx.x, y = t + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) a[y * n + x] -= f[y] * a[t * n + x];
}
// Row y, with what the rows above it leave.
__device__ bool check(size_t i, const double *a, const double *a_before, int n)
{
    double row[24];
    int x = i % n, y = i / n;
    for (int k = 0; k < n; k++) row[k] = a_before[y * n + k];
    for (int t = 0; t < y; t++) {
        double f = row[t] / a[t * n + t];
        for (int k = t; k < n; k++) row[k] -= f * a[t * n + k];
    }
    return fabs(a[i] - row[x]) <= 1e-9 * n;
}
