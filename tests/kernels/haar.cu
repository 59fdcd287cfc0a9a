/*
about: The Haar wavelet, a launch a level, in place of the coarser half (after the dwtHaar1D sample).
params: {n: 256}
buffers: {signal: {type: float, count: n, access: both, fill: 3}, coarse: {type: float, count: n, access: write}}
sequence:
  - repeat: log2(n)
    swap: [signal, coarse]
    sequence: [{launch: haar, threads: n, arguments: {m: "n / 2^step"}}]
*/
__global__ void haar(const float *signal, float *coarse, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i >= m) coarse[i] = signal[i];
    else if (i < m / 2) coarse[i] = (signal[2 * i] + signal[2 * i + 1]) * 0.5f;
    else coarse[i] = (signal[2 * (i - m / 2)] - signal[2 * (i - m / 2) + 1]) * 0.5f;
}
__device__ bool check(size_t i, const float *signal) { return signal[i] == (i ? 0 : 3); }
