# The README's examples work unchanged: its experiment, its kernel, its transcript, and the two commands.
# SPDX-License-Identifier: MIT
block() { # language, number: that fenced block of the README
    awk -v want="$1" -v number="$2" '
        /^```/ { open = !open; language = substr($0, 4); inside = open && language == want && ++n == number; next }
        inside' "$TOP/README.md"
}
block yaml 1 > stride.yaml
need [ -s stride.yaml ]
need gpuexp check stride.yaml
need gpuexp stride.yaml -q -d sim -s n=64Ki

block c 1 > my_kernel.cu
need [ -s my_kernel.cu ]
printf 'kernel: ./my_kernel.cu\nwith: {n: 64Ki, device: sim}\nsweep: {stride: [1, 3], T: [float, double]}\n' \
    > my_kernel.yaml
need gpuexp my_kernel.yaml -q
need [ "$(grep -c ',ok,' reports/my_kernel.csv)" = 4 ]

# The transcript, without the first line (is there a GPU?) and the time it took.
sed -n '/^\$ build\/gpuexp experiments\/stride.yaml$/,/^```$/p' "$TOP/README.md" |
    grep -E '^ +[0-9]|sectors_per_request$|^stride: ' |
    grep -v / | sed 's/; [0-9.]* s;.*//' > want
need [ -s want ]
(cd "$TOP" && "$GPUEXP" experiments/stride.yaml -d sim -s n=64Mi -o "$scratch/again.csv") 2> /dev/null |
    sed 's/; [0-9.]* s;.*//' > got
grep -v '^stride: ' want > want.table
grep -v '^stride: ' got > got.table
need diff want.table got.table
