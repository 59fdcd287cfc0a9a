# `devices`: every profile of the simulator with its facts, on any machine; the compiler that would be used.
# SPDX-License-Identifier: MIT
need gpuexp devices > out
for profile in sim sim:h200 sim:a100 sim:v100; do need grep -q "^$profile" out; done
need grep -qE '^compiler: (nvrtc|clang) [0-9]' out
need [ "$(grep -c '^sim' out)" = "$(grep -cE '^  times +none' out)" ]
need gpuexp plan "$TOP/experiments/vecadd.yaml" -d sim:a100 > out
need grep -q 'on sim:a100 nothing is timed' out
t gpuexp plan "$TOP/experiments/vecadd.yaml" -d sim:nosuch
t gpuexp "$TOP/experiments/vecadd.yaml" -d nosuch
t gpuexp "$TOP/experiments/vecadd.yaml" -d sim:nosuch
t gpuexp health -d sim:nosuch
