# A kernel that faults, hangs or computes nonsense costs its own row and no other: a whole run over the fake device,
# with the same rows for the good points as a run in which nothing goes wrong.
# SPDX-License-Identifier: MIT
cat > vec.yaml <<'END'
experiment: vec
kernel: vecadd
with: {timeout: 1s}
sweep: {n: [1Ki, 2Ki, 3Ki, 4Ki, 5Ki, 6Ki, 7Ki, 8Ki]}
END
cat > good <<'END'
name A fake GPU
time 100
for n=8192 time 200
END
cat good - > bad <<'END'
for n=2048 print verify 1 block 3, thread 31: out of luck
for n=2048 crash verify 1
for n=3072 hang wait 2
for n=4096 wrong 3 17 4096
for n=5120 fail submit 4 an illegal memory access (cudaErrorIllegalAddress)
for n=6144 exit restore 1 7
for n=7168 throttle 1 1000000
broken
END
columns() { # what stands before the reason, which may hold commas
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } { print $at["n"] "," $at["status"] }' "$1"
}
need gpuexp -q vec.yaml -d script:good -s measure.max_samples=50 -o good.csv
gpuexp -q vec.yaml -d script:bad -s measure.max_samples=50 -o bad.csv 2> log
need [ $? = 1 ]
grep -v '^[0-9]/8  ' log # the points that went wrong, in the order of a chance
need [ "$(grep -c '^[0-9]/8  n=.*: .*: ' log)" = 6 ]
columns bad.csv
for reason in 'the worker died of SIGSEGV (a segmentation fault): block 3, thread 31: out of luck' \
    'not done after 1 s' \
    '3 of 4096 elements are wrong, the first is .17.' 'an illegal memory access (cudaErrorIllegalAddress)' \
    'the worker ended with exit status 7' 'the clock was throttled during every one of 50 samples'; do
    need grep -q "$reason" bad.csv
done
need [ "$(columns good.csv | grep -c ,ok)" = 8 ]
# The good points of the bad run are the same rows, keys and all, as those of the good one.
need [ "$(grep -c ',ok,' bad.csv)" = 2 ]
need [ -z "$(grep ',ok,' bad.csv | grep -vxF -f good.csv)" ]

# At its end a run says how long it took, and how much of that was timed work.
gpuexp vec.yaml -d script:good -s measure.max_samples=50 -o told.csv > out 2> log
need grep -Eq '; [0-9.]+ m?s, [0-9.]+ [mu]?s a point, [0-9]+ % of it in timed work; told.csv$' out

# A summary that cannot be printed is an error, with its own reason.
gpuexp vec.yaml -d script:good -s measure.max_samples=50 -o full.csv > /dev/full 2> log
need [ $? = 3 ]
need [ "$(tail -1 log)" = 'gpuexp: a part of the output could not be written to standard output' ]

# An empty plan is reported.
gpuexp vec.yaml -d script:good -s where=false -o none.csv 2> log
need [ $? = 1 ]
need grep -q 'no point is left' log
