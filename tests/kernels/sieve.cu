/*
about: Primes by sieving out multiples, a thread a number to start from (after Eratosthenes).
params: {n: 500}
buffers: {composite: {type: char, count: n, access: both, fill: 0}}
threads: 24
block: 32
*/
__global__ void sieve(char *composite, int n)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < 2 || k * k >= n) return;
    for (int m = k * k; m < n; m += k) composite[m] = 1;
}
__device__ bool check(size_t i, const char *composite)
{
    bool is = false;
    for (size_t k = 2; k * k <= i; k++) is |= i % k == 0;
    return composite[i] == (char)is;
}
