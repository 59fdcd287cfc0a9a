/*
about: Bitonic sort, a launch a step of the network (after Batcher's network, as the sortingNetworks sample has it).
params: {n: 256}
buffers: {values: {type: int, count: n, access: both, fill: "(int)((i * 7919 + 13) % 1009)"}}
sequence:
  - {repeat: log2(n) * (log2(n) + 1) / 2, launch: bitonic, arguments: {t: step}}
threads: n
*/
__global__ void bitonic(int *values, int t)
{
    int k = 1, row = 1;
    while (t >= row) t -= row++, k++;
    k = 1 << k;
    const int j = k >> (t + 1), i = threadIdx.x + blockDim.x * blockIdx.x, other = i ^ j;
    if (other <= i) return;
    const int a = values[i], b = values[other];
    if (((i & k) == 0) == (a > b)) values[i] = b, values[other] = a;
}
__device__ bool check(size_t i, const int *values, const int *values_before, int n)
{
    int before = 0, found = 0;
    for (int k = 0; k < n; k++) before += values_before[k] < values[i], found += values_before[k] == values[i];
    return found && before <= i && i < before + found;
}
