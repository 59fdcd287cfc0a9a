/*
about: "A window of the last `size` values of a row, kept in registers, or in an array that is indexed at run time and
    so lies in memory."
params:
  n:     {default: 256Ki, min: 1, about: "rows; each thread goes down its own"}
  steps: {kind: constant, default: 256, min: 1, about: "values of a row, a multiple of `size`"}
  size:  {kind: constant, default: 16, one_of: [4, 8, 16, 32, 64], about: values in the window}
  variant:
    default: unrolled
    one_of: [unrolled, indexed]
    about: "unrolled: every index is known to the compiler, and the window stays in registers; indexed: it is not, and
        each access is a local one"
buffers:
  in:  {type: float, count: n * steps, access: read, fill: cycle}
  out: {type: float, count: n, access: write}
threads: n
useful: n * (steps + 1) * sizeof(float)
*/

// The sum over all steps of (the newest value) x (the one that leaves the window): the oldest is overwritten by the
// newest.
extern "C" __global__ void window_unrolled(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float kept[size] = {}, sum = 0;
#pragma unroll 1
    for (int t = 0; t < steps; t += size)
#pragma unroll
        for (int k = 0; k < size; k++) { // k is a constant in each copy of this line
            const float v = in[(t + k) * n + i];
            sum += v * kept[k];
            kept[k] = v;
        }
    out[i] = sum;
}

extern "C" __global__ void window_indexed(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float kept[size], sum = 0;
#pragma unroll
    for (int k = 0; k < size; k++) kept[k] = 0;
#pragma unroll 1
    for (int t = 0, at = 0; t < steps; t++) {
        const float v = in[t * n + i];
        sum += v * kept[at];
        kept[at] = v;
        at = at + 1 == size ? 0 : at + 1; // known at run time only
    }
    out[i] = sum;
}

__device__ bool check(size_t i, const float *in, const float *out, size_t n)
{
    float sum = 0;
    for (int t = size; t < steps; t++) sum += in[t * n + i] * in[(t - size) * n + i];
    return fabsf(out[i] - sum) <= 1e-4f * fabsf(sum) + 1e-4f;
}
