/*
about: "Keeps the numbers that 7 divides, in whatever order an atomic counter gives."
params:
  n: {default: 4Mi, min: 1, about: elements}
buffers:
  in:    {type: int, count: n, access: read, fill: "(int)(i * 2654435761u >> 5)"}
  out:   {type: unsigned, count: n, access: both, fill: 0xffffffff, about: places of the numbers kept}
  place: {type: unsigned, count: n, access: both, fill: 0xffffffff, about: where in out each number went}
  count: {type: unsigned, count: 1, access: both, fill: 0}
threads: n
useful: n * sizeof(int)
checks: n
*/
// SPDX-License-Identifier: MIT
__global__ void append(const int *in, unsigned *out, unsigned *place, unsigned *count, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 7 == 0) {
        const unsigned at = atomicAdd(count, 1);
        out[at] = i;
        place[i] = at;
    }
}
__device__ bool check(size_t i, const int *in, const unsigned *out, const unsigned *place, const unsigned *count)
{
    if (in[i] % 7) return place[i] == 0xffffffff && (i < *count || out[i] == 0xffffffff);
    return place[i] < *count && out[place[i]] == i && (i < *count || out[i] == 0xffffffff);
}
