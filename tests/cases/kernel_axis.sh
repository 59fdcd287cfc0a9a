# Several kernels with the same parameters are an axis: rows, claims, shards, edits and comparisons tell them apart.
# SPDX-License-Identifier: MIT
cat > a.cu << 'END'
/*
params: {n: {default: 1000, max: 5000}, stride: 1}
buffers: {in: {type: float, count: n * stride, access: read}, out: {type: float, count: n, access: write}}
threads: n
*/
__global__ void a(const float *in, float *out, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i * stride];
}
__device__ bool check(size_t i, const float *in, const float *out, int stride) { return out[i] == in[i * stride]; }
END
mkdir other
sed 's/void a(/void b(/; s/int n, int stride)$/size_t n, size_t stride)/
    s/threads: n/threads: 2 * n/; s/max: 5000/max: 3000/' \
    a.cu > b.cu
sed 's/void a(/void q(/; s/threads: n/threads: 3 * n/' a.cu > other/a.cu
cat > e.yaml << 'END'
sweep: {kernel: [./a.cu, ./b.cu], stride: [1, 2]}
with: {n: 960}
include: [{kernel: ./b.cu, stride: 5}]
exclude: [{kernel: b, stride: 2}]
where: kernel ~= 'b' or stride < 4
derive: {is: kernel}
expect: [{that: is == kernel}, {when: kernel == 'b', that: st_requests == 30}]
END
rows() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { print $at["kernel"], $at["stride"], $at["status"], $at["st_requests"] }' "$1"; }
t gpuexp plan e.yaml -d sim
need "$GPUEXP" e.yaml -d sim -q
rows reports/e.csv
grep '^kernel[a-z_]*:' reports/e.run.yaml | grep -v hash
echo "--- an edit of one leaves the rows of the other"
echo '// edited' >> b.cu
"$GPUEXP" e.yaml -d sim 2>&1 | grep 'edited\|already'
rows reports/e.old.csv
"$GPUEXP" compare reports/e.old.csv reports/e.csv 2>&1 | tail -1
need "$GPUEXP" report reports/e.csv > log
need grep -q '>kernel<' reports/e.html # a column of the page's table, as each axis is
echo "--- shards, paths of one name, a shipped one, axes in step"
for i in 1 2; do need "$GPUEXP" e.yaml -d sim -q --shard $i/2 -o s.csv; done
need "$GPUEXP" merge s.csv > log
rows s.csv
need "$GPUEXP" e.yaml -d sim -q -s 'kernel=[./other/a.cu, ./a.cu]' -s include= -s exclude= -s expect= -o two.csv
rows two.csv
printf 'sweep: {kernel: [vecadd, ./v.cu]}\nwith: {n: 64}\n' > shipped.yaml
sed 's/vecadd/v/g' "$TOP/kernels/vecadd.cu" > v.cu
need "$GPUEXP" shipped.yaml -d sim -q
cut -d, -f5 reports/shipped.csv
printf 'together: [{kernel: [./a.cu, ./b.cu], stride: [3, 4]}]\n' > step.yaml
need "$GPUEXP" step.yaml -d sim -q
rows reports/step.csv
need "$GPUEXP" step.yaml -d sim -q -s kernel=./b.cu -o one.csv
rows one.csv
echo "--- mistakes"
t gpuexp check e.yaml -s 'kernel=[./a.cu, ./c.cu]'
t gpuexp check e.yaml -s 'kernel=[./a.cu, vecad]'
t gpuexp check step.yaml -s n=4000
t gpuexp check e.yaml -s 'include=[{kernel: ./c.cu, stride: 1}]'
t gpuexp check e.yaml -s 'with.memory.sums=managed'
t gpuexp check e.yaml -s 'with.kernel=./a.cu'
sed 's/stride: 1}/step: 1}/; s/stride/step/g' a.cu > c.cu
t gpuexp check step.yaml -s 'kernel=[./a.cu, ./c.cu]'
sed 's/stride: 1}/stride: 2}/' a.cu > c.cu
t gpuexp check step.yaml -s 'kernel=[./a.cu, ./c.cu]' -s stride=1
printf 'sweep: {kernel: [./a.cu, ./c.cu]}\n' > default.yaml
t gpuexp check default.yaml
t gpuexp check default.yaml -s 'sweep.kernel=./a.cu'
sed 's/^threads/reports: {cycles: {type: int}}\nthreads/; s/int stride)$/int stride, int *cycles)/' a.cu > c.cu
t gpuexp check default.yaml
printf 'kernel: ./a.cu\nsweep: {kernel: [./a.cu, ./b.cu]}\n' > both.yaml
t gpuexp check both.yaml
printf 'kernel: [./a.cu, ./b.cu]\n' > list.yaml
t gpuexp check list.yaml
