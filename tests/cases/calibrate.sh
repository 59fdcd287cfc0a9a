# `calibrate` writes a profile from what short kernels take, and the simulator stands for that GPU: a scripted device
# has the H200's own numbers, and then another memory.
# SPDX-License-Identifier: MIT
# timeout: 600
cat > like <<'END'
name NVIDIA H200
arch sm_90
peak 4814.3
clock 1977
tells sms 132
tells warps_per_sm 64
tells blocks_per_sm 32
tells regs_per_sm 65536
tells shared_per_sm 233472
tells l2_bytes 62914560
draws 0.001
time 2.716
for block=128 time 42.624
for kernel=latency report 0 650.88
for n=64 report 0 32.0017
for n=32768 report 0 279.029
for kernel=cached time 1079.366
for path=l2 time 425.661
for kernel=copy time 66.892
for kernel=stride time 1177.226
for kernel=atomics time 1844.938
for T=int time 27.003
for kernel=barriers report 0 29.5657
for block=1024 report 0 78.5742
for kernel=vitals time 1219.76
END
export GPUEXP_PATH=$TOP
need gpuexp calibrate -d script:like -o like.yaml > out 2> log
need grep -q 'sim:like.yaml' out
value() { sed -n "s/^  $2: \[\([0-9.e+-]*\),.*/\1/p" "$1"; }
close() { # A B: within 2 %
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && a / b < 1.02 && a / b > 0.98) }'
}
# With the H200's numbers the constants are the H200's.
for c in launch_us block_ns l1_cycles l2_near_cycles dram_latency_cycles dram_cycles dram_row_cycles l2_read_cycles \
    l1_lines atomic_line_cycles atomic_float_cycles barrier_cycles barrier_warp_cycles bus_bytes_us clock_mhz; do
    need close "$(value like.yaml $c)" "$(value "$TOP/runner/device/profiles/h200.yaml" $c)"
done
# A memory that is half as quick, and half as many SMs: what hangs on them changes, and nothing else.
sed 's/sms 132/sms 66/; s/copy time .*/copy time 133.784/; s/name .*/name NVIDIA Half/' like > half
need gpuexp calibrate -q -d script:half -o half.yaml 2> log
need close "$(value half.yaml dram_cycles)" 5.2
need close "$(value half.yaml l2_read_cycles)" "$(value like.yaml l2_read_cycles)"
need [ "$(value half.yaml gpcs)" = 4 ]
# The simulator stands for it.
for p in like half; do need gpuexp vecadd -q -d sim:$p.yaml -s n=1Mi -s block=512 -o $p.csv 2> log; done
need gpuexp vecadd -q -d sim:h200 -s n=1Mi -s block=512 -o h200.csv 2> log
need close "$(cells like.csv model_us)" "$(cells h200.csv model_us)"
need awk -v a="$(cells half.csv model_us)" -v b="$(cells like.csv model_us)" 'BEGIN { exit !(a > 1.2 * b) }'
# What stands in the way is said.
t gpuexp calibrate -d sim
sed -i '/kernel=copy/d; s/^time .*/time 0/' half
gpuexp calibrate -q -d script:half -o none.yaml 2>&1 | tail -2
sed '/dram_cycles/d' like.yaml > broken.yaml
t gpuexp check vecadd -d sim:broken.yaml
t gpuexp check vecadd -d sim:nothing.yaml
printf 'a user wrote this\n' > mine.yaml
gpuexp calibrate -q -d script:like -o mine.yaml 2>&1 | tail -1
need grep -q '^a user' mine.yaml
