/*
about: An argument that is a struct of pointers and numbers.
params: {n: 2Ki, scale: 3}
buffers:
  x: {type: float, count: n, access: read, fill: random}
  y: {type: float, count: n, access: read, fill: random}
  z: {type: float, count: n, access: write}
arguments: {p: "Problem{x, y, z, n, {(float)scale, 2.0f, 1.0f}}"}
threads: n
*/
struct Problem {
    const float *x, *y;
    float *z;
    int n;
    float c[3];
};
__global__ void solve(Problem p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.n) p.z[i] = p.c[0] * p.x[i] + p.c[1] * p.y[i] + p.c[2];
}
__device__ bool check(size_t i, const float *x, const float *y, const float *z)
{
    return fabsf(z[i] - (3 * x[i] + 2 * y[i] + 1)) < 1e-5f;
}
