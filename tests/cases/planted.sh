# Kernels with one planted mistake each: every mistake is found and named, and no twin without it is blamed.
# more: a second run of every fifth
# SPDX-License-Identifier: MIT
names=$(sed -n 's/^KERNEL(\([a-z_]*\)).*/\1/p' "$TOP/tests/faults/planted.cuh")
list=$(for f in $names; do printf '%s, %s_ok, ' "$f" "$f"; done)
arguments='const int *in, int *inout, int *out, int *scratch, int n'
{
    cat << END
/*
about: Kernels with one planted mistake each, and the same ones without it.
params:
  n: {default: 1024, about: elements}
  variant: {default: reverse, one_of: [${list%, }]}
buffers:
  in: {type: int, count: n, access: read, fill: {random: [0, 1000]}}
  inout: {type: int, count: n, access: both, fill: index}
  out: {type: int, count: n, access: write}
  scratch: {type: int, count: n, access: write}
threads: n
*/
END
    cat "$TOP/tests/faults/planted.cuh"
    for f in $names; do
        for ok in false true; do
            name=planted_$f
            [ $ok = false ] || name=${name}_ok
            echo "extern \"C\" __global__ void $name($arguments) { $f<$ok>(in, inout, out, scratch, n); }"
        done
    done
} > planted.cu
echo "{kernel: ./planted.cu, sweep: {variant: [${list%, }]}}" > planted.yaml
"$GPUEXP" -q planted.yaml -d sim > log 2>&1
need [ $? = 1 ]
need [ "$(echo "$names" | wc -l)" -ge 40 ]
# The file's sections say what becomes of their kernels: racy, or failed.
found=$(awk -F, 'NR > 1 { print $6, $7 }' reports/planted.csv)
status=racy
while read -r line; do
    case $line in
        '// ----'*) status=${line##*: } ;;
        'KERNEL('*)
            f=${line#KERNEL(}
            f=${f%%)*}
            echo "$found" | grep -q "^${f}_ok unverified$" ||
                { echo "${f}_ok is blamed:"; grep ",${f}_ok," reports/planted.csv; exit 1; }
            # Where a barrier is missing, the read may come before anything was written: that is told first.
            echo "$found" | grep -qE "^$f ($status|failed)$" ||
                { echo "$f is not found"; grep ",$f," reports/planted.csv; exit 1; }
            ;;
    esac
done < "$TOP/tests/faults/planted.cuh"
# What compute-sanitizer says of the same kernels on an H200 is kept beside them: none that it finds is missed here.
while IFS=, read -r f race sync init mem twin; do
    [ "$f" != kernel ] || continue
    need [ "$twin" = 0 ]
    case "$race$sync$init$mem" in
        *[1-9]*) echo "$found" | grep -qE "^$f (racy|failed)$" || { echo "$f: only compute-sanitizer"; exit 1; } ;;
    esac
