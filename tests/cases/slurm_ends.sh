# On a real SLURM, what else may happen to a job: it is preempted, suspended for longer than a point may take, reaches
# its limit while it compiles, its node's disk is full, its node's clock is 90 s off the other's, and flock does nothing
# there. No row that was told is lost, none is there twice, the status is right and the log says what happened.
# full: waits for SLURM, most of the time
# SPDX-License-Identifier: MIT
. "$TOP/tests/slurm/cluster.sh"
slurm_need
slurm_apart
slurm_up

mkdir bin full
real=$(command -v clang || command -v "clang-14") || lacks clang
cat > bin/clang << END # where there is a file \`slow\`, it never ends
#!/bin/sh
case "\$*" in
*--version*) ;;
*) [ ! -e "$PWD/slow" ] || { echo started >> "$PWD/compiling"; exec sleep 300.25; } ;;
esac
exec $real "\$@"
END
chmod +x bin/clang
export PATH=$PWD/bin:$PATH GPUEXP_COMPILER=clang XDG_CACHE_HOME=$PWD/cache
printf 'name A scripted GPU\ntime 100\nrestores 0.004\n' > gpu
cat > y.yaml << END
kernel: vecadd
with: {device: "script:$PWD/gpu", timeout: 2s}
sweep: {n: {from: 1, to: 60, step: 1}}
measure: {min_samples: 6, max_samples: 12, contexts: 1}
END
need gpuexp y.yaml -q -o one.csv
printf 'kernel: vecadd\nwith: {device: sim}\nsweep: {n: [256, 512, 768]}\n' > z.yaml
need gpuexp z.yaml -q -o z.csv
rm -rf cache

rows() { [ "$(wc -l 2> /dev/null < "$1" || echo 0)" -gt "$2" ]; }
job() { # NAME PREFIX [sbatch options]: one that measures the whole plan of $plan into NAME.csv
    local name=$1 prefix=$2
    shift 2
    sbatch --parsable --requeue --open-mode=append -o "$name.log" -J "$name" "$@" \
        --wrap "exec $prefix $GPUEXP ${plan:-y}.yaml -o $name.csv --shard 1/1 --requeue"
}
whole() {
    local name
    for name; do
        diff one.csv "$name.csv" > difference || { head -n 5 difference; tail -n 20 "$name.log"; need false; }
    done
}
told() { # NAME LOG: each row that the log tells of is there
    sed -n 's|^ *[0-9]*/60  n=\([0-9]*\): .*|vecadd,2,\1,|p' "$2" > points
    [ -s points ] && [ -z "$(grep -vF -f <(grep -oF -f points "$1") points)" ]
}

# Preempted; suspended for longer than `timeout`.
low=$(job low '' -w n1 -p test)
suspended=$(job suspended '' -w n2)
for name in low suspended; do need slurm_until 30 rows $name.csv 3; done
scontrol suspend "$suspended"
urgent=$(sbatch --parsable -p urgent -w n1 --exclusive -o urgent.log --wrap 'true')
need slurm_until 30 slurm_over "$urgent"
sleep 3
need [ "$(slurm_state "$suspended")" = SUSPENDED ]
scontrol resume "$suspended"
need slurm_wait "$low" "$suspended"
whole low suspended
need grep -q 'PREEMPTION' low.log
need grep -q 'stopped by a signal.*preempted is requeued by the scheduler' low.log
need grep -q 'restart 1' low.log

# The disk of one node is full in the middle of a run; there is room again for the next.
full=$(sbatch --parsable -w n2 -o full.log --wrap "
    mount -t tmpfs -o size=256k none full || exit 77
    (until [ \"\$(wc -l < full/y.csv)\" -gt 5 ]; do sleep 0.1; done; cat /dev/zero > full/ballast) 2> /dev/null &
    $GPUEXP y.yaml -o full/y.csv > told 2>&1; echo exit \$?
    cp full/y.csv then.csv; rm full/ballast
    $GPUEXP y.yaml -o full/y.csv; cp full/y.csv full.csv")

# The limit is reached while the compiler works: nothing was measured, so it is not requeued, and nobody is left behind.
touch slow
limit=$(plan=z job limit '' -w n1 --time=10)
need slurm_until 30 test -s compiling
need slurm_end "$limit"
need slurm_wait "$full"
need grep -qx 'exit 3' full.log
need grep -q 'No space left on device' told
need grep -q 'make room' told
need told then.csv told
whole full

# Two copies of one job on two nodes, whose clocks are 90 s apart and whose flock does nothing. The second waits; then
# the first falls silent, is taken over, wakes up, and writes nothing more.
shim=$BUILD/tests/libhost.so
declare -A first second
for how in free none; do
    first[$how]=$(job $how "env LD_PRELOAD=$shim HOST_FLOCK=$how HOST_SKEW=45" -w n1)
    slurm_until 30 rows $how.csv 3 || { squeue; cat $how.log; need false; }
    second[$how]=$(job $how "env LD_PRELOAD=$shim HOST_FLOCK=$how HOST_SKEW=-45" -w n2 -o $how.2.log)
    need slurm_until 30 grep -qs "waiting for $how.csv: process .* on n1" $how.2.log
    need scancel -b -s STOP "${first[$how]}"
    touch -d '61 seconds ago' $how.csv.lock
    need slurm_until 30 grep -q 'on n1.*taken over' $how.2.log
    need scancel -b -s CONT "${first[$how]}"
done
need slurm_wait "${first[@]}" "${second[@]}"
whole free none
for how in free none; do
    need grep -q "$how.csv.lock was taken over by process .* on n2" $how.log
    need told $how.csv $how.log
done

# By now the compiler's time is over too: SIGKILL did not have to come.
need slurm_wait "$limit"
grep -q 'leaves no room for a single point: not requeued' limit.log || { cat limit.log; need false; }
need [ "$(wc -l < limit.csv)" = 1 ]
need [ -z "$(pgrep -f 'sleep 300.25')" ]
rm slow
limit=$(plan=z job limit '' -w n1)
need slurm_wait "$limit"
need diff z.csv limit.csv
