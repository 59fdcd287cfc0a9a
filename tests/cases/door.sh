# Sources as they come: headers that are not here, host code around a kernel, namespaces, instances, options of nvcc.
# Each compiler that is here takes them, and what cannot come in names its line.
# more: nvcc takes half a second for each source
# SPDX-License-Identifier: MIT
[ -z "$whole" ] || unset GPUEXP_COMPILER
cat > torch.cu <<'END'
/*
about: A PyTorch extension, as it is.
params: {n: 100}
buffers:
  in:  {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
entry: twice<float, FACTOR>
*/
#include <torch/extension.h>
#include <vector>
#define CHECK_CUDA(x) TORCH_CHECK(x.is_cuda(), #x)
struct Kept { at::Tensor t; };
namespace mine::deep { namespace {
template <typename T, int N> __global__ void twice(const T *in, T *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = N * in[i];
}
} }
template __global__ void mine::deep::twice<float, 2>(const float *, float *, int); // their own, of the same
torch::Tensor run(torch::Tensor x)
{
    CHECK_CUDA(x);
    auto y = torch::empty_like(x);
    mine::deep::twice<float, 2><<<1, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
    return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("run", &run); }
__device__ float expected(size_t i, const float *in) { return FACTOR * in[i]; }
END
all= # the compilers that are here
for compiler in nvrtc ${whole:+nvcc} clang; do
    GPUEXP_COMPILER=$compiler "$GPUEXP" devices | grep -q "compiler: $compiler" && all="$all${all:+, }$compiler"
