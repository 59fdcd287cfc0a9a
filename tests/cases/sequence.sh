# A point of several launches: run in order, counted in sum, verified at the end; what goes wrong names its launch.
# SPDX-License-Identifier: MIT
cat > scan.cu << 'END'
/*
about: a scan, one launch a doubling, after each of which the buffers change their names
params: {n: 1000}
buffers:
  from: {type: int, count: n, access: both}
  to:   {type: int, count: n, access: write}
threads: n
sequence:
  - {launch: add, repeat: ceil(log2(n)), swap: [from, to], arguments: {by: 2^step}}
*/
__global__ void add(const int *from, int *to, int n, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = i >= by ? from[i] + from[i - by] : from[i];
}
__device__ bool check(size_t i, const int *from, const int *from_before)
{
    int sum = 0;
    for (size_t k = 0; k <= i; k++) sum += from_before[k];
    return from[i] == sum;
}
END
cat > sum.cu << 'END'
/*
about: a sum in two passes, by two instances of a template, with structures
params: {n: 5000, B: {kind: constant, default: 128}}
buffers:
  in:   {type: int, count: n, access: read}
  part: {type: int, count: ceil(n / (4 * B)), access: write}
  out:  {type: int, count: 1, access: write}
block: B
sequence:
  - {launch: "sum<B, 1>", grid: ceil(n / (4 * B)), arguments: {x: "Range{in, (int)n}", to: part}}
  - sequence:
      - {launch: "sum<64, 2>", grid: 1, block: 64,
         arguments: {x: "Range{part, (int)((n + 4 * B - 1) / (4 * B))}", to: out}}
checks: 1
*/
struct Range { const int *at; int count; };
template <int N, int pass> __global__ void sum(Range x, int *to)
{
    __shared__ int s[N];
    int v = 0;
    for (int i = blockIdx.x * N + threadIdx.x; i < x.count; i += N * gridDim.x) v += x.at[i];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int k = N / 2; k; k /= 2) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (!threadIdx.x) to[blockIdx.x] = s[0];
}
__device__ bool check(size_t i, const int *in, const int *out, int n)
{
    int s = 0;
    for (int k = 0; k < n; k++) s += in[k];
    return out[0] == s;
}
END
column() { cells "$1" "$2" | head -1; }
echo 'kernel: ./scan.cu' > e.yaml
here=0
for compiler in nvrtc clang; do
    export GPUEXP_COMPILER=$compiler
    "$GPUEXP" e.yaml -d sim -q --fresh -o r.csv -s 'n=[1000, 1025]' > log 2>&1 && {
        here=1; cp r.csv scan.csv; continue; }
    grep -q "nothing here\|GPUEXP_COMPILER" log || { echo "scan, $compiler"; cat log r.csv; }
