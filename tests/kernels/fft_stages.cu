/*
about: A Fourier transform by radix 2, a launch a stage, on complex numbers as pairs (after Stockham's autosort).
params: {n: 64}
buffers:
  x: {type: float2, count: n, access: both, fill: "float2{i == 1 ? 1.0f : 0.0f, 0.0f}"}
  y: {type: float2, count: n, access: write}
sequence: [{launch: stage, repeat: log2(n), swap: [x, y], arguments: {s: "2^step"}}]
threads: n / 2
*/
__global__ void stage(const float2 *x, float2 *y, int n, int s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2) return;
    int q = i % s, p = i / s, m = n / (2 * s);
    float angle = -(float)M_PI * p / m, c, d;
    sincosf(angle, &d, &c);
    float2 a = x[q + s * p], b = x[q + s * (p + m)];
    y[q + s * 2 * p] = make_float2(a.x + b.x, a.y + b.y);
    float2 t = make_float2(a.x - b.x, a.y - b.y);
    y[q + s * (2 * p + 1)] = make_float2(t.x * c - t.y * d, t.x * d + t.y * c);
}
__device__ bool check(size_t i, const float2 *x, int n)
{
    float angle = -2 * (float)M_PI * i / n;
    return fabsf(x[i].x - cosf(angle)) < 1e-4f && fabsf(x[i].y - sinf(angle)) < 1e-4f;
}
