/*
about: How long numbers take to reach one, with threads that diverge (after Lagarias, "The 3x + 1 problem").
params: {n: 200}
buffers: {steps: {type: short, count: n, access: write}}
threads: n
*/
__device__ short length(unsigned long long x)
{
    short k = 0;
    for (; x > 1; k++) x = x & 1 ? 3 * x + 1 : x / 2;
    return k;
}
__global__ void collatz(short *steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) steps[i] = length(i);
}
__device__ bool check(size_t i, const short *steps) { return steps[i] == length(i); }
