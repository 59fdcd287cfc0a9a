# Kernels as they are written for an H100: rings of barriers, clusters, wgmma, the Toolkit's own calls. No device is
# named. Their headers are the Toolkit's.
# SPDX-License-Identifier: MIT
nvrtc || skip "no NVRTC here, whose headers these kernels include"
cp "$TOP"/tests/kernels/hopper/*.* .
need "$GPUEXP" all.yaml -q -d sim --fresh
for k in ./*.cu; do need [ "$(cells "reports/$(basename "$k" .cu).csv" status)" = ok ]; done
