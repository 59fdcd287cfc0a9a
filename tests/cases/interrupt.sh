# Ctrl-C finishes the current row and exits 75; the next run does the rest. kill -9 loses at most the row that is
# measured.
# SPDX-License-Identifier: MIT
cat > many.yaml <<'END'
kernel: stride
with: {n: 64Ki, device: sim}
sweep:
  stride: {from: 1, to: 120, step: 1}
END
for signal in INT TERM KILL; do
    rm -rf reports
    # a shell without job control ignores SIGINT for what it starts in the background
    env --default-signal=INT "$GPUEXP" many.yaml > out 2> log &
    pid=$!
    for _ in $(seq 200); do
        [ "$(wc -l 2> /dev/null < reports/many.csv || echo 0)" -ge 4 ] && break
        sleep 0.05
    done
    kill -$signal $pid
    wait $pid
    status=$?
    need [ $status = $([ $signal = KILL ] && echo 137 || echo 75) ]
    rows=$(wc -l < reports/many.csv)
    need [ "$rows" -ge 4 ]
    need [ "$rows" -lt 121 ]
    cp reports/many.csv before.csv
done
need gpuexp many.yaml > out 2> log
need [ "$(wc -l < reports/many.csv)" = 121 ]
# All earlier rows are still there, and none twice.
need [ "$(sort before.csv | head -n -1 | comm -23 - <(sort reports/many.csv) | wc -l)" -le 1 ]
need [ "$(cut -d, -f3 reports/many.csv | sort | uniq -d | wc -l)" = 0 ]

# Two experiments, of which the first breaks an expectation and the second is stopped: work left is what the exit status
# says, since the same command goes on; when all is done, it says that a claim broke.
cat > two.yaml <<'END'
experiment: first
kernel: stride
with: {n: 4Ki, device: sim}
expect: ld_requests == 1
---
experiment: second
kernel: stride
with: {n: 64Ki, device: sim}
sweep: {stride: {from: 1, to: 80, step: 1}}
END
"$GPUEXP" two.yaml > out 2> log &
pid=$!
for _ in $(seq 200); do
    [ "$(wc -l 2> /dev/null < reports/second.csv || echo 0)" -ge 4 ] && break
    sleep 0.05
done
kill -TERM $pid
wait $pid
need [ $? = 75 ]
need [ "$(wc -l < reports/second.csv)" -lt 81 ]
gpuexp two.yaml > out 2> log
need [ $? = 1 ]
need [ "$(wc -l < reports/second.csv)" = 81 ]

# The first signal ends a plan too, in the middle of a script's call or between two: here it would take minutes.
cat > slow.lua << 'END'
return {keep = function(point)
    local s = 0
    for i = 1, 2e7 do s = s + i end
    return s > 0
end}
END
cat > slow.yaml << 'END'
kernel: stride
script: ./slow.lua
with: {n: 4Ki, device: sim}
sweep: {stride: {from: 1, to: 9000, step: 1}}
END
env --default-signal=INT "$GPUEXP" slow.yaml > out 2>&1 &
pid=$!
sleep 1
kill -INT $pid
for _ in $(seq 300); do kill -0 $pid 2> /dev/null && sleep 0.1; done
need [ ! -e /proc/$pid/exe ]
wait $pid
need [ $? = 75 ]
need [ ! -s out ]
