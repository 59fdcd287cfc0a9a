/*
about: many tridiagonal systems at once, one a thread, interleaved
params: {batch: 256, n: 64, T: {kind: type, default: double, one_of: [float, double]}}
buffers:
  a: {type: T, count: n * batch, access: read, fill: -1}
  b: {type: T, count: n * batch, access: read, fill: 4}
  c: {type: T, count: n * batch, access: both, fill: -1}
  d: {type: T, count: n * batch, access: both, fill: {random: [0, 1]}}
entry: thomas<T, 0>
threads: batch
arguments: {p: "Systems<T>{a, b, c, d, (int)n, (int)batch}"}
*/
template <typename T> struct Systems { const T *a, *b; T *c, *d; int n, stride; };

template <typename T, int MODE> __global__ void thomas(Systems<T> p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= p.stride) return;
    p.c[i] = p.c[i] / p.b[i];
    p.d[i] = p.d[i] / p.b[i];
    for (int k = 1; k < p.n; k++) {
        int at = k * p.stride + i;
        T m = T(1) / (p.b[at] - p.a[at] * p.c[at - p.stride]);
        p.c[at] *= m;
        p.d[at] = (p.d[at] - p.a[at] * p.d[at - p.stride]) * m;
    }
    for (int k = p.n - 2; k >= 0; k--) p.d[k * p.stride + i] -= p.c[k * p.stride + i] * p.d[(k + 1) * p.stride + i];
}
__device__ bool check(size_t i, const T *d, const T *d_before, size_t n, size_t batch)
{
    size_t k = i / batch;
    T r = 4 * d[i] - (k ? d[i - batch] : 0) - (k + 1 < n ? d[i + batch] : 0);
    return fabs(r - d_before[i]) < T(1e-4);
}
