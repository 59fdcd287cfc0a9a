# `list` and `describe`: each kernel, experiment, column, setting, and a parameter's name.
# SPDX-License-Identifier: MIT
t gpuexp describe vecadd
t gpuexp describe transpose
t gpuexp describe gbps status
t gpuexp describe memory cache hitRatio
t gpuexp describe measure max_time
need [ "$(gpuexp describe order | grep -cE '^order is a parameter of kernel \((matrix|stride)\)')" = 2 ]
t gpuexp describe gpbs
cd "$TOP" || exit 1
gpuexp list > "$scratch/list" || exit 1
for file in kernels/*.cu experiments/*.yaml; do
    name=$(basename "${file%.*}")
    need grep -qE "^  $name( |\$)" "$scratch/list"
    need gpuexp describe "$name" > /dev/null
done
need [ "$(grep -c 'in error' "$scratch/list")" = 0 ]
# Every script and every function of the library is listed.
gpuexp describe lua > "$scratch/lua" || exit 1
need [ "$(grep -c 'in error' "$scratch/lua")" = 0 ]
known=$(grep 'keys_known\[\] =' runner/lua/declare.c | grep -o '"[a-z]*"' | tr -d '"')
for key in $known budget seconds sizeof cdiv log2; do
    need grep -qw "$key" "$scratch/lua"
done
for file in lua/*.lua lua/lib/*.lua; do
    name=$(basename "$file" .lua)
    need grep -qE "^  $name( |\$)" "$scratch/lua"
    need gpuexp describe "$name" > "$scratch/one"
    for function in $(sed -n 's/^function M\.\([a-z_]*\).*/\1/p' "$file"); do
        need grep -q "^  $name\.$function(" "$scratch/one"
    done
done
