# Some fifty kernels as samples and textbooks have them, each with its descriptor and a `check`: all are verified on the
# simulator. One compiler here, the other too in the full tests (real_kernels_other.sh).
# SPDX-License-Identifier: MIT
cp "$TOP"/tests/kernels/*.* .
"$GPUEXP" all.yaml -d sim > log 2>&1 || { grep -v ' 1 ok;\|: ok$\|sectors_per_request' log; exit 1; }
[ "$(grep -c ' 1 ok;' log)" = "$(ls ./*.cu | wc -l)" ] || { echo "not each is verified"; cat log; }
need [ "$(ls ./*.cu | wc -l)" -ge 49 ]
# What each needed: lines of its descriptor, from `/*` to `*/` without them.
wc=$(for f in ./*.cu; do awk '/^\*\//{ print NR - 2; exit }' "$f"; done | sort -n |
    awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }')
need [ "$wc" -le 12 ]
