/*
about: Numbers to eight bits with a scale for each group (after Dettmers et al., block-wise quantization).
params: {n: 1024}
buffers:
  x: {type: float, count: n, access: read, fill: {random: [-2, 2]}}
  q: {type: int8_t, count: n, access: write}
  scale: {type: float, count: n / 32, access: write}
threads: n
checks: n
*/
__global__ void quantize(const float *x, int8_t *q, float *scale, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0, m = fabsf(v);
    for (int o = 16; o; o >>= 1) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, o));
    if (i >= n) return;
    q[i] = (int8_t)lrintf(v / m * 127);
    if (i % 32 == 0) scale[i / 32] = m / 127;
}
__device__ bool check(size_t i, const float *x, const int8_t *q, const float *scale)
{
    return fabsf(q[i] * scale[i / 32] - x[i]) <= 0.51f * scale[i / 32];
}
