/*
about: a lattice Boltzmann step on a torus (D2Q9), pulled from one lattice into another
params: {nx: 64, ny: 32, steps: {default: 6, max: 64}, omega: 1.2}
buffers:
  f_in:  {type: float, count: 9 * nx * ny, access: both, fill: {random: [0.05, 0.15]}}
  f_out: {type: float, count: 9 * nx * ny, access: write}
block: [32, 4]
threads: [nx, ny]
sequence: [{launch: collide_stream, repeat: steps, swap: [f_in, f_out]}]
checks: 1
*/
#define IDX(q, x, y) ((q)*nx * ny + (y)*nx + (x))
__constant__ float w[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
__constant__ int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};

__global__ void collide_stream(const float *__restrict__ f_in, float *__restrict__ f_out, int nx, int ny, float omega)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny) return;
    float f[9], rho = 0, ux = 0, uy = 0;
#pragma unroll
    for (int q = 0; q < 9; q++) {
        f[q] = f_in[IDX(q, (x - ex[q] + nx) % nx, (y - ey[q] + ny) % ny)];
        rho += f[q];
        ux += ex[q] * f[q];
        uy += ey[q] * f[q];
    }
    ux /= rho;
    uy /= rho;
    const float usq = 1.5f * (ux * ux + uy * uy);
#pragma unroll
    for (int q = 0; q < 9; q++) {
        const float eu = 3.0f * (ex[q] * ux + ey[q] * uy);
        f_out[IDX(q, x, y)] = f[q] - omega * (f[q] - rho * w[q] * (1 + eu + 0.5f * eu * eu - usq));
    }
}
// Nothing is lost: mass and momentum are what they were.
__device__ bool check(size_t, const float *f_in, const float *f_in_before, int nx, int ny)
{
    double now[3] = {}, then[3] = {};
    for (int q = 0; q < 9; q++)
        for (int i = 0; i < nx * ny; i++) {
            double a = f_in[q * nx * ny + i], b = f_in_before[q * nx * ny + i];
            now[0] += a, now[1] += ex[q] * a, now[2] += ey[q] * a, then[0] += b, then[1] += ex[q] * b,
                then[2] += ey[q] * b;
        }
    for (int k = 0; k < 3; k++)
        if (!(fabs(now[k] - then[k]) <= 1e-3 * fabs(then[0]))) return false;
    return true;
}
