# Expressions that know the device: in values, axes, launches, clauses and kernel files; what they are is kept with the
# run.
# SPDX-License-Identifier: MIT
cat > k.cu << 'END'
/*
params: {n: 1000, TB: {kind: constant, default: 64}}
buffers:
  in:  {type: float, count: n + regs_per_sm / 4096, access: read}
  out: {type: float, count: n, access: write}
block: TB
grid: blocks_per_sm * sms
*/
__global__ void k(const float *in, float *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = in[i];
}
__device__ bool check(size_t i, const float *in, const float *out) { return in[i] == out[i]; }
END
cat > e.yaml << 'END'
kernel: ./k.cu
with: {shared: shared_per_sm / 16, TB: warps_per_sm}
sweep: {n: [sms, 2 * sms, 1000], grid: [sms, 4 * sms]}
include: [{n: l2_bytes / 2^20, grid: 3}]
exclude: [{n: 1000, grid: sms}]
where: n <= 2 * sms or grid == 4 * sms
derive: {waves: grid / sms}
expect: [{when: grid > 3, that: grid % sms == 0}]
END
cells() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["shared"], $at["TB"], $at["n"],
    $at["grid"], $at["waves"] }' "$1"; }
for device in sim:h200 sim:v100 sim; do
    echo "--- $device"
    need "$GPUEXP" e.yaml -d $device -q -o $device.csv
    [ $device = sim:h200 ] || cells $device.csv | head -3
done
cells sim:h200.csv
grep device_traits sim:h200.run.yaml
echo "--- nothing is left to measure, and shards are of one plan"
"$GPUEXP" e.yaml -d sim:h200 -o sim:h200.csv 2>&1 | grep -o '.* already in'
need "$GPUEXP" e.yaml -d sim:h200 -q --shard 1/2 -o s.csv
need "$GPUEXP" e.yaml -d sim:v100 -q --shard 2/2 -o s.csv
"$GPUEXP" merge s.csv 2>&1 | grep -o 'has another .*' | cut -c1-30
echo "--- two devices: each point by its own"
cat > two.yaml << 'END'
kernel: ./k.cu
sweep: {device: [sim:h200, sim:a100], n: [110, 20000]}
where: n > sms
derive: {of: sms}
expect: [{when: device == 'sim:a100', that: sms == 108}, {that: of == sms}]
END
need "$GPUEXP" two.yaml -q
awk -F, 'NR > 1 { print $4, $6 }' reports/two.csv
echo "--- the launch itself"
echo 'kernel: ./k.cu' > own.yaml
sed 's/^grid: .*/&\narguments: {m: blocks_per_sm * sms}/; s/int n)/int n, int m)/;
    s/= in\[i\];/= m == gridDim.x ? in[i] : -1;/' k.cu > grid.cu
for device in sim:h200 sim:a100; do
    need "$GPUEXP" own.yaml -d $device -q -s kernel=./grid.cu -s n=1Mi -o own.csv --fresh
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["kernel"], $at["status"] }' own.csv
done
echo "--- mistakes"
t gpuexp check e.yaml -s 'n=4 * smss'
t gpuexp check e.yaml -s 'n=TB * sms'
t gpuexp check e.yaml -s "n=[4096 // sizeof('float'), 2 ^ 10]"
t gpuexp check e.yaml -s 'n=4096 // sizeof(float)'
t gpuexp check e.yaml -s 'n=sms / 7' -d sim:a100
t gpuexp check e.yaml -s 'n=sms - 2000' -d sim:a100
t gpuexp check e.yaml -s 'grid=[4 * TC, sms]'
t gpuexp check two.yaml -s n=sms
t gpuexp check e.yaml -s 'n={from: sms, to: 4 * sms, times: 2}'
echo 'name B' > fake
t gpuexp check own.yaml -d script:fake
sed 's/params: {n: 1000/params: {sms: 7, n: 1000/' k.cu > own_name.cu # a parameter of that name comes first
"$GPUEXP" plan own.yaml -s kernel=./own_name.cu -s n=sms 2>&1 | grep -o 'takes a whole.*\|unknown.*' ||
    "$GPUEXP" plan own.yaml -s kernel=./own_name.cu -q
# A slice of a GPU (MIG) is a device with a name of its own: its rows are not put behind those of whole ones, its shards
# not between theirs, and `compare` names both. (None was seen for real.)
mkdir slices && cd slices || exit 1
printf 'kernel: stride\nwith: {n: 4Ki}\nsweep: {stride: [1, 8]}\n' > x.yaml
printf 'name ACME X9\ntime 100\n' > whole
printf 'name ACME X9 MIG 1g.10gb\ntime 100\n' > slice
need gpuexp x.yaml -q -d script:whole
need gpuexp x.yaml -q -d script:slice -o slice.csv
gpuexp x.yaml -q -d script:slice > said 2>&1
need [ $? = 2 ]
need grep -q 'was measured on ACME X9, not on ACME X9 MIG 1g.10gb$' said
need gpuexp compare reports/x.csv slice.csv > said
need [ "$(head -n 1 said)" = 'ACME X9 -> ACME X9 MIG 1g.10gb' ]
need gpuexp x.yaml -q -d script:whole --shard 1/2 -o m.csv
need gpuexp x.yaml -q -d script:slice --shard 2/2 -o m.csv
gpuexp merge m.csv > said 2>&1
need [ $? = 2 ]
need grep -q 'has another device than m.1-of-2.csv: `ACME X9 MIG 1g.10gb`, not `ACME X9`$' said
# A GPU that another process has for itself (exclusive mode): nothing is measured, and why is told.
printf 'name ACME X9\nfail open 1 another process has it for itself (exclusive mode)\n' > held
for command in 'x.yaml -o held.csv' health; do
    gpuexp $command -d script:held > said 2>&1
    need [ $? = 3 ]
    need grep -q 'another process has it for itself (exclusive mode)' said
done
need [ ! -e held.csv ]
cd ..
