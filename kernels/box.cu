/*
about: "Each thread adds one to its own element of a box, in place; `fast` says along which index neighbours lie side by
    side in memory."
params:
  width:  {default: 512, min: 1, about: elements along x}
  height: {default: 512, min: 1, about: elements along y}
  depth:  {default: 256, min: 1, about: elements along z}
  fast:   {kind: constant, default: x, one_of: [x, z],
           about: "x: elements next to each other in x, as in C; z: those in z"}
buffers:
  a: {type: float, count: width * height * depth, access: both, fill: random}
threads: [width, height, depth]
useful: 2 * width * height * depth * sizeof(float)
*/
extern "C" __global__ void box(float *a, size_t width, size_t height, size_t depth)
{
    const size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t y = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    const size_t z = (size_t)blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= width || y >= height || z >= depth) return;
    const size_t at = fast == fast_x ? (z * height + y) * width + x : (x * height + y) * depth + z;
    a[at] += 1;
}

// Whichever way the box lies in memory, every element is one more than it was.
__device__ bool check(size_t i, const float *a, const float *a_before) { return a[i] == a_before[i] + 1; }
