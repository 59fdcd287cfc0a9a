# `check` and `plan` find what stands in the way of points before anything runs: each variant is compiled once and its
# mistake told once; limits of the device and of this machine; what the device cannot do; an `exclude` without effect;
# no point at all.
# SPDX-License-Identifier: MIT
cat > square.cu <<'END'
/*
params:
  n: {default: 1Ki, min: 1}
  T: {kind: type, default: float, one_of: [float, double]}
  K: {kind: constant, default: 1}
buffers:
  in:  {type: T, count: n * n, access: read, fill: random}
  out: {type: T, count: n, access: write}
threads: n
*/
template <typename A> struct odd { static A of(A x) { return x.part; } };
__global__ void square(const T *in, T *out, size_t n)
{
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] + pick<K>(in);
}
__device__ bool check(size_t i, const T *in, const T *out) { return out[i] == in[i]; }
END
sed '/^template/c template <int k> __device__ float pick(const float *) { return 0; }' square.cu > one.cu
sed -i 's/square(/one(/' one.cu
sed 's/ + pick<K>(in)//; /^template/d; s/square(/good(/' one.cu > good.cu
sed -i 's/one(/good(/' good.cu
printf 'kernel: ./one.cu\nwith: {device: sim, n: 64}\nsweep: {T: [float, double], n: [64, 128, 256]}\n' |
    sed 's/, n: 64//' > one.yaml
printf 'kernel: ./good.cu\nwith:\n  device: sim\nsweep:\n  n: [64, 128]\n  T: [float, double]\n' > good.yaml
# One variant of two does not compile: its three points have one mistake, with line and caret.
gpuexp check one.yaml 2> log
need [ $? = 2 ]
sed 's/error: no .*/error/; s/: no [^;]*;/: WHY;/; s/one.cu:15:[0-9]*/one.cu:15:C/' log | grep -v '^ *| *\^'
need [ "$(grep -c '^ *| *^' log)" = 1 ]
gpuexp plan one.yaml 2> log | grep -c 'cannot run: '
t gpuexp check good.yaml
t gpuexp check good.yaml -s block=2048
t gpuexp check good.yaml -s 'grid=[[1, 70000]]'
t gpuexp check good.yaml -s shared=300Ki
t gpuexp check good.yaml -s shared=200Ki -d sim:a100
gpuexp check good.yaml -s 'n=[64, 400Ki]' 2>&1 | sed 's/can give a point [0-9.]* [A-Za-z]*/can give a point MEMORY/'
t gpuexp check good.yaml -s 'exclude=[{n: 3}]'
t gpuexp check good.yaml -s 'where=n > 500'
t gpuexp plan good.yaml -s 'where=n > 500' -s 'exclude=[{n: 64}]' -s T=float
t gpuexp good.yaml -s 'where=n > 500'
t gpuexp check good.yaml -s 'persist=[0.5, 1]'
t gpuexp plan good.yaml -s T=float -s 'persist=[0, 1]'
t gpuexp check good.yaml -s 'where=n == "64"'
t gpuexp check good.yaml -s 'block=[[16, 16], [256, 1]]' -s 'where=block == "256x1"'
t gpuexp check good.yaml -s block=256 -s 'where=block == "256x1"'
# What stands in a function that does not get it; what a sentence of the compiler is about is told by its code.
sed 's/== in\[i\]/== in[i] + n/; s/good(/lost(/' good.cu > lost.cu
gpuexp check good.yaml -s kernel=./lost.cu 2> log
need [ $? = 2 ]
grep -o 'a function gets .*' log
# Points whose values the sentence names already are not named again.
sed 's/count: n,/count: n - 64,/; s/good(/none(/' good.cu > none.cu
gpuexp check good.yaml -s kernel=./none.cu 2>&1 | grep -v '^ '
