/*
about: conjugate gradient for a tridiagonal system; dot products and scalars stay on the device
params: {N: 512, rounds: 40}
buffers:
  x:  {type: double, count: N, access: write}
  rv: {type: double, count: N, access: write}
  p:  {type: double, count: N, access: write}
  Ap: {type: double, count: N, access: write}
  scalars: {type: Scalars, bytes: 32, count: 1, access: write}
threads: N
block: 256
checks: N
sequence:
  - {launch: start}
  - repeat: rounds
    sequence:
      - {launch: spmv}
      - {launch: "dot_kernel<256>", grid: 1, arguments: {a: p, b: Ap, which: 1}}
      - {launch: update_x}
      - {launch: "dot_kernel<256>", grid: 1, arguments: {a: rv, b: rv, which: 2}}
      - {launch: update_p}
      - {launch: shift, grid: 1, block: 1}
*/
struct Scalars { double rr, pAp, rr_new, unused; };

__global__ void start(double *x, double *rv, double *p, Scalars *scalars, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) x[i] = 0, rv[i] = p[i] = 1;
    if (i == 0) scalars->rr = N;
}
__global__ void spmv(const double *p, double *Ap, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) Ap[i] = 4 * p[i] - (i ? p[i - 1] : 0) - (i + 1 < N ? p[i + 1] : 0);
}
template <int BLOCK> __global__ void dot_kernel(const double *a, const double *b, Scalars *scalars, int which, int N)
{
    __shared__ double s[BLOCK];
    double v = 0;
    for (int i = threadIdx.x; i < N; i += BLOCK) v += a[i] * b[i];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int k = BLOCK / 2; k; k >>= 1) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) (which == 1 ? scalars->pAp : scalars->rr_new) = s[0];
}
__global__ void update_x(double *x, double *rv, const double *p, const double *Ap, const Scalars *scalars, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double alpha = scalars->rr / scalars->pAp;
    if (i < N) x[i] += alpha * p[i], rv[i] -= alpha * Ap[i];
}
__global__ void update_p(const double *rv, double *p, const Scalars *scalars, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) p[i] = rv[i] + scalars->rr_new / scalars->rr * p[i];
}
__global__ void shift(Scalars *scalars) { scalars->rr = scalars->rr_new; }
__device__ bool check(size_t i, const double *x, int N)
{
    double b = 4 * x[i] - (i ? x[i - 1] : 0) - (i + 1 < N ? x[i + 1] : 0);
    return fabs(b - 1) < 1e-6;
}
