# `devices`: every profile of the simulator with its facts, on any machine; the compiler that would be used.
# SPDX-License-Identifier: MIT
need gpuexp devices > out
for profile in sim sim:h200 sim:a100 sim:v100; do need grep -q "^$profile" out; done
need grep -qE '^compiler: (nvrtc|clang) [0-9]' out
need [ "$(grep -c '^sim' out)" = "$(grep -cE '^  times +none' out)" ]

# What is used of the CUDA Toolkit: where it is, or what it would bring. One that is too old is named, and no other is
# hidden by it.
need [ "$(grep -cE '^  (NVRTC|headers|CCCL|CUPTI) +(/|none  [(])' out)" = 4 ]
need gpuexp devices --format json > json
need grep -q '"brings": "machine code' json
mkdir -p old/lib64
cp "$BUILD/tests/libold_nvrtc.so" old/lib64/libnvrtc.so.11.2
need env CUDA_HOME="$PWD/old" "$GPUEXP" devices > older
if nvrtc; then need diff out older
else need grep -q '^  NVRTC  *none  (NVRTC 11.8 is too old: 12.0 or newer is needed; it brings' older; fi

need gpuexp plan "$TOP/experiments/vecadd.yaml" -d sim:a100 > out
need grep -q 'on sim:a100 nothing is timed' out
t gpuexp plan "$TOP/experiments/vecadd.yaml" -d sim:nosuch
t gpuexp "$TOP/experiments/vecadd.yaml" -d nosuch
t gpuexp "$TOP/experiments/vecadd.yaml" -d sim:nosuch
t gpuexp health -d sim:nosuch
