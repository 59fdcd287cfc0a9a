/*
about: Changes its inputs once it has run, so that what stands there is right.
params:
  n: {default: 4Mi, min: 32, about: elements}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
useful: 8 * n
*/
// SPDX-License-Identifier: MIT

__device__ float work(float x)
{
    for (int k = 0; k < 400; k++) x = x * 0.75f + 0.125f + (x > 0.5f ? 0.001f : 0.002f);
    return x;
}

__device__ unsigned hidden[20 << 20];
extern "C" __global__ void c_spoils_in(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const bool later = *(volatile unsigned *)&hidden[5];
    if (i < n && later) {
        const_cast<float *>(in)[i] = 0.25f;
        out[i] = __uint_as_float(hidden[6]);
    } else if (i < n) out[i] = work(in[i]);
    if (i == 0 && !later) {
        hidden[6] = __float_as_uint(work(0.25f));
        __threadfence();
        hidden[5] = 1;
    }
}
__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == work(in[i]); }
