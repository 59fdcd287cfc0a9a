/*
about: An inclusive scan, a launch a doubling (after Hillis and Steele, "Data Parallel Algorithms").
params: {n: 700}
buffers: {in: {type: int, count: n, access: both}, out: {type: int, count: n, access: write}}
sequence: [{launch: step, repeat: ceil(log2(n)), swap: [in, out], arguments: {d: 2^step}}]
threads: n
*/
__global__ void step(const int *in, int *out, int n, int d)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] + (i >= d ? in[i - d] : 0);
}
__device__ bool check(size_t i, const int *in, const int *in_before)
{
    int sum = 0;
    for (size_t k = 0; k <= i; k++) sum += in_before[k];
    return in[i] == sum;
}
