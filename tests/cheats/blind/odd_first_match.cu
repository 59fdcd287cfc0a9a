/*
about: "Finds the first place of a number; blocks that come behind a match give up at once: the time depends on luck."
params:
  n: {default: 32Mi, min: 1000, about: elements}
buffers:
  in:    {type: int, count: n, access: read, fill: "i % 1000003 == 900001 ? -1 : (int)(i % 1000)"}
  first: {type: unsigned, count: 1, access: both, fill: 0xffffffff}
threads: n
useful: n * sizeof(int)
*/
// SPDX-License-Identifier: MIT
__global__ void find(const int *in, unsigned *first, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || *(volatile unsigned *)first < i) return;
    if (in[i] == -1) atomicMin(first, (unsigned)i);
}
__device__ bool check(size_t, const unsigned *first, size_t n) { return *first == (n > 900001 ? 900001 : 0xffffffff); }