done
[ $here = 1 ] || echo "no compiler was tried"
unset GPUEXP_COMPILER
# Ten launches of 1,000 threads: 32 warps store 10 times.
echo "requests to store: $(column scan.csv st_requests)"
"$GPUEXP" e.yaml -s kernel=./sum.cu -s 'B=[64, 128]' -s 'n=[5000, 40]' -d sim -q --fresh -o r.csv || cat r.csv
echo "--- counts launch by launch: their sum is the row's, in plan order, also resumed, torn, sharded and kept"
sums() { # REPORT: of each key the sum of a column over its launches, as the report has it
    for c in ld_sectors st_requests; do
        paste -d' ' <(cells "$1.launches.csv" key) <(cells "$1.launches.csv" $c) |
            awk '{ if (!($1 in s)) order[++n] = $1; s[$1] += $2 }
                END { for (i = 1; i <= n; i++) print order[i], s[order[i]] }' > summed
        paste -d' ' <(cells "$1.csv" key) <(cells "$1.csv" $c) | diff - summed && echo "$c: the same"
    done
}
run_scan() { "$GPUEXP" e.yaml -d sim -q -o "$@" || echo "exit $?"; }
run_scan l.csv -s 'n=[70, 100, 9]'
sums l
paste -d' ' <(cells l.launches.csv launch) <(cells l.launches.csv entry) <(cells l.launches.csv grid) | tail -4
head -9 l.csv | grep -c . # as many rows as points
cp l.launches.csv whole.launches.csv
for i in 1 2 3; do run_scan l.csv --fresh -s 'n=[70, 100, 9]' --shard $i/3 2> log || cat log; done
rm l.csv
"$GPUEXP" merge l.csv > log 2>&1 || cat log
cmp l.launches.csv whole.launches.csv && echo "merged: the same"
printf '37e8964028b6ca97,1,ad' >> l.launches.csv
run_scan l.csv -s 'n=[70, 100, 9, 40]'
sums l
run_scan l.csv --fresh -s 'n=[70, 100]'
cells l.launches.csv launch | wc -l
cells l.launches.csv.bak launch | wc -l
mistake() { # FILE SED: the first complaint, or the row's reason
    sed "$2" "$1.cu" > bad.cu
    "$GPUEXP" e.yaml -s kernel=./bad.cu -s timeout=${ends:-60s} -d sim -q --fresh -o bad.csv > log 2>&1
    { grep -o 'bad.cu:[0-9:]* .*' log || grep -o 'failed,.*\|wrong,.*\|timeout,"not.*' bad.csv |
        sed 's/ (at .*//; s/,,.*//; s/ ([A-Z.]* at 0x[0-9a-f]*)//; s/0x[0-9a-f]*/ADDRESS/'; } | head -1
    rm -f bad.csv
}
# On a machine with too much to do the loop is ended by the clock before it is ended by its count.
endless() {
    ends=2s mistake "$@" | sed 's/^timeout,"not.*\(launch 4 of 4, `add`"\)/failed,"endless; in \1/
        s/^failed,"\(more\|one block\).*endless.*line 15.*\(launch 4 of 4, `add`"\)/failed,"endless; in \2/'
}
echo "--- a fault, an endless loop and a wrong result"
mistake scan 's/if (i < n) to/if (i < n + (by == 64)) to/'
one='{launch: add, repeat: 1, arguments: {by: 1}}'
split="s/  - {launch: add, repeat: ceil(log2(n))/  - $one\n  - {launch: add, repeat: 3/"
endless scan "$split"'; s/if (i < n) to/for (volatile int k = 1; by == 4 \&\& k; k = 3 - k) {}\n    if (i < n) to/'
mistake scan 's/ceil(log2(n))/ceil(log2(n)) - 1/'
echo "--- a launch that does not end in time"
slow='- {launch: add, grid: 200000, block: 1024, arguments: {by: 2}}'
sed "s/  - {launch: add, repeat: ceil(log2(n)), swap: .*/  - {launch: add, repeat: 2, arguments: {by: 1}}\n  $slow/
    s/if (i < n) to/for (int k = 0; by > 1 \&\& k < 100; k++) ((volatile int *)to)[i % n];\n    if (i < n) to/" \
    scan.cu > late.cu
"$GPUEXP" e.yaml -s kernel=./late.cu -s timeout=1s -d sim -q --fresh -o late.csv > log 2>&1
grep -o 'timeout,"not.*' late.csv | sed 's/,,.*//'
echo "--- one that does not end, and one that fails, while samples are taken: launch by launch it is found"
found() { # what the device does in its fifth launch, of samples that go wrong as a whole
    printf 'time 10\n%s submit 5 %s\n' "$1" "$2" > device
    "$GPUEXP" e.yaml -s timeout=$3 -s n=1000 -d script:device -q --fresh -o late.csv > log 2>&1
    grep -o '\(timeout\|failed\),"[^"]*"' late.csv
}
found hang "" 3s
found fail "taking samples of it: a fault" 60s
echo "--- mistakes in the list"
mistake scan 's/swap: \[from, to\]/swap: [from, two]/'
mistake scan 's/launch: add/launch: ad/'
mistake scan 's/by: 2^step/bye: 2^step, by: 1/'
mistake scan 's/repeat: ceil(log2(n))/repeat: ceil(log2(m))/'
mistake scan 's/repeat: ceil(log2(n))/repeat: 30000/'
mistake scan 's/repeat: ceil(log2(n))/repeat: 0/'
mistake scan 's/to:   {type: int, count: n/to:   {type: int, count: n + 1/'
mistake sum 's/grid: 1, //'
mistake sum 's/launch: "sum<B, 1>", //'
