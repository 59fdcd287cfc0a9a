# Kernels as samples and textbooks have them, each with its descriptor and a `check`, are verified on the simulator:
# every third of some fifty here, all of them by each compiler in the full tests (real_kernels_other.sh).
# SPDX-License-Identifier: MIT
cp "$TOP"/tests/kernels/*.* .
need [ "$(ls ./*.cu | wc -l)" -ge 49 ]
sed -n 's/^kernel: //p' all.yaml | few 3 > some
while read -r k; do printf -- '---\nexperiment: %s\nkernel: %s\n' "$(basename "$k" .cu)" "$k"; done < some > some.yaml
"$GPUEXP" some.yaml -d sim > log 2>&1 || { grep -v ' 1 ok;\|: ok$\|sectors_per_request' log; exit 1; }
[ "$(grep -c ' 1 ok;' log)" = "$(wc -l < some)" ] || { echo "not each is verified"; cat log; }
# What each needed: lines of its descriptor, from `/*` to `*/` without them.
wc=$(for f in ./*.cu; do awk '/^\*\//{ print NR - 2; exit }' "$f"; done | sort -n |
    awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }')
need [ "$wc" -le 12 ]
