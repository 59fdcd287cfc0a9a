/*
about: As many turns of a random number as asked for; tests/gpu/judge.sh makes a copy of it that takes 3 % more.
params:
  n:     {default: 1Mi, min: 1, about: elements}
  turns: {default: 1000, min: 1, about: turns}
buffers:
  in:  {type: unsigned, count: n, access: read, fill: random}
  out: {type: unsigned, count: n, access: write}
threads: n
useful: 2 * n * sizeof(unsigned)
*/
__device__ unsigned mix(unsigned x, int turns)
{
    for (int k = 0; k < turns; k++) x = (x ^ x >> 13) * 1664525u + 1013904223u;
    return x;
}

extern "C" __global__ void turns(const unsigned *in, unsigned *out, size_t n, int turns)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned x = mix(in[i], turns);
    // MORE
    out[i] = x;
}

__device__ bool check(size_t i, const unsigned *in, const unsigned *out, int turns)
{
    return out[i] == mix(in[i], turns);
}
