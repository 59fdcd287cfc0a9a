# What says that a result is right: a `check` that asks for anything there is, or `expected`, with a tolerance or
# exactly. A wrong result is shown: the place, each buffer's value, what was expected, the largest error, how many.
# SPDX-License-Identifier: MIT
cat > sums.cu <<'END'
/*
params:
  n: {default: 1000, min: 1}
  off: {default: 77, min: 0, about: from this element on the sum is wrong}
  by: {default: 1.0, about: how far}
  T: {kind: type, default: float, one_of: [float, double, int, half, float2, unsigned long long]}
buffers:
  in: {type: T, count: n, access: read, fill: index}
  out: {type: T, count: n, access: write}
threads: n
tolerance: {abs: 0.25, rel: 0.001}
*/
#include <cuda_fp16.h>
__device__ float2 plus(float2 a, double b) { return float2{a.x + (float)b, a.y}; }
__device__ half plus(half a, double b) { return half((float)a + (float)b); }
template <typename U> __device__ U plus(U a, double b) { return (U)(a + b); }
extern "C" __global__ void sums(const T *in, T *out, size_t n, size_t off, double by)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = plus(in[i], i >= off ? 1 + by : 1);
}
__device__ T expected(size_t i, const T *in) { return plus(in[i], 1); }
END
cat > asks.cu <<'END'
/*
params:
  n: 100
  tile: {kind: constant, default: 3}
  order: {as: ORDER, kind: constant, one_of: [up, down], default: up}
  T: {kind: type, default: float, one_of: [float, int]}
  variant: {one_of: [plain, late], default: plain}
buffers: {out: {type: T, count: n, access: both, fill: index}}
threads: n
*/
__global__ void plain(T *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] += tile; }
__global__ void late(T *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] += tile + 1; }
__device__ bool check(size_t i, const T *out, const T *out_before, int tile, int ORDER, size_t n)
{
    const bool so = out[i] == out_before[i] + tile + (variant == variant_late);
    return so && ORDER == ORDER_up && n == 100 && (i < 9 || i > 11);
}
END
# Several buffers are written, of several lengths and types: each has its own.
cat > layer.cu <<'END'
/*
params:
  rows: 10
  columns: 64
  wrong: {default: 3, about: which results are wrong}
buffers:
  in: {type: float, count: rows * columns, access: read, fill: index}
  out: {type: float, count: rows * columns, access: write}
  most: {type: int, count: rows, access: both, fill: index}
  seen: {type: int, count: 1, access: write}
threads: rows
tolerance: {abs: 0.01}
*/
__global__ void layer(const float *in, float *out, int *most, int *seen, int rows, int columns, int wrong)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    for (int k = 0; k < columns; k++) out[i * columns + k] = 2 * in[i * columns + k] + (wrong == 1 && i == 0);
    most[i] += i + (wrong == 2 && i == 8);
    *seen = 1; // nobody expects anything of it
}
__device__ float expected_out(size_t i, const float *in) { return 2 * in[i]; }
__device__ int expected_most(size_t i, const int *most_before) { return most_before[i] + (int)i; }
END
reasons() { awk -F'"' 'NR > 1 { print (NF > 1 ? $2 : "right") }' r.csv; }
types='T=[float, double, int, half, float2, unsigned long long]'
here=0
for compiler in nvrtc clang; do
    export GPUEXP_COMPILER=$compiler
    echo 'kernel: ./sums.cu' > e.yaml
    "$GPUEXP" e.yaml -d sim -q --fresh -o r.csv -s off=1000 > log 2>&1
    grep -q "nothing here compiles\|GPUEXP_COMPILER" log && continue
    here=1
    { # each type: right, and wrong from 77 on
        "$GPUEXP" e.yaml -d sim -q --fresh -o r.csv -s "$types" -s off=1000 > log 2>&1
        reasons | uniq -c
        "$GPUEXP" e.yaml -d sim -q --fresh -o r.csv -s "$types" > log 2>&1
        reasons
        echo "--- within and beyond the tolerance; what is infinite or no number on one side"
        "$GPUEXP" e.yaml -d sim -q --fresh -o r.csv -s 'by=[0.25, 0.5]' -s 'off=[0, 700]' > log 2>&1
        reasons
        sed 's/return plus(in\[i\], 1); }/return plus(in[i], 1) \/ (i != 5); }/' sums.cu > infinite.cu
        "$GPUEXP" e.yaml -s kernel=./infinite.cu -d sim -q --fresh -o r.csv -s off=1000 > log 2>&1
        reasons
        sed 's/1 + by : 1)/0 \/ (by - 1) : 1)/' sums.cu > nan.cu
        "$GPUEXP" e.yaml -s kernel=./nan.cu -d sim -q --fresh -o r.csv > log 2>&1
        reasons
        echo "--- exactly, where no tolerance is given: the last of 64 bits"
        sed '/^tolerance/d; s/return (U)(a + b)/return a + (1ull << 60) + (U)b/' sums.cu > exact.cu
        "$GPUEXP" e.yaml -s kernel=./exact.cu -d sim -q --fresh -o r.csv -s 'T=unsigned long long' \
            -s 'off=[999, 1000]' > log 2>&1
        reasons
        echo "--- a check asks for the variant, constants, types and the content before"
        "$GPUEXP" e.yaml -s kernel=./asks.cu -d sim -q --fresh -o r.csv -s 'T=[float, int]' \
            -s 'variant=[plain, late]' > log 2>&1
        reasons
        echo "--- several results: one, the other, none"
        "$GPUEXP" e.yaml -s kernel=./layer.cu -d sim -q --fresh -o r.csv -s 'wrong=[1, 2, 3]' > log 2>&1
        reasons
    } > "$compiler.said"
done
unset GPUEXP_COMPILER
[ $here = 1 ] || echo "no compiler was tried"
[ ! -e nvrtc.said ] || [ ! -e clang.said ] || diff nvrtc.said clang.said
cat nvrtc.said 2> /dev/null || cat clang.said
echo "--- mistakes"
mistake() { # SED: of sums.cu
    sed "$1" sums.cu > bad.cu
    "$GPUEXP" check e.yaml -s kernel=./bad.cu -d sim 2>&1 | sed 's/^\(.\{150\}\).*/\1.../'
}
mistake 's/T expected(/bool check(/'
mistake 's/{abs: 0.25, rel: 0.001}/0.25/'
mistake 's/abs: 0.25/absolute: 0.25/'
mistake 's/abs: 0.25/abs: -off/'
mistake 's/access: read, fill: index/access: both/'
mistake 's/^threads: n/threads: n\nchecks: n + 1/'
mistake '$a __device__ bool check(size_t i) { return true; }'
mistake 's/const T \*in, T \*out, size_t n/const double *in, T *out, size_t n/'
mistake 's/size_t i, const T \*in)/size_t i, const T *in, int T)/'
cp layer.cu bad.cu
echo '__device__ float expected(size_t i) { return 2; }' >> bad.cu
"$GPUEXP" check e.yaml -s kernel=./bad.cu -d sim 2>&1 | grep -v '^  '
sed 's/  T:.*//; s/type: T/type: float/; s/^extern/typedef float T;\nextern/; s/const T \*in, T/const int *in, T/' \
    sums.cu > bad.cu
"$GPUEXP" e.yaml -s kernel=./bad.cu -d sim 2>&1
need [ $? = 2 ]
