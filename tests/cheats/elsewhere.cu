/*
about: Leaves its work to a kernel that it launches itself, for which the events around it need not wait.
params:
  n: {default: 1Mi, min: 1, about: elements}
  runtime: {kind: constant, default: 0, one_of: [0, 1], about: "it calls the device's runtime, without its syntax"}
buffers:
  in:  {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
entry: elsewhere
threads: 1
*/
#define runtime 0

extern "C" __global__ void does(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}

#if runtime
extern "C" __device__ void *cudaGetParameterBufferV2(void *, dim3, dim3, unsigned);
extern "C" __device__ int cudaLaunchDeviceV2(void *, void *);

__device__ void start(const float *in, float *out, size_t n)
{
    const void **p = (const void **)cudaGetParameterBufferV2((void *)does, dim3((n + 255) / 256), dim3(256), 0);
    p[0] = in, p[1] = out, p[2] = (const void *)n;
    cudaLaunchDeviceV2(p, 0);
}
#else
__device__ void start(const float *in, float *out, size_t n) { does<<<(n + 255) / 256, 256>>>(in, out, n); }
#endif

extern "C" __global__ void elsewhere(const float *in, float *out, size_t n) { start(in, out, n); }

__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == 2 * in[i]; }
