/*
about: How soon points of the plane escape (after the Mandelbrot sample).
params: {w: 40, h: 30, most: {as: max_iterations, default: 50}}
buffers: {out: {type: int, count: w * h, access: write}}
threads: [w, h]
block: [8, 8]
*/
__device__ int escape(float cx, float cy, int most)
{
    float x = 0, y = 0;
    int k = 0;
    for (; k < most && x * x + y * y < 4.0f; k++) { float t = x * x - y * y + cx; y = 2 * x * y + cy; x = t; }
    return k;
}
__global__ void mandelbrot(int *out, int w, int h, int max_iterations)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[y * w + x] = escape(-2.0f + 3.0f * x / w, -1.0f + 2.0f * y / h, max_iterations);
}
__device__ bool check(size_t i, const int *out, int w, int h, int most)
{
    return abs(out[i] - escape(-2.0f + 3.0f * (i % w) / w, -1.0f + 2.0f * (i / w) / h, most)) <= 1;
}
