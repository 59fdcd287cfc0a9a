# `replay`: what a report was measured with is measured again, whatever has become of its files.
# SPDX-License-Identifier: MIT
mkdir kernels
cat > kernels/helper.h <<END
__device__ size_t place(size_t i, size_t stride, size_t n) { return i * stride % n; }
END
cat > kernels/mine.cu <<END
/*
about: Reads with a stride.
params:
  n:      {default: 1024, min: 1}
  stride: {default: 1, min: 1}
buffers:
  in:  {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
useful: 8 * n
*/
#include "helper.h"
extern "C" __global__ void mine(const float *in, float *out, size_t n, size_t stride)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[place(i, stride, n)];
}
__device__ bool check(size_t i, const float *in, const float *out, size_t n, size_t stride)
{
    return out[i] == in[i * stride % n];
}
END
printf 'return {keep = function(p) return p.stride ~= 3, "no three" end}' > mine.lua # no line's end
cat > two.yaml <<END
experiment: first
kernel: mine
---
experiment: second
kernel: mine
script: ./mine.lua
with: {model: none}
sweep: {stride: [1, 2, 3]}
expect:
  - that: ld_requests == n / 32
END
need gpuexp two.yaml -q -d sim -s 'stride=[1, 3, 5]' -s n=2Ki --seed 7
cut -d, -f1-9 reports/second.csv > before
# Everything that it was made from is gone or another.
rm kernels/helper.h mine.lua
echo 'not: [yaml' > two.yaml
sed -i 's/in\[place/in[1 + place/' kernels/mine.cu
replay() { (set -o pipefail; gpuexp replay "$@" | sed "s/; [0-9.]* [mu]*s;/; TIME;/"); }
t replay reports/second.csv
need cmp before <(cut -d, -f1-9 reports/second.replay.csv) # keys too
need grep -q '^seed: 7$' reports/second.replay.run.yaml
t gpuexp replay reports/second.csv -q -o again.csv
need cmp reports/second.replay.csv again.csv
# Once more: it is measured, and the last one is kept.
need gpuexp replay reports/second.csv -q
need test -e reports/second.replay.csv.bak
# What cannot be run again says why.
sed -i '/^kernel_text/,/^script_text/{/^script_text/!d}' reports/second.run.yaml
t gpuexp replay reports/second.csv -q -o changed.csv
sed -i 's/^override_0: .*/overrides: "device=sim stride=[1, 3, 5] n=2Ki"/; /^override_[1-9]/d' reports/second.run.yaml
t gpuexp replay reports/second.csv
rm reports/second.run.yaml
t gpuexp replay reports/second.csv
t gpuexp replay nothing.csv
# Several kernels as an axis, each with what it includes: of those too nothing is left.
for name in up down; do
    echo "__device__ size_t $name(size_t i, size_t n) { return (i + 5) % n; }" > kernels/$name.h
    cat > kernels/by_$name.cu << END
/*
params: {n: {default: 1024, min: 1}}
buffers: {in: {type: float, count: n, access: read, fill: random}, out: {type: float, count: n, access: write}}
threads: n
*/
#include "$name.h"
__global__ void by_$name(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[$name(i, n)];
}
__device__ bool check(size_t i, const float *in, const float *out, size_t n) { return out[i] == in[(i + 5) % n]; }
END
done
printf 'sweep: {kernel: [by_up, ./kernels/by_down.cu], n: [512, 1Ki]}\n' > axis.yaml
need gpuexp axis.yaml -q -d sim
cut -d, -f1-8 reports/axis.csv > before
rm axis.yaml kernels/up.h kernels/by_up.cu
sed -i 's/in\[down/in[1 + down/' kernels/by_down.cu
need gpuexp replay reports/axis.csv -q
need cmp before <(cut -d, -f1-8 reports/axis.replay.csv)
need [ "$(grep -c ',ok,' reports/axis.replay.csv)" = 4 ]
# Where nothing said which device, the report says which one it was.
printf 'kernel: stride\nwith: {n: 1Ki}\n' > any.yaml
need gpuexp any.yaml -q
need gpuexp replay reports/any.csv -q
# A file that fills a buffer is not kept: it must hold what it held.
cat > kernels/from_file.cu << END
/*
params: {n: {default: 64, min: 1}}
buffers:
  in: {type: float, count: n, access: read, fill: {file: data.csv}}
  out: {type: float, count: n, access: write}
threads: n
*/
__global__ void from_file(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == in[i]; }
END
seq 64 > kernels/data.csv
printf 'experiment: filled\nkernel: from_file\n' > filled.yaml
need gpuexp filled.yaml -q -d sim
need gpuexp replay reports/filled.csv -q
seq 2 65 > kernels/data.csv
t gpuexp replay reports/filled.csv
rm kernels/data.csv
t gpuexp replay reports/filled.csv
seq 64 > kernels/data.csv
need gpuexp replay reports/filled.csv -q
