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
# What a shard lacks for a claim is told once, by the merge.
sed 's/FOUR/16/' claims.yaml > c.yaml
for i in 1 2; do
    gpuexp c.yaml --fresh --shard $i/2 > out 2> log
    need [ "$? $(cat out log | grep -c 'not checked\|expectation')" = "0 0" ]
done
rm reports/c.csv reports/c.2-of-2.csv
need gpuexp c.yaml --fresh --shard 2/2 > out 2> log
sed 's/stride == 4, that/stride == 8, that/' c.yaml > d.yaml && sed -i '1i experiment: d' d.yaml
for i in 1 2; do need gpuexp d.yaml -q --shard $i/2; done
need gpuexp merge reports/d.csv > out 2> log
need [ "$(cat out log | grep -c 'not checked')" = 2 ] # the line and the sum

# A finished row counts, whatever shard it was: cut into three after four, nothing is measured again, and its samples
# come with it. What had failed is measured.
printf 'name G\nidentity g\ntime 100\nfor n=3000 fail submit 4 an illegal memory access\n' > gpu
cat > again.yaml <<END
kernel: vecadd
with: {device: "script:$PWD/gpu"}
sweep: {n: [1000, 2000, 3000, 4000, 5000, 6000, 7000]}
measure: {max_samples: 20, contexts: 1}
END
for i in 1 2 3 4; do gpuexp again.yaml -q --shard $i/4 > out 2> log; done
cat reports/again.?-of-4.csv | grep ',ok,' | sort > before
need [ "$(grep -c . before)" = 6 ]
printf 'name G\nidentity g\ntime 50\n' > gpu
for i in 1 2 3; do need gpuexp again.yaml --shard $i/3 > out.$i 2> log.$i; done
need [ "$(cat log.? | grep -c '^[0-9]*/[0-9]*  n=')" = 1 ]
need grep -q 'n=3000: ' log.1 log.2 log.3
need grep -q 'by shards of another count: not measured again' log.1
need [ "$(cat reports/again.?-of-3.csv | grep ',ok,' | sort | comm -13 before - | cut -d, -f6)" = 3000 ]
for i in 1 2 3; do
    need cmp <(tail -n +2 reports/again.$i-of-3.csv | cut -d, -f3 | sort) \
        <(tail -n +2 reports/again.$i-of-3.samples.csv | cut -d, -f1 | sort -u)
done
rm reports/again.?-of-4.*
need gpuexp merge reports/again.csv > out 2> log
need grep -q '7 of 7 points from 3 shards: 7 ok' out
need gpuexp again.yaml --fresh --shard 1/2 > out 2> log # from the beginning means from the beginning
need [ "$(grep -c '^[0-9]*/[0-9]*  n=' log)" -ge 3 ]

# Points that a script added to a merged report are points of it.
cat > more.lua <<'END'
return {refine = function(rows)
    local most = 0
    for _, row in ipairs(rows) do if row.stride > most then most = row.stride end end
    return most < 6 and {{stride = most + 1}} or {}
end}
END
printf 'kernel: stride\nwith: {n: 1Ki, device: sim}\nsweep: {stride: [1, 2, 3, 4]}\nscript: ./more.lua\n' > r.yaml
for i in 1 2; do need gpuexp r.yaml -q --shard $i/2; done
need gpuexp merge reports/r.csv > out 2> log
need gpuexp r.yaml -q
need gpuexp merge reports/r.csv > out 2> log
need grep -q '^6 of 6 points' out

# Shards of two devices are told apart by their names, not by what these come to.
sed 's/device: sim/device: "sim:h200"/' r.yaml | grep -v script > h.yaml
sed 's/device: sim/device: "sim:a100"/' r.yaml | grep -v script > a.yaml
sed -i '1i experiment: two' h.yaml a.yaml
need gpuexp h.yaml -q --shard 1/2
need gpuexp a.yaml -q --shard 2/2
for how in "" --mixed; do
    gpuexp merge $how reports/two.csv > out 2> log
    need [ $? = 2 ]
    need grep -q 'has another device than reports/two.1-of-2.csv: .*a100.*, not .*h200' log
done

# More shards than files may be open: each is read by itself.
printf 'kernel: stride\nwith: {n: 1Ki, device: sim}\nsweep: {stride: {from: 1, to: 70, step: 1}}\n' > many.yaml
need gpuexp many.yaml -q -o one.csv
mkdir of
awk -F, 'NR == 1 { head = $0; next } 
    { f = "of/many." NR - 1 "-of-70.csv"; print head > f; print > f; close(f) }' one.csv
for f in of/*.csv; do cp one.run.yaml "${f%.csv}.run.yaml"; done
(ulimit -n 32 && exec "$GPUEXP" merge of/many.csv) > out 2> log
need [ $? = 0 ]
need cmp one.csv of/many.csv
need [ "$(ls of | grep -c tmp)" = 0 ]
