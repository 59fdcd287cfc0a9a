# What limits a point, why, and what mends it; what `-s` can test is tested; a report's rows are explained by their
# times.
# SPDX-License-Identifier: MIT
t gpuexp explain stride -s n=64Ki -s 'stride=[1, 8]' --prove
t gpuexp explain transpose -s n=128 -s 'with.block=[32, 8]' -s variant=shared
echo "--- nothing to say of a kernel that is as it should be; a point that is wrong has no findings"
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
rm reports/rows.run.yaml
t gpuexp explain reports/rows.csv
t gpuexp explain nosuch.csv