done < "$TOP/tests/faults/planted_h200_sanitizer.csv"
# (Those that have been there: 62 of them.)
need [ "$(sed 1d "$TOP/tests/faults/planted_h200_sanitizer.csv" | cut -d, -f1 | grep -cxF "$names")" = 62 ]
# Of machine code the instructions are named too.
load='' store=''
if nvrtc; then load=' (LDS at 0x[0-9a-f]*)' store=' (STS at 0x[0-9a-f]*)'; fi
reads="lane 0 of warp 0 in block (0,0,0) reads byte 4 of shared memory at line [0-9]*$load"
need grep -q "$reads that lane 1 of warp 0 wrote at line [0-9]*$store, and" reports/planted.csv
! nvrtc || need grep -q 'at the one at line [0-9]* (BAR at 0x[0-9a-f]*): all must' reports/planted.csv
# All but nine name it: masks, of which machine code has no word, and what is seen in the PTX alone.
! nvrtc || need [ "$(grep -E ',(racy|failed),' reports/planted.csv | grep -vc ' at 0x')" -le 9 ]
# What it does is counted all the same, where it comes to an end: neither out of bounds nor waiting for ever.
counted=',(sass|ptx),[0-9a-f]*$'
need [ "$(grep -cE ",racy,.*$counted" reports/planted.csv)" = "$(grep -c ,racy, reports/planted.csv)" ]
need [ "$(grep ',failed,' reports/planted.csv | grep -vcE "bounds|misaligned|nothing comes|$counted")" = 0 ]
need [ "$(cells reports/planted.csv st_requests | sed -n 2p)" = "$(cells reports/planted.csv st_requests | sed -n 1p)" ]
# The lines are those of the function that was written into the kernel, and not the kernel's.
at=$(grep -n '^KERNEL(warp_exchange)' planted.cu | cut -d: -f1)
lines="at line $((at + 5))$load that .* wrote at line $((at + 3))$store"
need grep -q ",warp_exchange,racy,.* $lines," reports/planted.csv
need grep -q 'reads what\|which nothing has written yet (is a barrier missing?), at line' reports/planted.csv
# What is seen does not hang on the machine: a second run of every fifth finds the same. (One in twenty here.)
some=$(for f in $names; do printf '%s\n' "$f" "${f}_ok"; done | awk 'NR % 5 == 0' | few 4 | tr '\n' ',')
"$GPUEXP" -q --fresh planted.yaml -d sim -s "variant=[${some%,}]" -o some.csv > log 2>&1
need [ $? = 1 ]
# Without its number among the points, which its checksum holds. Where blocks meet in an atomic, which comes first
# decides what is counted: of these the finding alone is the same.
finds() {
    sed -E ':a; s/("[^",]*),([^"]*")/\1;\2/; ta' "$1" | cut -d, -f6- | sed 's/,[^,]*$//' | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == "atomic_requests") at = i }
        { meets = NR > 1 && $at > 0; print meets ? $1 "," $2 "," $3 : $0 }'
}
need [ "$(finds some.csv | wc -l)" -gt ${whole:+2}5 ]
need [ "$(finds some.csv | grep -cvxFf <(finds reports/planted.csv))" = 0 ]
# Nobody looks where nobody is to look.
"$GPUEXP" -q planted.yaml -d sim -s check=none -s variant=warp_exchange -o none.csv > log 2>&1
need grep -q ',unverified,' none.csv
# A seed is another order, and the counts are the same.
"$GPUEXP" -q planted.yaml -d sim -s schedule=7 -s check=none -s 'variant=[in_place_stencil, tree_ok]' -o order.csv \
    > log 2>&1
need grep -q ',in_place_stencil,racy,.*another order (`schedule: 7`)' order.csv
need grep -q ',tree_ok,unverified,' order.csv
# Far blocks race, where nobody watches at first: what is said of it is the same in each run.
cat > far.cu << 'END'
/*
about: each block reads what a far one writes
params: {n: 128Ki}
buffers: {data: {type: int, count: n, access: both, fill: index}, out: {type: int, count: n, access: write}}
threads: n
*/
__global__ void far(int *data, int *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = -1;
    out[i] = data[(i + n / 2 + 10000) % n];
}
__device__ bool check(size_t i, const int *out, int n) { return out[i] == (int)((i + n / 2 + 10000) % n); }
END
echo 'kernel: ./far.cu' > far.yaml
for k in 1 2; do "$GPUEXP" -q --fresh far.yaml -d sim -o far.csv > log 2>&1; mv far.csv far$k.csv; done
need cmp far1.csv far2.csv
need grep -q ',wrong,.* that lane .* of another block .*, and nothing orders the two' far1.csv
# A load whose result nobody uses is in the PTX and not in the machine code. That is told beside a right result.
cat > removed.cu << 'END'
/*
about: a neighbour's value is read before it must be there, and not used
params: {n: 1Ki, waits: {default: 1, kind: constant}, leaves: {default: 0, kind: constant}}
buffers: {in: {type: int, count: n, access: read, fill: index}, out: {type: int, count: n, access: write}}
threads: n
*/
__global__ void removed(const int *in, int *out)
{
    __shared__ int s[256];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    int unused;
    s[t] = in[i];
    if (waits) __syncwarp();
    asm volatile("ld.shared.s32 %0, [%1];"
                 : "=r"(unused)
                 : "r"((unsigned)__cvta_generic_to_shared(&s[t ^ 1]))
                 : "memory");
    out[i] = s[t];
    if (leaves && t == 9) return;
    __syncthreads();
}
__device__ bool check(size_t i, const int *out) { return out[i] == (int)i; }
END
echo '{kernel: ./removed.cu, with: {block: 256}, sweep: {waits: [0, 1]}}' > removed.yaml
"$GPUEXP" -q removed.yaml -d sim > log 2>&1
if nvrtc; then
    need [ "$(cells reports/removed.csv status | tr '\n' ' ')" = "ok ok " ]
    need grep -q 'ok,"the compiler removed a mistake that its PTX has: lane .* reads byte 4 of' reports/removed.csv
    need [ "$(grep -c 'removed a mistake' reports/removed.csv)" = 1 ] # and not its twin
    need grep -q 'does not name the lane that executes this, .*; not seen in its machine code' reports/planted.csv
