/*
about: What each tap of a filter reads of its pixels, brought by an im2col tensor map and written out; a column a block.
params:
  C:     {kind: constant, default: 16, about: channels of the images}
  W:     {kind: constant, default: 9, about: columns of an image}
  H:     {kind: constant, default: 7, about: rows}
  N:     {kind: constant, default: 3, about: images}
  R:     {kind: constant, default: 3, about: taps of the filter in each direction}
  pad:   {kind: constant, default: 1, min: 0, about: pixels before and after the image}
  step:  {kind: constant, default: 1, about: pixels from one place of the filter to the next}
  far:   {kind: constant, default: 1, about: pixels from tap to tap}
  P:     {kind: constant, default: 32, about: pixels that one copy brings}
  K:     {kind: constant, default: 16, about: channels}
  swizzle: {kind: constant, default: 0, one_of: [0, 32, 64, 128]}
  T:     {kind: type, default: float, one_of: [float, half, unsigned char]}
buffers:
  in:  {type: T, count: C * W * H * N, access: read, fill: index}
  out:
    type: T
    count: >-
      K * (C // K) * P * R * R *
      cdiv(((W + 2 * pad - far * (R - 1) - 1) // step + 1) * ((H + 2 * pad - far * (R - 1) - 1) // step + 1) * N, P)
    access: write
arguments:
  map:
    tensor: in
    size: [C, W, H, N]
    box: [K, P]
    lower: [-pad, -pad]
    upper: [pad - far * (R - 1), pad - far * (R - 1)]
    step: [1, step, step, 1]
    swizzle: swizzle
block: 64
grid:
  - cdiv(((W + 2 * pad - far * (R - 1) - 1) // step + 1) * ((H + 2 * pad - far * (R - 1) - 1) // step + 1) * N, P)
  - C // K
  - R * R
*/
#include <cuda.h>
constexpr int ROW = K * (int)sizeof(T), PITCH = ROW < swizzle ? swizzle : ROW;
constexpr int ACROSS = (W + 2 * pad - far * (R - 1) - 1) / step + 1,
              DOWN = (H + 2 * pad - far * (R - 1) - 1) / step + 1;

extern "C" __global__ void pixels(const __grid_constant__ CUtensorMap map, T *out)
{
    __shared__ __align__(1024) char tile[PITCH * P];
    __shared__ unsigned long long barrier;
    const unsigned to = (unsigned)__cvta_generic_to_shared(tile), bar = (unsigned)__cvta_generic_to_shared(&barrier);
    const int first = blockIdx.x * P, tap = blockIdx.z;
    if (threadIdx.x == 0) {
        const int x = first % ACROSS * step - pad, y = first / ACROSS % DOWN * step - pad, n = first / (ACROSS * DOWN);
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(ROW * P) : "memory");
        asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
                     "[%0], [%1, {%2, %3, %4, %5}], [%6], {%7, %8};" ::"r"(to),
                     "l"(&map), "r"((int)blockIdx.y * K), "r"(x), "r"(y), "r"(n), "r"(bar),
                     "h"((unsigned short)(tap % R * far)), "h"((unsigned short)(tap / R * far))
                     : "memory");
    }
    __syncthreads();
    unsigned done = 0;
    while (!done)
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done)
                     : "r"(bar)
                     : "memory");
    T *mine = out + ((size_t)(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * (K * P);
    for (int i = threadIdx.x; i < K * P; i += blockDim.x) {
        const int at = i / K * PITCH + i % K * (int)sizeof(T);
        mine[i] = *(const T *)(tile + (at ^ (swizzle ? (at >> 7 & (swizzle / 16 - 1)) << 4 : 0)));
    }
}

// What a tap reads of a pixel: what is outside of the image, and behind the last one, is zero.
__device__ bool check(size_t i, const T *in, const T *out)
{
    const int k = (int)(i % K), columns = (ACROSS * DOWN * N + P - 1) / P;
    const size_t left = i / K;
    const int pixel = (int)(left % (P * columns)), group = (int)(left / (P * columns) % (C / K)),
              tap = (int)(left / (P * columns) / (C / K));
    const int x = pixel % ACROSS * step - pad + tap % R * far, y = pixel / ACROSS % DOWN * step - pad + tap / R * far,
              n = pixel / (ACROSS * DOWN);
    const bool inside = x >= 0 && x < W && y >= 0 && y < H && n < N;
    return (float)out[i] == (inside ? (float)in[(((size_t)n * H + y) * W + x) * C + group * K + k] : 0.0f);
}
