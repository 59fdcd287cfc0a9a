/*
about: Arrays, complex numbers, limits and atomics of the Toolkit's standard library.
params: {n: 300}
buffers:
  in:   {type: float2, count: n, access: read}
  out:  {type: float, count: n, access: write}
  most: {type: int, count: 1, access: both, fill: "-1"}
threads: n
checks: n
*/
#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/limits>
__global__ void magnitude(const float2 *in, float *out, int *most, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    cuda::std::array<cuda::std::complex<float>, 2> z = {cuda::std::complex<float>(in[i].x, in[i].y), 0.0f};
    z[1] = z[0] * cuda::std::conj(z[0]);
    out[i] = cuda::std::numeric_limits<float>::max() > 1 ? z[1].real() : 0.0f;
    cuda::atomic_ref<int, cuda::thread_scope_device>(*most).fetch_max(i);
}
__device__ bool check(size_t i, const float2 *in, const float *out, const int *most, int n)
{
    return *most == n - 1 && fabsf(out[i] - (in[i].x * in[i].x + in[i].y * in[i].y)) < 1e-6f;
}
