/*
about: Values scaled, kept as floats of 8 bits, and read again.
params:
  n:     {default: 65536, min: 1, about: elements}
  scale: {kind: constant, default: 0.5, about: what a value is multiplied by before it is rounded}
buffers:
  in:  {type: float, count: n, access: read, fill: {random: [-2000, 2000]}}
  out: {type: float, count: n, access: write}
threads: n
*/
#include <cuda_fp8.h>

extern "C" __global__ void eight_bits(const float *in, float *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = float(__nv_fp8_e4m3(in[i] * float(scale))) / float(scale);
}

// The nearest of 256 numbers, of two that are as near the one with an even code; none is beyond 448.
__device__ float expected(size_t i, const float *in)
{
    const float v = in[i] * float(scale), size = fabsf(v);
    float best = 0;
    int code = 0;
    for (int c = 0; c < 127; c++) {
        const float x = c < 8 ? c * 0.001953125f : (8 + c % 8) * 0.125f * exp2f(c / 8 - 7);
        if (fabsf(x - size) < fabsf(best - size) || (fabsf(x - size) == fabsf(best - size) && c % 2 == 0))
            best = x, code = c;
    }
    return (code && v < 0 ? -best : best) / float(scale);
}
