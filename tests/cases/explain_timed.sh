# What only a time, or a setting of a GPU, can tell of a row: each flaw is found first, and of its twin what limits it.
# SPDX-License-Identifier: MIT
row() { # NAME "STATEMENTS" KERNEL "VALUES": a report of one row, as an H200 might have measured it
    printf 'name NVIDIA H200\npeak 4814.3\n%b\n' "$2" > device
    printf 'experiment: %s\nkernel: %s\nwith: {device: "script:device", %s}\n' "$1" "$3" "$4" > row.yaml
    need gpuexp row.yaml -q -s check=none
    gpuexp explain "reports/$1.csv" --format json > found.json || exit 1
    need grep -q '"findings"' found.json
    first=$(sed -n 's/^ *"rule": "\(.*\)",/\1/p' found.json | head -n 1)
    need [ "$1: $first" = "$1: ${5:-}" ]
}
usual='n: 8Mi'
row ceiling 'time 65' copy "$usual" ceiling
row far 'time 115' copy "$usual" ceiling
row words 'time 30' vecadd "$usual" ceiling
row cache 'time 12.5' vecadd "$usual, cache: warm" cache
row launches 'time 3' vecadd 'n: 1Ki' launches
row worth 'time 45' copy 'n: 4Mi' ceiling
row bus 'time 2500' vecadd "$usual, memory: mapped" bus
row pageable 'time 4000' scale "$usual, timed: upload, host: pageable" bus
row pinned 'time 650' scale "$usual, timed: upload, host: pinned"
row pages 'time 5000' vecadd 'n: 1Mi, memory: managed' managed
told_model() { sed -n 's/^ *"model_us": \([0-9]*\).*/\1/p' found.json; }
need [ "$(told_model)" -gt 100 ] # the bus is counted
need grep -q '"gain": [0-9]' found.json
row touched 'time 8' vecadd 'n: 1Mi, memory: managed, touch: device' ceiling
need [ "$(told_model)" -lt 20 ] # pages that are there stay there
row brought 'time 5000' vecadd 'n: 1Mi, memory: managed, prefetch: true' ceiling
row window 'time 300' reread 'hot_bytes: 32Mi, window.buffer: hot, persist: 8Mi, window.ratio: 1' window
row fits 'time 300' reread 'hot_bytes: 4Mi, window.buffer: hot, persist: 8Mi, window.ratio: 1'
row spills 'time 95\nfact spill_bytes 96\nfact regs 32' copy "$usual" spills
row kept 'time 95\nfact spill_bytes 0\nfact regs 32' copy "$usual" ceiling
# A thread for each path, which ends at what it reads: there are no more of them for more blocks, but a thread may read
# ahead. With as many as fill the device it need not.
cat > passage.cu << 'END'
/*
about: The step at which each path first rises above a barrier.
params: {n: 33792, steps: 128}
buffers:
  steps_of: {type: float, count: n * steps, access: read, fill: {random: [-1, 1]}}
  hit: {type: int, count: n, access: write}
threads: n
block: 128
*/
__global__ void passage(const float *steps_of, int *hit, int n, int steps)
{
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n) return;
    float level = 0;
    int t = 0;
    while (t < steps && (level += steps_of[(size_t)t * n + p]) < 1e6f) t++;
    hit[p] = t;
}
END
row passage 'time 55' ./passage.cu 'n: 33792' in_flight
row passages 'time 68' ./passage.cu 'n: 512Ki' ceiling
# A time outside of the model's interval is told as that.
gpuexp explain reports/far.csv > far || exit 1
need grep -q '^  model .*115 us measured; expected are .* That is' far
need eval '! gpuexp explain reports/ceiling.csv | grep -q "That is"'
# Of a device that nothing is known of the same is said, but no gain is told.
sed -i 's/name NVIDIA H200/name NVIDIA GeForce/' device
printf 'experiment: other\nkernel: vecadd\nwith: {device: "script:device", n: 16Mi, memory: mapped}\n' > row.yaml
need gpuexp row.yaml -q -s check=none
gpuexp explain reports/other.csv > other || exit 1
need grep -q 'nothing is known here of the device `NVIDIA GeForce`' other
need grep -q '1. bus' other
need eval '! grep -q "     gain" other'
# The worst rows are looked at first, however large their buffers are. Of the others the columns alone speak: a memory
# that is busy with bytes that nobody asked for is no reason to stop.
gpuexp explain "$TOP/reports/h200/stride.csv" > kept || exit 1
need [ "$(grep -c '1. overfetch' kept)" = 5 ]
# Two times of one kernel are no flaw of it: that is said, with both.
sed 's/,[0-9a-f]*$//; 1s/,checksum$//' reports/far.csv |
    awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 { $at["quick_us"] = 190; $at["slow_us"] = 260; $at["slow_pct"] = 25 } 1' > placed.csv
cp reports/far.run.yaml placed.run.yaml
gpuexp explain placed.csv > placed || exit 1
need [ "$(grep -c '^  times  *190 us, and 260 us in 25 % of the places: by where its buffers lie' placed)" = 1 ]
sed 's/,[0-9a-f]*$//; 1s/,checksum$//; 6p; 6p; 6p; 6p; 6p; 6p; 6p' "$TOP/reports/h200/stride.csv" > more.csv
cp "$TOP/reports/h200/stride.run.yaml" more.run.yaml
gpuexp explain more.csv > more || exit 1
need grep -q '^6 of 13 rows' more
need eval '! grep -q "near what the memory" more'
