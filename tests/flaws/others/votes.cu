/*
about: Each thread counts its values into four classes, and tells the most frequent.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  n: {default: 256Ki}
buffers:
  in: {type: unsigned, count: 8 * n, access: read, fill: random}
  out: {type: int, count: n, access: write}
threads: n
*/
// SPDX-License-Identifier: MIT
// Has to be found first: local
extern "C" __global__ void votes_flawed(const unsigned *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, votes[16] = {0};
    for (int k = 0; k < 8; k++) votes[in[k * n + i] & 15]++;
    int best = 0;
    for (int k = 1; k < 16; k++) if (votes[k] > votes[best]) best = k;
    out[i] = best;
}
extern "C" __global__ void votes_clean(const unsigned *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long votes = 0;
    for (int k = 0; k < 8; k++) votes += 1ull << (4 * (in[k * n + i] & 15));
    int best = 0, most = 0;
    #pragma unroll
    for (int k = 0; k < 16; k++)
    {
        int v = votes >> (4 * k) & 15;
        if (v > most) { most = v; best = k; }
    }
    out[i] = best;
}
