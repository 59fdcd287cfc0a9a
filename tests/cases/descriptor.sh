# Real kernels as they are: what a descriptor says so that no line of the source need change. With each compiler that is
# here.
# SPDX-License-Identifier: MIT
cat > lone.cu << 'END'
/*
about: a lone kernel with names that are taken, a macro of its own and a block of its own
params:
  n: 1000
  most: {as: max, default: 3}
  tile: {as: TILE, kind: constant, default: 8}
buffers:
  src: {as: in, type: float, count: n, access: read}
  out: {type: float, count: n, access: write}
grid: ceil(n / 128)
block: [32, 4]
arguments: {told: tile}
*/
#define TILE 16
__global__ void whatever(const float *in, float *out, int n, int max, int told)
{
    int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * max + told; // what the parameter is; `check` has what the source says then
}
__device__ bool check(size_t i, const float *in, const float *out, int max, float n)
{
    return out[i] == in[i] * max + TILE;
}
END
cat > instance.cu << 'END'
/*
about: an instance of a template, a structure with a pointer, a vector, a half, an argument that begins inside a buffer
params:
  n: 300
  T: {kind: type, default: float, one_of: [float, double, half]}
  TB: {kind: constant, default: 128}
  h: 0.5
buffers:
  in: {type: T, count: n + 4, access: read}
  out: {type: T, count: n, access: write}
threads: n
block: TB
entry: some::scale<T, TB>
arguments:
  from: in + 4
  p: Params{n, h, out}
  v: [1, 2, h]
  more: h + 1
*/
#include <cuda_fp16.h>
struct Params { int n; float by; void *where; };
namespace some {
template <typename T, int B, int C = 2>
__global__ void __launch_bounds__(B) scale(const T *__restrict__ from, T *__restrict__ out, const Params p,
    float3 v, __half more)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (i < p.n && p.where == out) out[i] = (T)((float)from[i] * p.by + v.x + v.y + v.z + (float)more + C);
}
}
__device__ bool check(size_t i, const T *in, const T *out, float h)
{
    return (float)out[i] == (float)(T)((float)in[i + 4] * h + 1 + 2 + h + h + 1 + 2);
}
END
cat > variants.cu << 'END'
/*
params:
  n: 200
  variant: {kind: variant, one_of: [up, down], default: up}
buffers: {out: {type: int, count: n, access: write}}
threads: n
*/
__global__ void up(int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = i; }
namespace a {
__global__ void down(int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = -i; }
}
__device__ bool check_up(size_t i, const int *out) { return out[i] == (int)i; }
__device__ bool check_down(size_t i, const int *out) { return out[i] == -(int)i; }
END
here=0
for compiler in nvrtc clang; do
    export GPUEXP_COMPILER=$compiler
    echo 'kernel: ./lone.cu' > e.yaml
    "$GPUEXP" e.yaml -d sim -q --fresh -o r.csv > log 2>&1
    grep -q "nothing here compiles\|GPUEXP_COMPILER" log && continue
    here=1
    "$GPUEXP" e.yaml -d sim -q --fresh -o r.csv -s most=5 -s 'tile=[3, 8]' || { echo "lone, $compiler"; cat r.csv; }
    "$GPUEXP" e.yaml -s kernel=./instance.cu -s 'T=[float, double, half]' -s 'TB=[64, 96]' -d sim -q --fresh -o r.csv ||
        { echo "instance, $compiler"; cat r.csv; }
    "$GPUEXP" e.yaml -s kernel=./instance.cu -s 'block: 2 * TB' -d sim -q --fresh -o r.csv > log 2>&1 &&
        echo "a block above the bounds"
    "$GPUEXP" e.yaml -s kernel=./variants.cu -s 'variant=[up, down]' -d sim -q --fresh -o r.csv ||
        { echo "variants, $compiler"; cat r.csv; }
    sed 's/in\[i + 4\]/in[i]/' instance.cu > wrong.cu # an offset that is not there
    "$GPUEXP" e.yaml -s kernel=./wrong.cu -d sim -q --fresh -o r.csv > log 2>&1
    [ "$(grep -c wrong, r.csv)" = 1 ] || { echo "an offset that is not there, $compiler"; cat r.csv; }
done
[ $here = 1 ] || echo "no compiler was tried"
unset GPUEXP_COMPILER
echo "--- a value that only one variant reports is empty for the other"
cat > told.cu << 'END'
/*
about: counts its threads, or does not
params: {n: 64, variant: {default: aloud, one_of: [aloud, still]}}
buffers: {out: {type: int, count: n, access: write}}
reports: {seen: {type: unsigned, about: threads}}
threads: n
block: 64
*/
__global__ void told_aloud(int *out, unsigned *seen) { out[threadIdx.x] = 1, atomicAdd(seen, 1); }
__global__ void told_still(int *out) { out[threadIdx.x] = 1; }
__device__ bool check(size_t i, const int *out) { return out[i] == 1; }
END
"$GPUEXP" e.yaml -s kernel=./told.cu -s 'variant=[aloud, still]' -d sim -q --fresh -o r.csv || cat r.csv
cells r.csv seen; rm -f r.csv
echo "--- mistakes"
mistake() {
    sed "$1" instance.cu > bad.cu
    "$GPUEXP" e.yaml -s kernel=./bad.cu -d sim -q --fresh -o r.csv 2>&1 | grep -v '^ ' | cut -c1-150
    grep -hos 'failed,.*' r.csv | sed 's/ (at .*//' | head -1
    rm -f r.csv
}
mistake 's/entry: .*/entry: scale/'
mistake 's/entry: .*/entry: check<float>/'
mistake 's/v: \[1, 2, h\]/v: [1, 2]/'
mistake 's/from: in + 4/from: in + 999/'
mistake 's/^  more: .*//'
mistake 's/more: h + 1/more: hh + 1/'
