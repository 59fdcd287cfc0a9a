/*
about: One box of a matrix, brought by a tensor map to shared memory and written out as it lies there.
params:
  w:     {default: 100, min: 1, about: columns that the map describes}
  h:     {default: 50, min: 1, about: rows}
  row:   {default: 112, min: 1, about: elements from row to row}
  first: {default: 0, min: 0, about: where the tensor begins in the buffer}
  x:     {default: 0, min: -100000, about: where the box begins}
  y:     {default: 0, min: -100000}
  T:     {kind: type, default: float, one_of: [float, double, int, unsigned char, short, unsigned long long]}
  W:     {kind: constant, default: 32, about: columns of the box}
  H:     {kind: constant, default: 8, about: rows of the box}
  step:  {kind: constant, default: 1, about: every so-many-th of them}
  swizzle: {kind: constant, default: 0, one_of: [0, 32, 64, 128]}
  promote: {default: 0, about: bytes}
buffers:
  in:  {type: T, count: row * h + first, access: read, fill: index}
  out: {type: T, count: W * ((H + step - 1) // step), access: write}
arguments:
  box: {tensor: in + first, size: [w, h], stride: row, box: [W, H], step: [1, step], swizzle: swizzle, promote: promote}
block: 64
grid: 1
*/
#include <cuda.h>
constexpr int ROWS = (H + step - 1) / step, PIECES = W * (int)sizeof(T) / 16;
// A row takes a span of the swizzle, of which it may need only a part.
constexpr int PITCH = W * (int)sizeof(T) < swizzle ? swizzle : W * (int)sizeof(T);

extern "C" __global__ void boxes(const __grid_constant__ CUtensorMap box, T *out, int x, int y)
{
    __shared__ __align__(1024) char tile[PITCH * ROWS];
    __shared__ unsigned long long barrier;
    const unsigned to = (unsigned)__cvta_generic_to_shared(tile), bar = (unsigned)__cvta_generic_to_shared(&barrier);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar),
            "r"((unsigned)sizeof(T) * W * ROWS)
            : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                     "[%0], [%1, {%2, %3}], [%4];" ::"r"(to),
            "l"(&box), "r"(x), "r"(y), "r"(bar)
            : "memory");
    }
    __syncthreads();
    unsigned done = 0;
    while (!done)
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done)
                     : "r"(bar)
                     : "memory");
    for (int i = threadIdx.x; i < W * ROWS; i += blockDim.x) {
        const int byte = i % W * (int)sizeof(T), line = i / W * PITCH;
        const int at = line + byte, moved = at ^ (swizzle ? (at >> 7 & (swizzle / 16 - 1)) << 4 : 0);
        out[i] = *(const T *)(tile + moved);
    }
}

// What a copy is to bring, without a word of how it lies in shared memory.
__device__ bool check(size_t i, const T *in, const T *out, int w, int h, int row, int first, int x, int y)
{
    const int column = x + (int)(i % W), line = y + (int)(i / W) * step;
    const bool inside = column >= 0 && column < w && line >= 0 && line < h;
    return out[i] == (inside ? in[first + line * row + column] : (T)0);
}
