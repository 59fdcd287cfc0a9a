# `gpuexp new`: what it writes runs and is right, with a kernel of one's own or of the library; nothing is overwritten.
# SPDX-License-Identifier: MIT
t gpuexp new experiment squares
need gpuexp squares.yaml -q -d sim
need [ "$(grep -c ',ok,' reports/squares.csv)" = 2 ]
need gpuexp check squares.yaml > /dev/null
t gpuexp new experiment squares
t gpuexp new kernel squares
need cmp -s squares.cu <(gpuexp new kernel other > /dev/null && sed 's/run_other/run_squares/' other.cu)
t gpuexp new kernel 2fast
t gpuexp new kernel ../up
t gpuexp new table x
mkdir -p there/kernels there/experiments
cd there || exit 1
t gpuexp new kernel cubes
t gpuexp new experiment cubes
need gpuexp cubes -q -d sim
need [ "$(grep -c ',ok,' reports/cubes.csv)" = 2 ]
t gpuexp new experiment both
need gpuexp experiments/both.yaml -q -d sim
# A kernel that is there already, by its name.
sed 's/\bvecadd\b/float_sum/g' "$TOP/kernels/vecadd.cu" > kernels/float_sum.cu
need gpuexp new experiment float_sum > /dev/null
need gpuexp check float_sum > /dev/null
cd .. && mkdir only && cd only && mkdir experiments || exit 1
t gpuexp new experiment alone # no kernels/: the kernel lies here, the experiment below
need gpuexp alone -q -d sim
