# What limits a point, why, and what mends it; what `-s` can test is tested; a report's rows are explained by their
# times.
# SPDX-License-Identifier: MIT
# What the model says changes with it, and with the compiler: which limits, and how much, stands elsewhere. That there
# is a number does not change.
shape() {
    sed -E 's/^(  limit +).* (\(as .*)/\1... \2/; t; s/^(  limit +).*/\1.../; s/^(  (next|larger) +).*/\1.../
        s/^(     here ).*/\1.../
        /^     gain |^  mended|by what is counted/s/([ (])[0-9.]+/\1#/g'
}
explained() { gpuexp explain "$@" | shape; }
t explained stride -s n=64Ki -s 'stride=[1, 8]' --prove
about() { gpuexp explain "$@" | sed '/^  limit/,/^  1/{/^  1/!d}' | shape; }
t about transpose -s n=128 -s 'with.block=[32, 8]' -s variant=shared
echo "--- one point, one limit: what a run's table says of it, with the same time"
for values in "n=1Mi stride=8" "n=64Ki stride=1" "n=256Ki stride=32"; do
    set=$(printf -- '-s %s ' $values)
    need gpuexp run "$TOP/experiments/stride.yaml" -d sim -q $set -o one.csv
    need gpuexp explain stride $set --format json > one.json
    told=$(awk -F'[:,"]+ *' '/"model_us"/ { us = $3 } /"unit"/ && !unit { unit = $4 }
        END { printf "%.3f %s", us, unit }' one.json)
    table=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 { printf "%.3f %s", $at["model_us"], $at["model_limit"] }' one.csv)
    need [ -n "$told" ]
    [ "$told" = "$table" ] || echo "$values: explain says $told, the table $table"
    rm one.*
done
echo "--- a kernel that is as it should be is told its limit; a point that is wrong has no findings"
t explained vecadd -s n=64Ki
sed 's/^__device__ bool check.*/__device__ bool check(size_t i) { return false; }/' "$TOP/kernels/copy.cu" > wrong.cu
sed -i '/^__device__ bool check/,$!b; /^{/,/^}/d' wrong.cu
t gpuexp explain wrong.cu -s n=1Ki
echo "--- a report, by its times"
cat > device << 'END'
time 500
for stride=1 time 200
END
printf 'kernel: stride\nwith: {n: 4Mi, block: 256, device: "script:device"}\nsweep: {stride: [8]}\n' > rows.yaml
need gpuexp rows.yaml -q
t explained reports/rows.csv --prove
echo "--- of an unknown device no gain is told; of a known one where the time is understood; some of many rows are seen"
sed -i 's/stride: \[8\]/stride: {from: 1, to: 12, step: 1}/' rows.yaml
sed -i 's/^time 500/time 24/; s/time 200/time 14/' device
printf 'name NVIDIA H100 80GB HBM3\nfor stride=7 time 500\n' >> device
need gpuexp rows.yaml -q --fresh
gpuexp explain reports/rows.csv > many
t grep -c overfetch many
t tail -1 many
t eval 'grep -m 1 gain many | shape'
t eval 'sed -n "/stride=7/,/stride=8/p" many | grep gain | shape'
echo "--- memory gives two sectors at a time: of one in two it gives twice what was asked for"
gpuexp explain stride -d sim:h200 -s n=256Ki -s "stride=[8, 16]" | sed -n 's/.*some \([0-9.]*\) times.*/\1/p' > twice
t awk 'NR == 1 {one = $1} NR == 2 {print ($1 > 1.2 * one && one > 1.3 ? "more" : "no more")}' twice
t eval 'gpuexp explain stride -s n=64Ki -s stride=8 -s device=sim:a100 | grep -E "nothing|gain" | shape'
echo "--- of a large launch some blocks are run, and their answer is that of all"
t eval 'gpuexp explain stride -s n=20Mi -s stride=1 | head -1'
printf 'kernel: stride\nwith: {n: 64Ki, stride: 8, device: "sim:v100"}\n' > v100.yaml
t eval 'gpuexp explain v100.yaml --format json | grep limits_of'
rm reports/rows.run.yaml
t explained reports/rows.csv
t gpuexp explain nosuch.csv
echo "--- less work is no mend, where a kernel does not say what is useful either"
sed '/^useful:/d' "$TOP/kernels/stride.cu" > bare.cu
printf 'kernel: ./bare.cu\nwith: {n: 64Ki, stride: 8}\n' > bare.yaml
t eval 'gpuexp explain bare.yaml -d sim | grep -E "test|gain" | shape'
t eval 'gpuexp explain registers -d sim -s n=64Ki -s live=48 -s maxregs=64 | grep -E "test"'
echo "--- a grid of a parameter that sizes nothing was chosen: it stands for no larger one"
larger() { gpuexp explain "$1" -d sim -s n=16Ki --format json | grep -c limit_larger_grid; }
sed 's/^threads:.*/grid: blocks/; s/^params:/&\n  blocks: {default: 64}/' "$TOP/kernels/vecadd.cu" > chosen.cu
t larger chosen.cu
sed 's/^threads:.*/grid: n \/\/ 256/' "$TOP/kernels/vecadd.cu" > follows.cu
t larger follows.cu
echo "--- a kernel without a description is given what its arguments look like, and that is said"
cat > bare.cu << 'END'
/* A licence that describes nothing. */
template <class T> __global__ void first(T *t) { *t = 0; }
__global__ void halve(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i * 8 % n] / 2;
}
END
t explained bare.cu -s n=64Ki -s block=128
printf '__global__ void turn(const float *a, float *b, int rows, int cols, float by)\n{\n' > turn.cu
printf 'int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;\n' >> turn.cu
printf 'if (x < cols && y < rows) b[x * rows + y] = by * a[y * cols + x];\n}\n' >> turn.cu
t explained turn.cu -s rows=256 -s cols=512
# The guessed launch follows the guard and the constants of the text, whatever short names they have.
guessed() { # SIGNATURE AND BODY: what its threads are taken for
    printf '%s\n' '#define TILE 16' 'constexpr int SIDE = 64;' "__global__ void k$1" > guessed.cu
    gpuexp check guessed.cu 2>&1 | grep -E '^  (threads|block):' | tr -d '\n'
    echo
}
plane='const float *a, float *b, int width, int height'
guessed "($plane) { int x = blockIdx.x * TILE + threadIdx.x, y = TILE * blockIdx.y + threadIdx.y;
    for (int i = threadIdx.x; i < TILE; i += TILE) b[i] = 0;
    if (x < width && y < height) b[y * width + x] = a[x]; }"
