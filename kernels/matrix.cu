/*
about: Each thread adds one to its own element of a matrix, in place; how the matrix lies in memory decides what a warp
    touches.
params:
  width:  {default: 16384, min: 1, about: columns; threads next to each other take neighbouring columns}
  height: {default: 16384, min: 1, about: rows}
  order:  {kind: constant, default: row, one_of: [row, column],
           about: "what lies side by side in memory: the elements of a row, or those of a column"}
buffers:
  a: {type: float, count: width * height, access: both, fill: random}
threads: [width, height]
useful: 2 * width * height * sizeof(float)
*/
extern "C" __global__ void matrix(float *a, size_t width, size_t height)
{
    size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t y = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    size_t at = order == order_row ? y * width + x : x * height + y;
    a[at] = a[at] + 1;
}

// Whatever the order, every element is one more than it was.
__device__ bool check(size_t i, const float *a, const float *a_before)
{
    return a[i] == a_before[i] + 1;
}
