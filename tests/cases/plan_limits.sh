# The limits of plans: too many points are refused before they are looked at, an expression that fails names its point,
# and a point that is given twice is one.
# SPDX-License-Identifier: MIT
cat > huge.yaml <<'END'
kernel: stride
with: {device: sim}
sweep:
  n: {from: 1, to: 1000, step: 1}
  stride: {from: 1, to: 1000, step: 1}
  offset: {from: 1, to: 1000, step: 1}
END
t gpuexp check huge.yaml
cat > fails.yaml <<'END'
kernel: transpose
with: {device: sim, block: [32, 8]}
sweep: {n: [64, 128], variant: [naive, shared]}
where:
  - n >= 64
  - n < 100 or variant + 3 > 0
END
t gpuexp plan fails.yaml
t gpuexp plan fails.yaml -s 'where=n // 64'
cat > twice.yaml <<'END'
kernel: stride
with: {device: sim, n: 1Ki}
sweep: {stride: [1, 2, 4]}
include: [{stride: 2}, {stride: 8}, {stride: 8, n: 1Ki}, {stride: 8, n: 2Ki}]
exclude: [{stride: 4}]
END
t gpuexp plan twice.yaml
t gpuexp plan twice.yaml -s 'include=[{stride: 4}]'
# As JSON the same is tried: what cannot run has its reason, and the exit status says so.
json() {
    echo "\$ gpuexp plan --format json $*"
    gpuexp plan --format json "$@" 2> log | grep -E 'cannot_run|skipped|memory_bytes'
    echo "exit ${PIPESTATUS[0]}, $(wc -l < log) lines of reasons"
}
json twice.yaml -d sim:h200 -s 'block=[256, 2048]' -s stride=1 -s 'include=[]' -s 'exclude=[]'
json twice.yaml -s fetch=64 -s stride=1 -s 'include=[]' -s 'exclude=[]'
json twice.yaml -s 'include=[]' -s 'where=n < 0'
# A run with -q still says why nothing was measured.
gpuexp twice.yaml -q -s fetch=64 -s stride=1 -s 'include=[]' -s 'exclude=[]' 2>&1
echo "exit $?"
# What is no mapping is refused, and not replaced by what the command line sets in it.
printf 'kernel: stride\nwith: 5\n' > five.yaml
t gpuexp check five.yaml -d sim
# `where` sees the block that a kernel has of its own.
printf 'kernel: matmul\nsweep: {variant: [naive, tiled16, tiled32]}\nwhere: block[1] > 16\n' > block.yaml
t gpuexp plan block.yaml -d sim
