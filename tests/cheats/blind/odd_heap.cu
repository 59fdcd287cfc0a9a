/*
about: "Each thread builds a list on the device's heap, adds it up and frees it."
params:
  n: {default: 4Ki, min: 1, about: threads}
buffers:
  in:  {type: int, count: n, access: read, fill: random}
  out: {type: int, count: n, access: write}
threads: n
useful: 2 * n * sizeof(int)
*/
// SPDX-License-Identifier: MIT
struct node { int value; node *next; };
__global__ void lists(const int *in, int *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    node *list = nullptr;
    for (int k = 0; k < 4; k++) {
        node *one = (node *)malloc(sizeof(node));
        one->value = in[i] + k;
        one->next = list;
        list = one;
    }
    int sum = 0;
    while (list) {
        node *one = list;
        sum += one->value;
        list = one->next;
        free(one);
    }
    out[i] = sum;
}
__device__ int expected(size_t i, const int *in) { return 4 * in[i] + 6; }
