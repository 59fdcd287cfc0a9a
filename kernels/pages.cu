/*
about: "Adds one to every element, in an order that decides who touches which page of memory first."
params:
  n:    {default: 16Mi, min: 1024, about: "elements, a power of two"}
  page: {default: 1024, min: 32, about: "elements that a warp goes through alone: 4 KiB; a divisor of n"}
  variant:
    default: element
    one_of: [element, page, random]
    about: >
      element: a thread each, side by side; page: a warp goes through one page; random: a thread each, in no order
buffers:
  data: {type: int, count: n, access: both, fill: index}
threads: "variant == 'page' and n // page * 32 or n"
useful: 2 * n * sizeof(int)
*/
extern "C" __global__ void pages_element(int *data, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i]++;
}

extern "C" __global__ void pages_page(int *data, size_t n, size_t page)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int *mine = data + i / 32 * page;
    if (i / 32 * page >= n) return;
    for (size_t k = i % 32; k < page; k += 32) mine[k]++;
}

// Modulo a power of two an odd factor makes another order of the same numbers.
extern "C" __global__ void pages_random(int *data, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i * 2654435761u & (n - 1)]++;
}

__device__ bool check(size_t i, const int *data, const int *data_before) { return data[i] == data_before[i] + 1; }
