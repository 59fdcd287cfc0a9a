/*
about: Heat that spreads over a plate, by Jacobi's iteration, two buffers in turn (after the simpleHeat of Sanders and
    Kandrot).
params: {w: 32, h: 24, times: 7}
buffers:
  old: {as: in, type: double, count: w * h, access: both, fill: i < w}
  next: {as: out, type: double, count: w * h, access: both, fill: i < w}
sequence: [{launch: relax, repeat: times, swap: [old, next]}]
threads: [w, h]
block: [16, 8]
*/
__global__ void relax(const double *in, double *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
        out[y * w + x] = 0.25 * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}
__device__ bool check(size_t i, const double *old, int w, int h, int times)
{
    double v = old[i];
    int y = i / w;
    return y == 0   ? v == 1
        : y > times ? v == 0
                    : v >= 0 && v < 1 && (i % w == 0 || i % w == w - 1 || y == h - 1 || v > 0);
}
