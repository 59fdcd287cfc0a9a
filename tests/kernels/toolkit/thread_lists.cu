/*
about: Each thread keeps a list of its numbers in memory that it takes from the device's heap, and gives it back.
params:
  n: {default: 2048, min: 1, about: threads}
buffers:
  in:  {type: int, count: n, access: read, fill: {random: [0, 1000]}}
  out: {type: int, count: n, access: write}
threads: n
*/
struct node {
    node *next;
    int value;
};

extern "C" __global__ void thread_lists(const int *in, int *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    node *first = nullptr;
    for (int k = 0; k < in[i] % 7; k++) first = new node{first, in[(i + k) % n]};
    int mixed = 0;
    while (first) {
        mixed = mixed * 31 + first->value;
        node *gone = first;
        first = first->next;
        delete gone;
    }
    out[i] = mixed;
}

__device__ int expected(size_t i, const int *in, int n)
{
    int mixed = 0;
    for (int k = in[i] % 7 - 1; k >= 0; k--) mixed = mixed * 31 + in[((int)i + k) % n];
    return mixed;
}
