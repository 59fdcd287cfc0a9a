# A run as the user sees it, on the simulator: plain lines, a report, resumed, started over, broken expectations, exit
# statuses.
# SPDX-License-Identifier: MIT
stride=$TOP/experiments/stride.yaml
XDG_CACHE_HOME=$PWD/cache gpuexp "$stride" -d sim -s n=1Mi -s 'stride=[1, 2, 32]' > out 2> log
need [ $? = 0 ]
# One source is compiled once: what was compiled ahead is what the points ask for.
need [ "$(grep -al '[.]entry stride' cache/gpuexp/code/* | wc -l)" = 1 ]
# What is expected follows from the compiler's PTX: that it is there, and how it is said.
sed -E 's/; [0-9.]* [a-z]*;/; TIME;/; s/: [0-9.]+ us to [0-9.]+ us/: US to US/
    s/ +([0-9]\.[0-9]{2}|[0-9]{2}\.[0-9]|[0-9]{3,}) +(launch|l2|dram|waiting)$/  US  LIMIT/' out # in three digits
sed 's|^ *[0-9]*/|N/|' log | sort
need [ "$(wc -l < reports/stride.csv)" = 4 ]
need [ "$(cells reports/stride.csv status | sort -u)" = ok ]
need [ "$(cells reports/stride.csv stride | tr '\n' ' ')" = "1 2 32 " ]
need [ "$(cells reports/stride.csv ld_requests | sort -u)" = 32768 ]
need [ "$(cells reports/stride.csv ld_sectors | tr '\n' ' ')" = "131072 262144 1048576 " ]
need grep -qxE "sass|ptx" <<< "$(cells reports/stride.csv counts | sort -u)"
need [ -z "$(cells reports/stride.csv time_us | tr -d '\n')" ]
need [ -s reports/stride.run.yaml ]

# Two buffers lie in two places: what is expected to come from memory is both.
need gpuexp vecadd -q -d sim -s n=1Mi -o vecadd.csv 2> log
need [ "$(cells vecadd.csv model_dram_read_bytes | cut -d. -f1)" = 8388608 ]

# On a GPU the model stands beside what was measured, and a time outside of its interval is told in the row.
printf '%s\n' 'name NVIDIA H200' 'time 50' 'for n=4194304 time 16' > fake
for n in 1Mi '[1Mi, 4Mi]'; do
    need gpuexp vecadd -d script:fake -s "n=$n" -s counters=sim --fresh -o beside.csv > out 2> log
    sed -En 's/[0-9.]+ us to [0-9.]+ us/US to US/; s/: [0-9.]+ us \(/: US (/; s/^model_us/&/p' out
done
need [ "$(cells beside.csv reason | grep -c '^longer than the model expects (.* us): something takes')" = 1 ]

# The run file says whose precision was asked for: that of the value by its name.
printf '%s\n' 'kernel: latency' 'with: {n: 1Ki}' 'measure: {precision: {of: near, to: 1%}}' > near.yaml
need gpuexp -q near.yaml -d sim 2> log
need grep -q '^measure: "precision 0.01 of near, ' reports/near.run.yaml

# Again: nothing left to do. With another stride: one more. Started over: all.
cp reports/stride.csv before.csv
need gpuexp "$stride" -d sim -s n=1Mi -s 'stride=[1, 2, 32]' > out 2> log
need cmp before.csv reports/stride.csv
need grep -q '3 already in' log
need gpuexp "$stride" -d sim -s n=1Mi -s 'stride=[1, 2, 4, 32]' > out 2> log
need [ "$(wc -l < reports/stride.csv)" = 5 ]
need gpuexp "$stride" -q --fresh -d sim -s n=1Mi -s stride=1 -o other/name.csv > out 2> log
need [ ! -s out ]
need [ ! -s log ]
need [ "$(wc -l < other/name.csv)" = 2 ]

# A broken expectation is an answer: exit 1, and the place is named.
cat > wrong_claim.yaml <<'END'
kernel: stride
with: {n: 64Ki, device: sim}
sweep: {stride: [1, 2]}
expect:
  - that: sectors_per_request == 4
END
gpuexp wrong_claim.yaml > out 2> log
need [ $? = 1 ]
grep wrong_claim.yaml: log
# What was not checked does not hold: which, why, and what would check it; in the page too. Nothing went wrong: exit 0.
cat > unchecked.yaml <<'END'
kernel: stride
with: {n: 64Ki, device: sim}
sweep: {stride: [1, 2]}
expect:
  - {when: stride == 1, that: sectors_per_request == 4}
  - {when: stride == 4, that: sectors_per_request == 1}
  - {when: stride == 2, that: gbps > 100}
END
need gpuexp unchecked.yaml > out 2> log
tail -1 out | sed 's/; [0-9.]* [a-z]*;/; TIME;/'
grep unchecked.yaml: log
need gpuexp report -q reports/unchecked.csv
need grep -q '<a class="status unverified" href="#claims1">2 expectations not checked</a>' reports/unchecked.html
grep -A4 '<ul class="claims"' reports/unchecked.html
# A wrong result and one that faults have no numbers.
sed 's/out\[i\] = in\[place(i, stride, offset)\]/out[i] = in[place(i, stride, offset)] + (i == 7)/;
    s/void stride(/void broken(/; s/^about:.*/about: wrong/' \
    "$TOP/kernels/stride.cu" > broken.cu
sed 's/out\[i\] = in\[place(i, stride, offset)\]/out[i] = in[i + (i == 7) * 100000]/; s/void stride(/void outside(/;
    s/^about:.*/about: faults/' \
    "$TOP/kernels/stride.cu" > outside.cu
for name in broken outside; do
    printf 'kernel: ./%s.cu\nwith: {n: 64Ki, device: sim}\n' $name > $name.yaml
    gpuexp $name.yaml > out 2> log
    need [ $? = 1 ]
    sed 's/; [0-9.]* [a-z]*;/; TIME;/' out
    cells reports/$name.csv status
    sed 's/ ([A-Z.0-9]* at 0x[0-9a-f]*)//' reports/$name.csv |
        grep -oE 'first is .[0-9]+.|line [0-9]+ by block.*lane [0-9]+'
    need [ -z "$(cells reports/$name.csv ld_requests)" ]
done
# What only a CUDA device can do is skipped, with the reason.
gpuexp "$stride" -d sim -s n=64Ki -s 'stride=[1, 2]' -s fetch=64 -o skipped.csv > out 2> log
need [ $? = 1 ] # nothing was measured
tail -1 out | sed 's/; [0-9.]* [a-z]*;/; TIME;/'
need gpuexp "$stride" -d sim -s n=64Ki -s stride=1 -s 'persist=[0, 0.5]' -o part.csv > out 2> log # the other point was
cells skipped.csv status
cells part.csv status
# Two experiments, one report: no.
t gpuexp "$stride" "$stride" -o one.csv
