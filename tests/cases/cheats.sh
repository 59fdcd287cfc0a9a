# Kernels that are not what they seem: the simulator, which has no clock, refuses those that show without one, and no
# honest one. A GPU refuses all of them (tests/gpu/cheats.sh).
# more: forty kernels that others wrote
# SPDX-License-Identifier: MIT
gpuexp "$TOP/tests/cheats/cheats.yaml" -d sim -q 2> /dev/null
need [ $? = 1 ]
for name in cheats cheats_warm; do
    need awk -F, -v name=$name '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        $column["way"] == "honest" && $column["status"] == "ok" { honest++ }
        # By the clock, by the poison, by the thirtieth launch, by the input: right where it is launched twice.
        $column["way"] !~ /^(honest|.*thirty|.*changed|.*_by_input|marks_.*|keeps_.*|reads_.*|skips_.*|by_.*)$/ {
            hidden++
            if ($column["status"] !~ /^(wrong|failed)$/) { print name, $column["way"], $column["status"]; bad++ } }
        END { exit bad || honest != 1 || hidden < 3 }' reports/$name.csv
done
need grep -q 'idle_after_first,wrong,"*launched a second time, on other inputs: 2048 of 2048' reports/cheats.csv
# One that launches work elsewhere has no numbers: nothing is there that could launch it.
gpuexp "$TOP/tests/cheats/elsewhere.yaml" -d sim -q 2> /dev/null
need [ $? = 1 ]
need [ "$(cells reports/elsewhere.csv status | sort | uniq -c | tr -s ' ')" = ' 2 failed' ]
need grep -q 'kernel launch\|__global__ function' reports/elsewhere.csv
# Of those that somebody else wrote no honest one is refused either.
if [ -n "$whole" ]; then
    need gpuexp "$TOP/tests/cheats/others/honest.yaml" -d sim -q -s n=2Ki
    need [ "$(cells reports/others_honest.csv status | sort | uniq -c | tr -s ' ')" = ' 20 ok' ]
    gpuexp "$TOP/tests/cheats/others/cheats.yaml" -d sim -q -s n=2Ki 2> /dev/null
    need [ $? = 1 ]
    # One is told for a check that does not look at what it takes by name.
    need [ "$(cells reports/others.csv status | sort | uniq -c | tr -s ' \n' ' ')" = \
        ' 4 failed 13 ok 1 unverified 3 wrong ' ]
fi
# The report values and counts are those of the first launch.
cat > counts.cu <<'END'
/*
about: Counts its launches.
params: {n: {default: 256, min: 1, about: elements}}
buffers: {out: {type: int, count: n, access: write}}
reports: {launches: {type: int, about: how many there were}}
threads: n
useful: n * sizeof(int)
*/
__device__ int launches;
extern "C" __global__ void counts(int *out, size_t n, int *launched)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (int)i;
    if (i == 0) *launched = ++launches;
}
__device__ bool check(size_t i, const int *out) { return out[i] == (int)i; }
END
sed -i 's/launches: {type/launched: {type/' counts.cu
printf 'experiment: counts\nkernel: ./counts.cu\nsweep: {n: [256, 512]}\n' > counts.yaml
need gpuexp counts.yaml -d sim -q
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "launched") c = i; next } { print $c }' reports/counts.csv > seen
need [ "$(tr '\n' ' ' < seen)" = '1 1 ' ]
# A check that takes no number for one, and one that looks at a twentieth: each is asked again with numbers spoiled.
weak() { # NAME CHECK [N]: the row's status and reason
    cat > $1.cu <<END
/*
params: {n: {default: ${3:-1000}, min: 1}}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
  half: {type: int, count: n, access: write}
threads: n
*/
__global__ void $1(const float *in, float *out, int *half, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i], half[i] = (int)i - 500;
}
__device__ bool check(size_t i, const float *in, const float *out, const int *half) { $2 }
END
    printf 'kernel: ./%s.cu\n' $1 > $1.yaml
    need gpuexp $1.yaml -d sim -q
    echo "$(cells reports/$1.csv status): $(cells reports/$1.csv reason)"
}
takes="unverified: \`check\` takes all of"
misses="unverified: \`check\` misses"
need [ "$(weak takes_none 'return !(fabsf(out[i] - in[i]) > 0);')" = \
    "$takes 1000 elements when all that was written is spoiled" ]
need [ "$(weak coarse 'return fabsf(out[i] - in[i]) <= 0.05f * in[i];')" = \
    "unverified: \`check\` takes 1000 of 1000 elements when each number is some 2 % off or a whole one by 2" ]
need [ "$(weak coarse_of_most 'return fabsf(out[i] - in[i]) <= (i % 10 ? 0.05f : 0.001f) * in[i];')" = \
    "unverified: \`check\` takes 900 of 1000 elements when each number is some 2 % off or a whole one by 2" ]
need [ "$(weak near 'return fabsf(out[i] - in[i]) <= 0.01f * in[i];')" = 'ok: ' ]
need [ "$(weak counts 'int s = 0; for (int k = 0; k < 1000; k++) s += half[k]; return s == -500;')" = \
    "unverified: \`check\` takes 1000 of 1000 elements when each number is some 2 % off or a whole one by 2" ]
need [ "$(weak takes_most 'return i % 20 || (out[i] == in[i] && half[i] == (int)i - 500);')" = \
    "$misses 3 of 3 spoiled numbers: it looks at a part" ]
need [ "$(weak takes_few 'return half[i] == (int)i - 500;')" = 'ok: ' ]
need [ "$(weak one_sees_all 'bool good = true;
    for (int k = 0; k < 1000; k++) good &= out[k] == in[k] && half[k] == k - 500;
    return i > 0 || good;')" = 'ok: ' ]
# The one that looks at all is not among those that are asked first.
need [ "$(weak takes_but_one 'return i != 29999 || out[i] == in[i];' 30000)" = \
    "$misses 3 of 3 spoiled numbers: it looks at a part" ]
# A check only looks: one that puts right what it finds is no check.
cat > repairs.cu <<'END'
/*
about: Its check makes it right.
params: {n: {default: 256, min: 1, about: elements}}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
*/
__global__ void repairs(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
__device__ bool check(size_t i, const float *in, const float *out)
{
    const_cast<float *>(out)[i] = 2 * in[i];
    return out[i] == 2 * in[i];
}
END
printf 'experiment: repairs\nkernel: ./repairs.cu\n' > repairs.yaml
gpuexp repairs.yaml -d sim -q 2> /dev/null
need [ $? = 1 ]
need grep -q 'store of 4 bytes to `out\[0\]`.*or of `check`, which writes to nothing' reports/repairs.csv