guessed "(float *m, int w) { int bx = blockIdx.x, tx = threadIdx.x; int by = blockIdx.y; int ty = threadIdx.y;
    int row = by * TILE + ty; int column = (bx * TILE) + tx; m[row * w + column] = 1; }"
guessed "($plane) { unsigned i = threadIdx.x + blockIdx.x * SIDE; if (i >= height) return; b[i] = a[i]; }"
guessed "($plane) { int i = blockDim.x * blockIdx.x + threadIdx.x; if (i < width * height) b[i] = a[i]; }"
guessed "($plane) { for (int k = threadIdx.x; k < 64; k += 8) { float v = a[blockIdx.x * SIDE + k]; b[k] = v; } }"
cat > softmax.cu << 'END'
__global__ void softmax(const float *in, float *out, int rows, int cols)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x, most = cols - 1;
    if (r >= rows || most < 0) return;
    for (int c = 0; c < cols; c++) out[r * cols + c] = in[r * cols + c];
}
END
t eval 'gpuexp explain softmax.cu -d sim 2>&1 | grep threads:'
echo "--- a few swaps in each of many launches are no loop; how long a block waits for another one, no count tells"
gpuexp explain "$TOP/tests/kernels/bfs_levels.cu" -s check=none > levels || exit 1
t sed -n 's/^  1\. \([a-z_]*\):.*/\1/p; s/.*\(swap_loop\).*/\1/p' levels
t gpuexp explain "$TOP/tests/kernels/two_phases.cu" -s check=none
echo "--- lanes behind the end of a small matrix are few in a larger one"
gpuexp explain "$TOP/tests/kernels/matmul_struct.cu" -s check=none > edge || exit 1
need grep -q '^  1\. ' edge
t sed -n 's/.*\(divergence\).*/\1/p' edge
echo "--- a kernel that its user mended, beside what was told of the flaw"
cat > count.cu << 'END'
__global__ void count(const unsigned *data, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[data[i] & 255], 1u);
}
END
described() { # LAUNCH...: lines of the description
    printf '/*\nabout: How often each comes.\nparams:\n  n: {default: 1Mi}\nbuffers:\n'
    printf '  data: {type: unsigned, count: n, access: read, fill: random}\n'
    printf '  bins: {type: unsigned, count: 256, access: both, fill: 0}\nblock: 256\n'
    printf '%s\n' "$@" '*/'
}
own='__shared__ unsigned own[256];\n    own[threadIdx.x] = 0;\n    __syncthreads();\n'
last='    __syncthreads();\n    atomicAdd(\&bins[threadIdx.x], own[threadIdx.x]);\n'
mended() {
    described 'grid: 1056' "$@"
    sed -e "s/int i/$own    int i/" -e 's/if (i < n)/for (; i < n; i += gridDim.x * blockDim.x)/' \
        -e 's/&bins/\&own/' -e "s/^}/$last}/" count.cu
}
mended > mended.cu
{ described 'threads: n'; cat count.cu; } > told.cu
gpuexp explain told.cu -d sim -s n=4Mi --prove mended.cu --format json > proved.json || exit 1
awk '/"gain_this_grid"/ && !told { told = $2 + 0 } /"found"/ { found = $2 + 0 }
    END { as = told > 5 && found > 0.8 * told && found < 1.25 * told
        print (as ? "as told" : found " where " told " was told") }' proved.json
