# Pictures of a mechanism: sectors, banks, lanes, slots, a pipeline; in the terminal and as SVG.
# SPDX-License-Identifier: MIT
t gpuexp show stride -s n=1Ki -s stride=3 --line 37
t gpuexp show overlap -s 'chunks=[4]' -s 'streams=[2]' -s n=1Ki
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
    gpuexp show "$@" | sed -E '/^ +line (6|7|9|12)  /d; s/, [0-9]+ instructions/, N instructions/
        s/[0-9.]+ of 32 on/N of 32 on/; s/of [45] alike/of N alike/; s/ 8\.[0-9] of/ 8.0 of/'
}
t shape ways.cu
# As SVG: a rectangle for each word of 32 sectors of 8, one for each of the legend, and the ground.
gpuexp show stride -s n=1Ki -s stride=8 --line 37 --format svg > stride.svg || exit 1
need [ "$(grep -c 'class="used"' stride.svg)" = $((32 + 32 + 2)) ]
need [ "$(grep -c 'class="wasted"' stride.svg)" = $((32 * 7 + 1)) ]
need [ "$(tail -n 1 stride.svg)" = '</svg>' ]
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
t gpuexp show several.cu --line 12
t gpuexp show several.cu --line 0
t gpuexp show several.cu --line 99999999999999
sed 's/    out.i. = .*/    if (i > 999) out[i] = 0;/' several.cu > idle.cu
t gpuexp show idle.cu
sed 's/a\[i\] \*/a[i + 999] */' several.cu > fails.cu
t gpuexp show fails.cu --line 13
# What ships is drawn as it stands, without a setting: each kernel names the block that it needs. Of many blocks some
# are run: all of matmul's would take a minute.
for kernel in banks matmul transpose atomics; do
    "$GPUEXP" show $kernel > said 2>&1
    need grep -q "^$kernel: some of its [0-9]* blocks were run$" said
    need grep -q 'sector.* for a warp\|wavefront.* for a warp' said
    need [ -z "$(grep ' 0 bytes' said)" ]
done
