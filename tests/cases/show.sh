# Pictures of a mechanism: sectors, banks, lanes, slots, a pipeline; in the terminal and as SVG.
# SPDX-License-Identifier: MIT
# What each unit and each line takes is a model's, and turns on the compiler: looked at below.
pictures() {
    gpuexp show "$@" > drawn
    local status=$?
    sed '/^time that each unit/,/^  x the tallest/d; / cycles of /d' drawn
    return $status
}
t pictures stride -s n=1Ki -s stride=3 --line 37
t pictures overlap -s 'chunks=[4]' -s 'streams=[2]' -s n=1Ki
t gpuexp show stride -s n=1Ki --line 1
cat > ways.cu << 'END'
/*
params: {n: 256}
buffers: {in: {type: float, count: n, access: read}, out: {type: float, count: n, access: write}}
threads: n
*/
extern "C" __global__ void ways(const float *in, float *out)
{
    __shared__ float tile[1024];
    const int i = threadIdx.x;
    tile[i * 4] = in[i];
    __syncthreads();
    float v = 0;
    if (i % 4 == 0)
        for (int k = 0; k < 100; k++) v = v * tile[(i + k) % 256 * 4] + k;
    out[i] = v;
}
END
# How many instructions a line has is the compiler's, and so is the line that a load is used in.
shape() {
    pictures "$@" | sed -E '/^ +line (6|7|9|12)  /d; /^ +line 15  #{8} /d; s/, [0-9]+ instructions/, N instructions/
        s/[0-9.]+ of 32 on/N of 32 on/; s/of [0-9]+ alike/of N alike/; s/ 8\.[0-9] of/ 8.0 of/'
}
t shape ways.cu
# Stacks of limits: the tallest first, the same units with the flaw mended, both totals.
gpuexp show stride -s n=8Mi -s stride=8 > costs || exit 1
bars() { sed -n '/^time that each unit/,/^  |/p' costs; }
need [ "$(bars | sed -n '4s/ *\(.*\)  x.*/\1/p')" = L2 ]
need [ "$(bars | grep -c ' us .* us$')" -ge 5 ]
us='[0-9.]* us by the model'
need grep -q "^  | all together: $us; mended (stride=1): $us\$" costs
# Bars are in order, and the mended point takes less.
need awk '/all together/ { gsub(/[^0-9. ]/, ""); good = $3 > 0 && $1 > 1.3 * $3 } END { exit !good }' costs
need [ "$(bars | sed -n '4,$s/.*[#x ]|\? \([0-9.]*\) us  .*/\1/p' | sort -rgc 2>&1 | wc -l)" = 0 ]
# The line: 8 sectors wanted for 36 moved, with stride=1 as many as wanted.
sed -n '/^what each line/,/^  = cycles/p' costs | sed '/ cycles of /d' > lines
t cat lines
need [ "$(grep -c 'cycles of L2  ==* *[0-9. k]*  *==* *[0-9. k]*$' costs)" = 1 ]
# Beneath the access the mended one; where no value mends it, the same bytes side by side.
t gpuexp show stride -s n=1Ki -s stride=3 --line 37 --step 2
t pictures banks -s stride=2 --line 39
cat > far.cu << 'END'
/*
params: {n: 1Mi}
buffers: {in: {type: float, count: n * 8, access: read}, out: {type: float, count: n, access: write}}
threads: n
*/
extern "C" __global__ void far(const float *in, float *out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = in[(blockIdx.x * blockDim.x + threadIdx.x) * 8];
}
END
t pictures far.cu --line 7
# As SVG: a rectangle for each word of 32 sectors of 8, and one for each of the legend; beneath it the mended read.
gpuexp show stride -s n=1Mi -s stride=8 --line 37 --format svg > stride.svg || exit 1
sed -n '/line 37: ld/,$p' stride.svg | grep -v 'class="lit"' > accesses
need [ "$(grep -c 'class="used"' accesses)" = $((32 + 1 + 2 * 32 + 2)) ]
need [ "$(grep -c 'class="wasted"' accesses)" = $((32 * 7 + 1)) ]
# A step for each row: whom it serves, and who is served before.
need [ "$(grep -c 'aria-label="step [1-8] of 8: ' stride.svg)" = 8 ]
step() { grep "aria-label=\"step $1 of 8" stride.svg | grep -o 'height="12" class="'"$2" | wc -l; }
need [ "$(step 1 used) $(step 1 second) $(step 8 used) $(step 8 second)" = '4 0 4 28' ]
need [ "$(tail -n 1 stride.svg)" = '</svg>' ]
# What a colour means is told right behind its square, before the next one.
grep -A1 '<rect .*width="12" height="12" class="[a-z]*"/>$' stride.svg | grep -o '<[a-z]* x="[0-9.]*' |
    sed 's/<\([a-z]*\) x="/\1 /' > legend
need [ "$(grep -c rect legend)" -gt 4 ]
need awk '$1 == "rect" { square = $2; next } $2 < square + 12 || $2 > square + 30 { exit 1 }' legend
# A line with several accesses: one picture for each buffer and pattern.
cat > several.cu << 'END'
/*
params: {n: 256}
buffers:
  a: {type: float, count: n, access: read}
  b: {type: float, count: n, access: read}
  out: {type: float, count: n, access: write}
threads: n
*/
extern "C" __global__ void several(const float *a, const float *b, float *out)
{
    const int i = threadIdx.x;
    out[i] = a[i] * b[i] + b[i ^ 7];
}
END
t pictures several.cu --line 12
t gpuexp show several.cu --line 0
t gpuexp show several.cu --line 99999999999999
sed 's/    out.i. = .*/    if (i > 999) out[i] = 0;/' several.cu > idle.cu
idle() { gpuexp show idle.cu | sed -E 's/(issuing instructions  #.*) [0-9.]+ %/\1 N %/
    s/(waiting for its own results) .*/\1 N/; s/(all together:) [0-9.]+/\1 N/'; } # the compiler's, too
t idle
sed 's/a\[i\] \*/a[i + 999] */' several.cu > fails.cu
t gpuexp show fails.cu --line 13
# Of many points the first is drawn, and the last line asks for another; of few, all.
"$GPUEXP" show stride -s n=1Ki -s 'stride=[1, 2, 4, 8, 16]' > many 2> log
need [ "$(grep -c ': ok$' many)" = 1 ]
need grep -q '^this is the first of 5 points; the last: -s stride=16$' many
"$GPUEXP" show stride -s n=1Ki -s 'stride=[1, 2, 4, 8]' > few 2> log
need [ "$(grep -c ': ok$' few)" = 4 ]
need [ -z "$(grep 'this is the first' few)" ]
# What ships is drawn as it stands, without a setting: each kernel names the block that it needs. Of many blocks some
# are run: all of matmul's would take a minute.
for kernel in banks matmul transpose atomics; do
    "$GPUEXP" show $kernel > said 2>&1
    need grep -q "^$kernel: a few of its [0-9]* blocks were run, and stand for all$" said
    need grep -q 'sector.* for a warp\|turn.* for a warp' said
    need [ -z "$(grep ' 0 bytes' said)" ]
done