t grep -c '"results": "the same"' proved.json
mended | sed 's/; i < n;/; i < n \/ 2;/' > half.cu
t eval 'gpuexp explain told.cu -d sim -s n=64Ki --prove half.cu 2>&1 | grep -A1 mended | shape'
t eval 'gpuexp explain told.cu -d sim -s n=64Ki --prove nosuch.cu 2>&1 | grep mended'
mended 'useful: 4 * n' > other.cu
{ described 'threads: n' 'useful: 8 * n'; cat count.cu; } > told.cu
t eval 'gpuexp explain told.cu -d sim -s n=64Ki --prove other.cu 2>&1 | grep mended'
# Sums of floats at one address wait for each other, also where each block has one: 4096 of them took an H200 11 us.
for T in int float; do
    printf '/*\nabout: One sum a block.\nbuffers:\n  out: {type: %s, count: 1, access: both, fill: 0}\n' $T
    printf 'grid: 4096\n*/\n'
    printf '__global__ void each(%s *out) { if (threadIdx.x == 0) atomicAdd(out, (%s)blockIdx.x); }\n' $T $T
done | csplit -sz -f each. -b %d.cu - '/^\/\*/' '{*}'
for k in 0 1; do gpuexp explain each.$k.cu -d sim:h200 -s block=256 --format json > each.$k.json || exit 1; done
cat each.0.json each.1.json | awk '/"model_us"/ { us[n++] = $2 + 0 } 
    END { exit !(us[0] > 2 && us[1] > 1.5 * us[0]) }' ||
    { echo "sums of floats do not wait:"; grep model_us each.?.json; exit 1; }
printf 'struct s { int k; };\n__global__ void odd(s *p, int n) { p[n].k = 0; }\n' > odd.cu
t explained odd.cu
# Of many points, a kind that was told before has one line; `--all` tells each.
six='bank_conflicts -s T=float -s stride=[1,2,3,8,5,24]'
t eval 'gpuexp explain $six | grep -E "^banks|as at|told by" | sed "s/gain is .*/gain is .../"'
[ "$(gpuexp explain $six --all | grep -c '^  limit')" = 6 ] || echo "--all leaves points out"
