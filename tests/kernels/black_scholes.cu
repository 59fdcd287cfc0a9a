/*
about: Prices of options by Black and Scholes (after the BlackScholes sample).
params: {n: 300, r: 0.02, v: 0.3}
buffers:
  s:    {type: float, count: n, access: read, fill: {random: [5, 30]}}
  x:    {type: float, count: n, access: read, fill: {random: [1, 100]}}
  t:    {type: float, count: n, access: read, fill: {random: [0.25, 10]}}
  call: {type: float, count: n, access: write}
  put:  {type: float, count: n, access: write}
threads: n
*/
__device__ inline float cnd(float d) { return 0.5f * erfcf(-d * (float)M_SQRT1_2); }
__global__ void price(const float *s, const float *x, const float *t, float *call, float *put, float r, float v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float q = sqrtf(t[i]), e = expf(-r * t[i]);
    float d1 = (logf(s[i] / x[i]) + (r + 0.5f * v * v) * t[i]) / (v * q), d2 = d1 - v * q;
    call[i] = s[i] * cnd(d1) - x[i] * e * cnd(d2);
    put[i] = x[i] * e * (1.0f - cnd(d2)) - s[i] * (1.0f - cnd(d1));
}
__device__ bool check(size_t i, const float *s, const float *x, const float *t, const float *call, const float *put,
    float r)
{
    // Put-call parity.
    return fabsf(call[i] - put[i] - (s[i] - x[i] * expf(-r * t[i]))) < 1e-3f * (s[i] + x[i]) && call[i] > -1e-3f;
}
