# `list` and `describe`: each kernel, experiment, column, setting, and a parameter's name.
# SPDX-License-Identifier: MIT
t gpuexp describe vecadd
t gpuexp describe transpose
t gpuexp describe gbps status
t gpuexp describe memory cache hitRatio
need [ "$(gpuexp describe order | grep -cE '^order is a parameter of kernel \((matrix|stride)\)')" = 2 ]
t gpuexp describe lua
t gpuexp describe gpbs
cd "$TOP" || exit 1
gpuexp list > "$scratch/list" || exit 1
for file in kernels/*.cu experiments/*.yaml; do
    name=$(basename "${file%.*}")
    need grep -qE "^  $name( |\$)" "$scratch/list"
    need gpuexp describe "$name" > /dev/null
done
need [ "$(grep -c 'in error' "$scratch/list")" = 0 ]