done
need [ -n "$all" ]
printf 'kernel: ./torch.cu\nwith: {device: sim, options: [-DFACTOR=2, --maxrregcount=40]}\n' > torch.yaml
printf 'sweep: {compiler: [%s]}\n' "$all" >> torch.yaml
need "$GPUEXP" torch.yaml > log
usual=$(grep -o 'compiler: "\?[a-z]*' reports/torch.run.yaml | head -1)
for compiler in ${all//,/}; do # a row names its compiler where the run file names another
    row=$(grep ",$compiler,ok," reports/torch.csv | grep -c "compiled by $compiler [0-9]")
    other=1
    [[ $usual == *$compiler ]] && other=0
    need [ "$row" = $other ]
done
rows=$(grep -c ',ok,"\?left out: <torch/extension.h>' reports/torch.csv)
need [ "$rows" = "$(tr ',' '\n' <<< "$all" | wc -l)" ]

# What a kernel needs is missed, at its line, with the header that would have it.
sed 's/out\[i\] = N/out[i] = (T)c10::Half(1) * N/; /^template __global__/d' torch.cu > half.cu
printf 'kernel: ./half.cu\nwith: {device: sim, options: -DFACTOR=2}\n' > half.yaml
"$GPUEXP" check half.yaml > log 2>&1 && cat log
need grep -q '^./half.cu:18:' log
need grep -q 'left out: <torch/extension.h>' log

# So is what a specialization needs that a kernel calls: none takes its place.
sed 's/N \* in/half<T>(N) * in/; s/^namespace mine/template <class T> __device__ T half(T x) { return x; }\
template <> __device__ float half(float x)\
{\
    return c10::Half(x);\
}\
&/' torch.cu > special.cu
sed 's/half/special/' half.yaml > special.yaml
"$GPUEXP" check special.yaml > log 2>&1 && cat log
need grep -q '^./special.cu:17:' log

# An entry is what names an instance, with what `code` has behind the source; an argument without a name has its place;
# what Lua does not know is C++.
cat > others.cuh <<'END'
#define HEADER(x) <cuda/std/x>
#define OPEN {
#ifdef __CUDACC__
#include HEADER(limits)
#endif
template <class F> struct with { template <class T> static __device__ T call(T a) { return F()(a); } };
template <class F, class T> __global__ void map_all(const T *in, T *out, float by, int n, int = 0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = with<F>::call(in[i]) * by;
}
END
cat > functor.cu <<'END'
/*
about: A kernel of a header, with a functor of the description.
params: {n: 100}
buffers:
  in:  {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
arguments: {5: "(unsigned long long)7", by: "float(2.0f)"}
entry: map_all<add<decltype(1)>, float>
code: |
  template <class N> struct add { __device__ float operator()(float x) const { return x + N(3); } };
  __device__ float expected(size_t i, const float *in) { return 2 * (in[i] + 3); }
*/
#include "others.cuh"
END
printf 'kernel: ./functor.cu\nwith: {device: sim}\n' > functor.yaml
[[ $all == *nvrtc* ]] || sed -i 's/__CUDACC__/NEVER/' others.cuh
need "$GPUEXP" functor.yaml > log
need grep -q ',ok,' reports/functor.csv
sed 's/return x + N/return y + N/' functor.cu > wrong.cu
sed 's/functor/wrong/' functor.yaml > wrong.yaml
"$GPUEXP" check wrong.yaml > log 2>&1 && cat log
need grep -q '^./wrong.cu:11:' log

unset GPUEXP_COMPILER
sed 's/add<decltype/sub<decltype/' functor.cu > wrong.cu # what the description says has a line too
"$GPUEXP" check wrong.yaml > log 2>&1 && cat log
need grep -q '^./wrong.cu:9:' log
sed 's/float(2.0f)/dim3(nothing)/' functor.cu > wrong.cu
"$GPUEXP" check wrong.yaml > log 2>&1 && cat log
need grep -q '^./wrong.cu:8:' log
sed 's/fill: random/fill: nothing(i)/' functor.cu > wrong.cu
"$GPUEXP" check wrong.yaml > log 2>&1 && cat log
need grep -q '^./wrong.cu:5:' log

# What no reader of the text can follow, the compiler does: braces that both arms of an #if open, arguments whose types
# belong to the instance, none or many of them, iterators, and a kernel that a macro makes, by its arguments' places.
cat > wide.cuh <<'END'
#define LIMIT(threads) __launch_bounds__(threads)
struct pair { int step; const float *from[2]; };
struct policy { typedef pair params; };
#if __CUDA_ARCH__ >= 10000
__device__ float more(float x) {
    if (x > 1) {
#else
__device__ float more(float x) {
    if (x > -1) {
#endif
        return x + 1;
    }
    return x;
}
template <class Policy, class It, class... Rest>
__global__ LIMIT(1024) void wide(typename Policy::params p, It out, dim3 by, Rest... rest)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, all[] = {0, rest...};
    for (int r : all) i += r - r;
    out[i] = more(p.from[p.step][i]) * by.y;
}
#define MAKE(name) __global__ void made_##name(const float *in, float *out, int n) \
    { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = 2 * (in[i] + 1); }
MAKE(here)
template <class T> __device__ T once(T x);
template <> __device__ c10::Half once(c10::Half x)
{ return x; }
template <> __device__ int once(int x) { return (int)c10::Half(x); }
END
cat > wide.cu <<'END'
/*
about: Arguments that the compiler knows.
params: {n: 256}
buffers:
  in:  {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
ENTRY
code: |
  __device__ float expected(size_t i, const float *in) { return 2 * (in[i] + 1); }
*/
#include "wide.cuh"
END
ways=('entry: "wide<policy, float *>"\narguments: {p: "{1, {nullptr, in}}", by: [1, 2, 3]}'
    'entry: "wide<policy, float *, int, long long>"\narguments: {p: "{1, {nullptr, in}}", by: [1, 2, 3], rest: 7, 5: n}'
    'entry: made_here\narguments: {1: in, 2: out, 3: n}')
by=$all
for way in "${!ways[@]}"; do
    sed "s|^ENTRY|${ways[way]}|" wide.cu > "wide$way.cu"
    printf 'kernel: ./wide%s.cu\nwith: {device: sim}\nsweep: {compiler: [%s]}\n' "$way" "$by" > "wide$way.yaml"
    need "$GPUEXP" "wide$way.yaml" > log
    need [ "$(grep -c ',ok,' "reports/wide$way.csv")" = "$(tr ',' '\n' <<< "$by" | wc -l)" ]
    by=${all%%,*}
done

# A header that is included twice brings its lines twice, whoever compiles: what they say may have changed.
printf 'ITEM(1)\nITEM(2)\n' > list.h
sed 's|^ENTRY|entry: twice|; /wide.cuh/d; s/return 2 \*/return 3 */' wide.cu > twice.cu
cat >> twice.cu <<'END'
__device__ float sum(float x)
{
    float s = 0;
#define ITEM(n) s += n * x;
#include "list.h"
#undef ITEM
#define ITEM(n) s += n;
#include "list.h"
    return s;
}
__global__ void twice(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = sum(in[i]);
}
END
printf 'kernel: ./twice.cu\nwith: {device: sim}\nsweep: {compiler: [%s]}\n' "$all" > twice.yaml
need "$GPUEXP" twice.yaml > log
need [ "$(grep -c ',ok,' reports/twice.csv)" = "$(tr ',' '\n' <<< "$all" | wc -l)" ]

# A macro may have a kernel's mark, and a kernel the name of a function of CUDA: its type says which is meant.
sed 's|^ENTRY|entry: "(void (*)(const float *, float *, int))norm"|; /wide.cuh/d' wide.cu > norm.cu
cat >> norm.cu <<'END'
#define MARK(threads) __global__ __launch_bounds__(threads)
MARK(1024) void norm(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * (in[i] + 1);
}
END
printf 'kernel: ./norm.cu\nwith: {device: sim}\nsweep: {compiler: [%s]}\n' "$all" > norm.yaml
need "$GPUEXP" norm.yaml > log
need [ "$(grep -c ',ok,' reports/norm.csv)" = "$(tr ',' '\n' <<< "$all" | wc -l)" ]
sed 's/^entry.*/entry: norm/' norm.cu > which.cu
sed 's/norm/which/; s/sweep.*//' norm.yaml > which.yaml
# (What stands for CUDA's headers beside clang has no other `norm`: there the kernel alone is meant.)
if "$GPUEXP" check which.yaml > log 2>&1; then need [ "$all" = clang ]; else need grep -q 'its type says which' log; fi
sed 's/^entry.*//; s/void norm/void powers/; s/2 [*] .in.i. + 1./pow(in[i], 3.0)/' norm.cu > powers.cu
GPUEXP_COMPILER=nvrtc "$GPUEXP" check powers.cu > log 2>&1
! nvrtc || need grep -q 'more than one instance' log
need [ "$(grep -c 'its type says which' log)" = 0 ]
sed 's/^MARK.1024. /inline /' norm.cu > unmarked.cu
sed 's/norm/unmarked/; s/sweep.*//' norm.yaml > unmarked.yaml
"$GPUEXP" check unmarked.yaml > log 2>&1 && cat log
need grep -q 'norm. is not a __global__ function' log

# PTX that another compiler made is a kernel too; its head, its lines and its debugging are not the program's.
cat > theirs.ptx <<'END'
.version 8.0
.target sm_90a
.address_size 64
	.file 1 "nowhere.py"
.visible .entry scaled(.param .u64 x, .param .u64 y, .param .f32 by, .param .u32 n)
{
    .reg .pred %p;
    .reg .b32 %r<5>;
    .reg .f32 %f<3>;
    .reg .b64 %d<5>;
    .loc 1 7 2
    ld.param.u32 %r0, [n];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
    setp.ge.s32 %p, %r4, %r0;
    @%p ret;
    ld.param.u64 %d0, [x];
    ld.param.u64 %d1, [y];
    ld.param.f32 %f0, [by];
    mul.wide.s32 %d2, %r4, 4;
    add.s64 %d3, %d0, %d2;
    add.s64 %d4, %d1, %d2;
    ld.global.f32 %f1, [%d3];
    mul.f32 %f2, %f1, %f0;
    st.global.f32 [%d4], %f2;
    ret;
}
.section .debug_str
{
.b8 110
}
END
cat > theirs.cu <<'END'
/*
about: A kernel that another compiler made.
params: {n: 100}
buffers:
  in:  {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
arguments: {1: in, 2: out, 3: n / 40, 4: n}
entry: scaled
code: |
  __device__ float expected(size_t i, const float *in) { return 2.5f * in[i]; }
*/
#include "theirs.ptx"
END
printf 'kernel: ./theirs.cu\nwith: {device: sim}\nsweep: {compiler: [%s]}\n' "$all" > theirs.yaml
need "$GPUEXP" theirs.yaml > log
need [ "$(grep -c ',ok,' reports/theirs.csv)" = "$(tr ',' '\n' <<< "$all" | wc -l)" ]

# So is the file itself, beside its description.
sed '/theirs.ptx/d' theirs.cu > beside.cu
cp theirs.ptx beside.ptx
printf 'kernel: ./beside.ptx\nwith: {device: sim}\n' > beside.yaml
need "$GPUEXP" beside.yaml > log
need grep -q ',ok,' reports/beside.csv

# What only nvcc knows is its own: the row says so.
{ [[ $all == *nvrtc* ]] && GPUEXP_COMPILER=nvcc "$GPUEXP" devices | grep -q "compiler: nvcc"; } || exit 0
sed 's/if (i < n)/cudaGridDependencySynchronize(); &/' torch.cu > waits.cu
printf 'kernel: ./waits.cu\nwith: {options: -DFACTOR=2}\n' > waits.yaml
need "$GPUEXP" waits.yaml -d sim:h200 > log
need grep -q 'left out: <torch/extension.h>; compiled by nvcc' reports/waits.csv

# Headers of the host that no line needs send nothing to another compiler.
sed 's/<torch.extension.h>/<map>\n#include <stdexcept>\n#include <stdbool.h>\nvoid show(FILE *);/
    /PYBIND/d; /^torch::/,/^}/d; /^struct Kept/d' torch.cu > host.cu
printf 'kernel: ./host.cu\nwith: {device: sim, options: -DFACTOR=2}\n' > host.yaml
need "$GPUEXP" host.yaml > log
need [ "$(grep -c ',ok,,' reports/host.csv)" = 1 ]

[ -n "$whole" ] || exit 0
# What it takes as it is loses nothing by another compiler that does not.
sed 's/<torch.extension.h>/<map>/; /PYBIND/d; /^torch::/,/^}/d
    s/^struct Kept.*/int kept() { return std::map<int, int>{}.size(); }/' torch.cu > map.cu
printf 'kernel: ./map.cu\nwith: {device: sim, options: -DFACTOR=2}\n' > map.yaml
need "$GPUEXP" map.yaml > log
need grep -q ',ok,compiled by nvcc' reports/map.csv

# A header of the Toolkit that is included by its path is the one that its own headers include.
nvcc=$("$GPUEXP" devices | sed -n 's|^ *NVRTC *\(/.*\)/lib[^/]*/.*|\1/bin/nvcc|p')
[ -x "$nvcc" ] || nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
folder=$(dirname "$(readlink -f "$(dirname "$nvcc")/../include/cccl/cub/cub.cuh")")
cat > queue.cu <<END
/*
about: A kernel of CUB, described by what its header calls things.
buffers: {state: {type: int, count: 2, access: write}}
grid: 1
block: 1
arguments: {grid_queue: "cub::GridQueue<int>(state)", num_items: 7}
entry: cub::FillAndResetDrainKernel<int>
code: |
  __device__ int expected(size_t i) { return i ? 0 : 7; }
*/
#include <cub/grid/grid_queue.cuh>
#include "$folder/grid/grid_queue.cuh"
END
printf 'kernel: ./queue.cu\nwith: {device: sim}\n' > queue.yaml
need "$GPUEXP" queue.yaml --allow-include "$folder" > log
need grep -q ',ok,' reports/queue.csv

# Machine code, or a file of several, is a kernel as well: what it counts is what its source would.
cat > saved.cuh <<'END'
struct more { float by; int two[2]; };
extern "C" __global__ void tile(const float *in, float *out, int n, float by, more m, double last)
{
    __shared__ float tile[256];
    extern __shared__ float again[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? in[i] * by : 0;
    __syncthreads();
    again[threadIdx.x] = tile[threadIdx.x] + m.two[1];
    __syncthreads();
    if (i < n) out[i] = again[threadIdx.x] * m.by + (float)last;
}
END
cat > saved.cu <<'END'
/*
about: Machine code of another build.
params: {n: 1000}
buffers:
  in:  {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
block: 256
shared: 256 * 4
arguments: {1: in, 2: out, 3: n, 4: 2.0, 5: "more{0.5f, {1, 3}}", 6: 1.0}
entry: tile
code: |
  struct more { float by; int two[2]; };
  __device__ float expected(size_t i, const float *in) { return (in[i] * 2 + 3) * 0.5f + 1; }
*/
END
sed 's/arguments:.*/arguments: {by: 2.0, m: "more{0.5f, {1, 3}}", last: 1.0}/; /^  struct/d' saved.cu > source.cu
echo '#include "saved.cuh"' >> source.cu
cp saved.cu parts.cu
need "$nvcc" -cubin -lineinfo -arch=sm_90 -x cu saved.cuh -o saved.cubin
need "$nvcc" -fatbin --compress-mode=none -gencode arch=compute_80,code=sm_80 \
    -gencode 'arch=compute_90,code=[sm_90,compute_90]' -x cu saved.cuh -o parts.fatbin
for kernel in source.cu saved.cubin parts.fatbin; do
    printf 'kernel: ./%s\nwith: {device: sim, n: 3000}\n' $kernel > "${kernel%.*}.yaml"
    need "$GPUEXP" "${kernel%.*}.yaml" > log
    need grep -q ',ok,.*,sass,' "reports/${kernel%.*}.csv"
done
counts() {
    cut -d, -f "$(head -1 "$1" | tr ',' '\n' | grep -nE '^(ld|st)_|wavefronts|regs' | cut -d: -f1 | paste -sd,)" "$1"
}
need diff <(counts reports/source.csv) <(counts reports/saved.csv)
need diff <(counts reports/source.csv) <(counts reports/parts.csv)
# That of an older processor runs too, and the row says what nobody has held against a GPU.
need "$nvcc" -cubin -arch=sm_80 -x cu saved.cuh -o older.cubin
cp saved.cu older.cu
need "$GPUEXP" older.cubin -d sim -s n=3000 -o reports/older.csv > log
need grep -q ',ok,.*approximate: this is machine code of sm_80' reports/older.csv
need "$GPUEXP" saved.cubin -d sim -s n=2000 -o reports/alone.csv > log # a kernel by itself
need grep -q ',ok,.*,sass,' reports/alone.csv
need "$GPUEXP" sites ./saved.cubin -d sim > log
need grep -q 'LDG' log
for wrong in 's/, 6: 1.0/&, 7: 2/' 's/2: out/2: out + 1/' 's/entry: tile/entry: tiles/'; do # each in its own words
    sed "$wrong" saved.cu > mistaken.cu
    cp saved.cubin mistaken.cubin
    printf 'kernel: ./mistaken.cubin\nwith: {device: sim}\n' > mistaken.yaml
    "$GPUEXP" mistaken.yaml -q >> wrongs 2>&1 && cat wrongs
done
need grep -q 'takes 6 arguments as compiled, 7 as described' wrongs
need grep -q 'out-of-bounds store' wrongs
need grep -q 'no entry .tiles.; there are: .*tile' wrongs
head -c 3000 saved.cubin > mistaken.cubin
"$GPUEXP" mistaken.yaml -q > log 2>&1 && cat log
need grep -q 'it is no cubin' log
rm mistaken.cu
"$GPUEXP" check mistaken.yaml > log 2>&1 && cat log
need grep -q 'mistaken.cubin: its description stands beside it, in ./mistaken.cu, which is not there' log
# A large wrong kernel is loaded twice, for each engine. What is said of its compiler is said once.
sed 's/\* 0.5f + 1/* 0.5f + 2/' source.cu > wrong.cu
printf 'kernel: ./wrong.cu\nwith: {device: "sim:h200", n: 64Ki, compiler: nvcc}\n' > wrong.yaml
"$GPUEXP" wrong.yaml > log 2>&1 && cat log
grep -q "wrong: 65536 of 65536" log || cat log
[ "$(grep -o 'compiled by' log | wc -l)" = 1 ] || cat log
