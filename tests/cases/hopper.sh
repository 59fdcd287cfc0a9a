# Kernels as they are written for an H100: rings of barriers, clusters, wgmma, the Toolkit's own calls. No device is
# named. Their headers are the Toolkit's.
# SPDX-License-Identifier: MIT
nvrtc || skip "no NVRTC here, whose headers these kernels include"
cp "$TOP"/tests/kernels/hopper/*.* .
"$GPUEXP" all.yaml -d sim --fresh > log 2>&1 || { grep -v ' 1 ok;' log; }
[ "$(grep -c ' 1 ok;' log)" = "$(ls ./*.cu | wc -l)" ] || echo "not each is verified"
