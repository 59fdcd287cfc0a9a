# What limits a point, why, and what mends it; what `-s` can test is tested; a report's rows are explained by their
# times.
# SPDX-License-Identifier: MIT
t gpuexp explain stride -s n=64Ki -s 'stride=[1, 8]' --prove
# (Another compiler's code has a few more instructions, which the gain goes by.)
about() { gpuexp explain "$@" | sed 's/some [0-9.]* times.*), as/some times, as/; /^  limit/,/^  1/{/^  1/!d}'; }
t about transpose -s n=128 -s 'with.block=[32, 8]' -s variant=shared
echo "--- a kernel that is as it should be is told its limit; a point that is wrong has no findings"
t gpuexp explain vecadd -s n=64Ki
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
t gpuexp explain reports/rows.csv --prove
echo "--- of an unknown device no gain is told; of a known one where the time is understood; some of many rows are seen"
sed -i 's/stride: \[8\]/stride: {from: 1, to: 12, step: 1}/' rows.yaml
sed -i 's/^time 500/time 30/; s/time 200/time 14/' device
printf 'name NVIDIA H100 80GB HBM3\nfor stride=7 time 500\n' >> device
need gpuexp rows.yaml -q --fresh
gpuexp explain reports/rows.csv > many
t grep -c overfetch many
t tail -1 many
t grep -m 1 gain many
t eval 'sed -n "/stride=7/,/stride=8/p" many | grep gain'
echo "--- memory gives two sectors at a time: of one in two it gives twice what was asked for"
t eval 'gpuexp explain stride -d sim:h200 -s n=256Ki -s "stride=[8, 16]" | grep gain'
t eval 'gpuexp explain stride -s n=64Ki -s stride=8 -s device=sim:a100 | grep -E "nothing|gain"'
printf 'kernel: stride\nwith: {n: 64Ki, stride: 8, device: "sim:v100"}\n' > v100.yaml
t eval 'gpuexp explain v100.yaml --format json | grep limits_of'
rm reports/rows.run.yaml
t gpuexp explain reports/rows.csv
t gpuexp explain nosuch.csv
echo "--- less work is no mend, where a kernel does not say what is useful either"
sed '/^useful:/d' "$TOP/kernels/stride.cu" > bare.cu
printf 'kernel: ./bare.cu\nwith: {n: 64Ki, stride: 8}\n' > bare.yaml
t eval 'gpuexp explain bare.yaml -d sim | grep -E "test|gain"'
