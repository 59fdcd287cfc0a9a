/*
about: A filter whose weights are in constant memory (after the convolutionSeparable sample).
params: {n: 500}
buffers:
  in: {type: float, count: n, access: read}
  out: {type: float, count: n, access: write}
  weights: {type: float, count: 5, access: read}
threads: n
*/
__constant__ float taps[5] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
__global__ void filter(const float *in, float *out, const float *weights, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < 5; k++) sum += taps[k] * weights[k] * in[min(max(i + k - 2, 0), n - 1)];
    out[i] = sum;
}
__device__ bool check(size_t i, const float *in, const float *out, const float *weights, int n)
{
    const float t[5] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
    float sum = 0;
    for (int k = 0; k < 5; k++) sum += t[k] * weights[k] * in[min(max((int)i + k - 2, 0), n - 1)];
    return fabsf(out[i] - sum) < 1e-5f;
}
