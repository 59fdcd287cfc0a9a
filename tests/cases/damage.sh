# Every command refuses a report that was edited, names the line and does not change it; only a last line without its
# end is dropped, and its point is measured again.
# SPDX-License-Identifier: MIT
cat > m.yaml <<'END2'
experiment: m
kernel: vecadd
sweep: {n: [1Ki, 2Ki, 3Ki, 4Ki, 5Ki, 6Ki, 7Ki, 8Ki]}
END2
printf 'name A scripted GPU\ntime 100\n' > dev
run() { gpuexp -q m.yaml -d script:dev -s measure.max_samples=50 "$@"; }
refused() { # line
    cp reports/m.csv before
    for command in 'run' 'gpuexp report reports/m.csv' 'gpuexp compare reports/m.csv reports/m.csv' \
        'gpuexp status m.yaml' \
        'gpuexp merge whole.csv'; do
        [ "$command" = 'gpuexp merge whole.csv' ] && cp reports/m.csv whole.1-of-1.csv
        $command > out 2> log
        need [ $? = 2 ]
        need grep -q "\.csv:$1:" log
        need cmp -s reports/m.csv before
    done
    rm -f whole.*
    cp good.csv reports/m.csv
}
need run
cp reports/m.csv good.csv
sed -i '4s/,ok,/,ok,"/' reports/m.csv && refused 4
sed -i '9s/,ok,/,ok,"/' reports/m.csv && refused 9 # the last
sed -i '4s/,3072,/,777,/' reports/m.csv && refused 4
sed -i '5s/$/ /' reports/m.csv && refused 5
sed -i '6s/^/\n/' reports/m.csv && refused 6
echo 'more' >> reports/m.csv && refused 10

# A torn end, and nothing else, is dropped with a message; a removed row is measured again.
truncate -s -20 reports/m.csv
gpuexp m.yaml -d script:dev -s measure.max_samples=50 > out 2> log
need [ $? = 0 ]
need grep -q 'm.csv:9: the last line was not written to its end' log
need cmp -s <(cut -d, -f2,3 good.csv) <(cut -d, -f2,3 reports/m.csv)
sed -i 3d reports/m.csv
need run
need cmp -s <(cut -d, -f2,3 good.csv) <(cut -d, -f2,3 reports/m.csv)
# Empty files beside it do no harm.
: > reports/m.run.yaml
need run
# A damaged shard hides no other one from `status`.
rm -r reports
for i in 1 2 3; do run --shard $i/3 || exit 1; done
sed -i '2s/,ok,/,ko,/' reports/m.1-of-3.csv
gpuexp status m.yaml > out 2> log
need [ $? = 2 ]
need grep -q 'm.1-of-3.csv:2:' log
need [ "$(grep -c 'of-3.csv: . of . points; complete' out)" = 2 ]
