/*
about: "c = a x b, as it is first written: a thread an element, and no check, so that a run is the kernel's alone."
params:
  n: {default: 512, min: 16, about: rows and columns}
buffers:
  a: {type: float, count: n * n, access: read, fill: cycle}
  b: {type: float, count: n * n, access: read, fill: cycle}
  c: {type: float, count: n * n, access: write}
threads: [n, n]
*/
extern "C" __global__ void product(const float *a, const float *b, float *c, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}
