# `check`, `plan` and `describe` FILE: every point, every removed one and what removed it, and no complaint when the
# reader closes the pipe.
# SPDX-License-Identifier: MIT
cat > sweep.yaml <<'END'
experiment: sweep
question: Which points are left?
kernel: stride
with: {n: 1Mi, block: 256, device: sim}
sweep:
  stride: [1, 2, 4, 32]
  offset: [0, 1]
where: stride * block <= 1024
include: [{stride: 33, offset: 0}]
exclude: [{stride: 2, offset: 1}]
---
experiment: second
kernel: vecadd
with: {device: sim}
sweep:
  n: {from: 1Ki, to: 64Mi, times: 64}
together:
  - {block: [64, 128], grid: [16, 8]}
END
t gpuexp check sweep.yaml
t gpuexp plan sweep.yaml
t gpuexp plan -s 'stride=1' -s offset=0 --shard 1/1 sweep.yaml
cat > large.yaml <<'END'
kernel: vecadd
with: {device: sim}
sweep:
  n: {from: 1, to: 1000, step: 1}
  block: {from: 1, to: 1000, step: 1}
END
t gpuexp check large.yaml
time_limit=10
need timeout $time_limit bash -c '"$GPUEXP" plan large.yaml 2>&1 | head -3 > head.out'
cat head.out
points() { gpuexp plan "$@" sweep.yaml -q | sed '/^ *-/d; /^$/d'; }
need [ "$(for i in 1 2 3; do points --shard $i/3; done | wc -l)" = "$(points | wc -l)" ]
