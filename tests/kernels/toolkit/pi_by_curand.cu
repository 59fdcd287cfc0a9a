/*
about: Pi by Monte Carlo with cuRAND's device API.
params: {n: 4Ki}
buffers:
  hits: {type: unsigned, count: n, access: write}
threads: n
arguments: {trials: 64, seed: 1234}
*/
#include <curand_kernel.h>
__global__ void pi(unsigned *hits, int trials, unsigned long long seed)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    curandStatePhilox4_32_10_t state;
    curand_init(seed, id, 0, &state);
    unsigned h = 0;
    for (int i = 0; i < trials; i++) {
        float x = curand_uniform(&state), y = curand_uniform(&state);
        h += x * x + y * y <= 1.0f;
    }
    hits[id] = h;
}
__device__ bool check(size_t i, const unsigned *hits) { return hits[i] > 25 && hits[i] <= 64; }
