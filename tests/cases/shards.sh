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
# A claim is about the whole: a shard that lacks its points does not check it; the merge does, from the text that was
# kept.
cat > claims.yaml <<'END'
kernel: stride
with: {n: 1Ki, device: sim}
sweep: {stride: [1, 2, 4]}
expect:
  - {when: stride == 1, that: sectors_per_request == 4}
  - {when: stride == 2, that: sectors_per_request == 8}
  - {when: stride == 4, that: sectors_per_request == FOUR}
END
for four in 16 5; do
    sed "s/FOUR/$four/" claims.yaml > c.yaml
    for i in 1 2; do gpuexp c.yaml -q --fresh --shard $i/2 > log 2>&1; done
    mv c.yaml away.yaml
    gpuexp merge reports/c.csv > out 2> log
    need [ "$? $(grep -c . log)" = "$((four != 16)) $((four != 16))" ]
    if [ "$four" = 16 ]; then need grep -q 'every expectation holds' out
    else need grep -q 'of 3 expectations 2 hold, 1 broken' out
    fi
    gpuexp merge reports/c.csv -q > out 2> log
    need [ $? = $((four != 16)) ]
    mv away.yaml c.yaml
done
need grep -q 'c.yaml:7: broken' log
