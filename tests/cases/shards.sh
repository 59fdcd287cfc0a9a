# Three shards measure each point once; merged, they are the report that one run would have made, except for the order
# of work.
# SPDX-License-Identifier: MIT
cat > x.yaml <<'END'
kernel: stride
with: {n: 64Ki, device: sim}
sweep: {stride: [1, 2, 3, 4, 5, 6, 7], offset: [0, 1]}
END
need gpuexp x.yaml -q -o whole.csv
for i in 1 2; do need gpuexp x.yaml -q --shard $i/3; done
gpuexp merge reports/x.csv > out 2>&1
need [ $? = 75 ] # a shard is missing
need gpuexp x.yaml -q --shard 3/3
need gpuexp merge reports/x.csv > out
need grep -q '14 ok' out
need diff whole.csv reports/x.csv
need [ "$(cat reports/x.?-of-3.csv | grep -c ',ok,')" = 14 ]
