# Settings of a launch and of its compiler: sizes as expressions, options, and what only some devices have.
# SPDX-License-Identifier: MIT
cat > k.cu << 'END'
/*
params: {n: 1000, TB: {kind: constant, default: 64}}
buffers:
  in: {type: float, count: n, access: read}
  out: {type: float, count: n, access: write}
  blocks: {type: int, count: 2, access: write}
threads: n
checks: n
*/
__global__ void k(const float *in, float *out, int *blocks, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = in[i] * 3.0f + 0.1f;
    blocks[0] = blockDim.x * 1000 + blockDim.y, blocks[1] = gridDim.x;
}
__device__ bool check(size_t i, const float *in, const float *out)
{
    return fabsf(out[i] - (in[i] * 3.0f + 0.1f)) < 1e-5f;
}
END
echo 'kernel: ./k.cu' > e.yaml
row() { cells "$1" "$2" | head -1; }
key() { row "$1" key; }
run() { "$GPUEXP" e.yaml -d sim -q --fresh -o r.csv "$@" > log 2>&1 ||
    { echo "failed: $*"; cat log; cut -d, -f1-9 r.csv; }; }
run -s block=128 -s grid=2
plain=$(row r.csv st_requests)
run -s 'block=2 * TB' -s 'grid=floor(n / 500)'
[ "$(row r.csv st_requests)" = "$plain" ] ||
    echo "the sizes as expressions are others: $(row r.csv st_requests), not $plain"
run -s 'block=[TB / 2, 4]' -s grid=2
"$GPUEXP" e.yaml -d sim -q --fresh -o r.csv -s 'block=2 * TC' > log 2>&1
grep -o 'unknown name `TC`' log r.csv | head -1 | sed 's/.*://'
echo "--- options"
run
first=$(key r.csv)
run -s 'options=[--fmad=false, --use_fast_math]'
[ "$(key r.csv)" != "$first" ] || echo "options are not in the key"
run -s options=none -s cooperative=false
[ "$(key r.csv)" = "$first" ] || echo "a setting that asks for nothing is in the key"
"$GPUEXP" e.yaml -d sim -q --fresh -o r.csv -s options=--include-path=/etc 2>&1 | grep -o 'takes .*' | cut -c1-40
GPUEXP_COMPILER=clang "$GPUEXP" e.yaml -d sim -q --fresh -o r.csv -s 'options=[--prec-div=false]' > log 2>&1
grep -q 'clang has no option\|no clang\|GPUEXP_COMPILER' r.csv log || echo "clang took what it does not know"
echo "--- what needs a CUDA device"
"$GPUEXP" e.yaml -d sim -q --fresh -o r.csv -s fetch=64 > log 2>&1
row r.csv reason
echo "--- blocks side by side"
for setting in cooperative=true cluster=2 cluster=32; do
    "$GPUEXP" e.yaml -d sim -q --fresh -o r.csv -s $setting > log 2>&1
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["status"] }' r.csv
done