else need [ "$(cells reports/removed.csv status | tr '\n' ' ')" = "racy ok " ]
fi
# Who has ended before a barrier is told, and no mistake.
"$GPUEXP" -q removed.yaml -d sim -s waits=1 -s 'leaves=[0, 1]' -o left.csv > log 2>&1
need [ "$(cells left.csv status | tr '\n' ' ')" = "ok ok " ]
need grep -q ',1,ok,"lane 9 of warp 0 in block .* has ended before the barrier at line 20' left.csv
need [ "$(grep -c 'has ended before' left.csv)" = 1 ]
# Of many blocks the last is one too, and nobody else adds up.
cat > many.cu << 'END'
/*
about: the last of many blocks adds up what the others stored, with or without a fence
params: {n: 300, fenced: {default: 1, kind: constant}}
buffers:
  parts: {type: int, count: n, access: write}
  done: {type: unsigned, count: 1, access: both, fill: 0}
  sum: {type: int, count: 1, access: write}
grid: n
block: 32
*/
__global__ void many(int *parts, unsigned *done, int *sum, int n)
{
    if (threadIdx.x > 0) return;
    parts[blockIdx.x] = blockIdx.x;
    if (fenced) __threadfence();
    if (atomicAdd(done, 1) < gridDim.x - 1) return;
    int all = 0;
    for (int k = 0; k < n; k++) all += parts[k];
    *sum = all;
}
__device__ bool check(size_t i, const int *sum, int n) { return i > 0 || *sum == n * (n - 1) / 2; }
END
echo '{kernel: ./many.cu, sweep: {fenced: [0, 1]}}' > many.yaml
"$GPUEXP" -q many.yaml -d sim > log 2>&1 && exit 1
need [ "$(cells reports/many.csv status | tr '\n' ' ')" = "racy ok " ]
need grep -q 'if a read misses a store .* with no `__threadfence()` between' reports/many.csv
# Shared memory of other blocks of a cluster: read before it was written, or when its block has ended.
cat > cluster.cu << 'END'
/*
about: each block reads what its neighbour in the cluster has written
params: {n: 1Ki, first: {default: 1, kind: constant}, last: {default: 1, kind: constant}}
buffers: {in: {type: int, count: n, access: read, fill: index}, out: {type: int, count: n, access: write}}
threads: n
*/
__device__ void meet()
{
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}
__global__ void hand(const int *in, int *out)
{
    __shared__ int s[256];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    int v;
    s[t] = in[i];
    if (first) meet();
    else __syncthreads();
    asm volatile("{ .reg .u64 a; .reg .u32 b; cvta.to.shared.u64 a, %1; cvt.u32.u64 b, a;"
                 "mapa.shared::cluster.u32 b, b, %2;"
                 "ld.shared::cluster.u32 %0, [b]; }"
                 : "=r"(v)
                 : "l"(&s[255 - t]), "r"((blockIdx.x + 1) % 4)
                 : "memory");
    if (last) meet();
    out[i] = v;
}
__device__ bool check(size_t i, const int *out, int n)
{
    return out[i] == (int)((i / 256 + 1) * 256 % n + 255 - i % 256);
}
END
echo '{kernel: ./cluster.cu, with: {cluster: 4, device: sim:h200}, sweep: {first: [0, 1], last: [0, 1]}}' > cluster.yaml
"$GPUEXP" -q cluster.yaml > log 2>&1 && exit 1
need [ "$(cells reports/cluster.csv status | tr '\n' ' ')" = "failed racy failed ok " ]
need grep -q 'of shared memory of block . of the cluster at line .* of another block wrote' reports/cluster.csv
need grep -q 'reaches the shared memory of block . of the cluster, which has ended' reports/cluster.csv
