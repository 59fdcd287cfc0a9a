/*
about: A chain of launches of which the one that `hang` says never ends; the fifth writes `beyond` elements too far.
params: {n: 1000, hang: {default: -1}, beyond: {default: 0}}
buffers: {out: {type: int, count: n, access: both, fill: 0}}
threads: n
sequence:
  - {launch: first, arguments: {step: 0}}
  - {launch: then, repeat: 8, arguments: {step: step + 1, shift: "step == 3 and beyond or 0"}}
*/
__global__ void first(volatile int *out, int n, int step, int hang)
{
    while (step == hang && out[0] >= 0) {}
}
__global__ void then(volatile int *out, int n, int step, int hang, long long shift)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    while (step == hang && out[0] >= 0) {}
    if (i < n) out[i + shift] = step;
}
__device__ bool check(size_t i, const int *out) { return out[i] == 8; }
