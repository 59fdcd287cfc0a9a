# A run that lost its lock writes nothing more, wherever the report's other names and lock lead: nothing outside is
# touched, and two names for one report are one report.
# SPDX-License-Identifier: MIT
# A flock that lies (below) would let others' runs clean up what ours are using: it has a place of its own for that.
mkdir tmp && export TMPDIR=$PWD/tmp
cat > m.yaml <<'END2'
experiment: m
kernel: vecadd
sweep: {n: {from: 1, to: 400, step: 1}}
END2
printf 'name A scripted GPU\ntime 100\nchecks 0.002\n' > dev # slow enough to be stopped in the middle
run() { "$GPUEXP" -q m.yaml -d script:dev -s measure.max_samples=50 "$@"; }
rows() { wc -l 2> /dev/null < reports/m.csv || echo 0; }
stopped() { # a run that is stopped in the middle of its rows: its process in $pid
    local before
    before=$(rows)
    "$GPUEXP" -q m.yaml -d script:dev -s measure.max_samples=50 "$@" 2> first.log &
    pid=$!
    for _ in $(seq 400); do
        [ "$(rows)" -ge $((before + 4)) ] && break
        sleep 0.02
    done
    kill -STOP $pid
    trap 'kill -KILL $pid 2> /dev/null' EXIT
    need [ "$(rows)" -lt 380 ]
}

# Its lock removed: a second run is refused all the same, by whatever name it knows the file; the first, awake again,
# stops.
stopped
rm reports/m.csv.lock
ln -s m.csv reports/soft.csv
ln reports/m.csv reports/hard.csv
cp reports/m.csv before.csv
for name in m soft hard; do
    run -o reports/$name.csv 2> log
    need [ $? = 3 ]
    need grep -q 'm.csv is being written by another process\|hard.csv is being written by another process' log
done
need cmp -s reports/m.csv before.csv
kill -CONT $pid
wait $pid
need [ $? = 3 ]
need grep -q 'm.csv.lock was removed while this run was writing' first.log
need [ -z "$(head -n -1 before.csv | grep -vxF -f reports/m.csv)" ]
rm reports/hard.csv

# With its lock: the second is told who it is, by the other name too.
stopped
for name in m soft; do
    run -o reports/$name.csv 2> log
    need [ $? = 3 ]
    need grep -q "m.csv is being written by process $pid on" log
done
kill -CONT $pid
kill $pid
wait $pid
need run -o reports/soft.csv # goes on in the report itself
need [ "$(wc -l < reports/m.csv)" = 401 ]
need [ -L reports/soft.csv ]
need [ ! -e reports/soft.run.yaml ]
need [ "$(ls reports | sort | tr '\n' ' ')" = 'm.csv m.run.yaml m.samples.csv soft.csv ' ]

# A lock that is a symbolic link, a report that is one to nothing: refused, and nothing is written where they lead.
echo precious > precious
ln -s ../precious reports/m.csv.lock
run 2> log
need [ $? = 3 ]
need grep -q 'm.csv.lock: it is a symbolic link' log
need [ "$(cat precious)" = precious ]
rm reports/m.csv.lock
ln -s ../outside.csv reports/out.csv
run -o reports/out.csv 2> log
need [ $? = 2 ]
need grep -q 'out.csv: is a symbolic link that leads nowhere' log
need [ ! -e outside.csv ]
gpuexp merge reports/m.csv -o reports/out.csv 2> log
need [ $? = 2 ]
need [ ! -e outside.csv ]
# Nor is what stands in the way of a temporary file.
for name in reports/m.csv reports/m.run.yaml; do ln -s ../precious "$name.$$.tmp"; done
need run --fresh
need [ "$(cat precious)" = precious ]
need [ "$(wc -l < reports/m.csv.bak)" = 401 ]

# Where flock says yes to everybody, or is not known, a writer that lives is not taken over, and one that died is.
for how in free none; do
    rm -rf reports
    export HOST_FLOCK=$how LD_PRELOAD=$BUILD/tests/libhost.so
    stopped
    cp reports/m.csv before.csv
    run 2> log
    need [ $? = 3 ]
    need grep -q "m.csv is being written by process $pid on" log
    gpuexp status reports/m.csv > log 2>&1
    need [ $? = 75 ]
    need cmp -s reports/m.csv before.csv
    kill -KILL $pid
    wait $pid 2> /dev/null
    need "$GPUEXP" m.yaml -d script:dev -s measure.max_samples=50 > out 2> log
    need grep -q "process $pid on .* ended without releasing it" log
    need [ "$(tail -n +2 reports/m.csv | cut -d, -f3 | sort -u | wc -l)" = 400 ]
    need [ "$(wc -l < reports/m.csv)" = 401 ]
    unset LD_PRELOAD
done
