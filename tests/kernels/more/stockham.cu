/*
about: FFTs of 256 complex numbers, a block each.
params: {batch: 16}
buffers:
  data: {type: float2, count: batch * 256, access: read, fill: "make_float2(i % 256 == 1 ? 1.0f : 0.0f, 0.0f)"}
  out:  {type: float2, count: batch * 256, access: write}
grid: batch
block: 128
*/
__global__ void fft256(const float2 *data, float2 *out)
{
    __shared__ float2 buf[2][256];
    const int t = threadIdx.x, base = blockIdx.x * 256;
    buf[0][t] = data[base + t];
    buf[0][t + 128] = data[base + t + 128];
    int from = 0;
    for (int ns = 1; ns < 256; ns *= 2) {
        __syncthreads();
        float2 v0 = buf[from][t], v1 = buf[from][t + 128];
        float s, c;
        sincospif(-(float)(t % ns) / ns, &s, &c);
        v1 = make_float2(v1.x * c - v1.y * s, v1.x * s + v1.y * c);
        int at = t / ns * ns * 2 + t % ns;
        buf[1 - from][at] = make_float2(v0.x + v1.x, v0.y + v1.y);
        buf[1 - from][at + ns] = make_float2(v0.x - v1.x, v0.y - v1.y);
        from = 1 - from;
    }
    __syncthreads();
    out[base + t] = buf[from][t];
    out[base + t + 128] = buf[from][t + 128];
}
__device__ bool check(size_t i, const float2 *out)
{
    float s, c;
    sincospif(-2.0f * (i % 256) / 256, &s, &c);
    return fabsf(out[i].x - c) < 1e-5f && fabsf(out[i].y - s) < 1e-5f;
}
