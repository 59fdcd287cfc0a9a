#!/bin/bash
# A night of a cluster in minutes: bash night.sh build/tests/gpuexp OUT [TASKS [NODES [POINTS [REST]]]]. A real
# slurmctld with 64 nodes on this machine, a job array of 2,000 tasks on the device for tests, which sleeps as a GPU
# would work. While it runs, a third of the tasks is ended at random: put back by `scontrol requeue`, preempted,
# killed and put back, or with its node. Then the merged report must hold each point once, with the row that its task
# told of; and all took hardly longer than the points themselves need on so many nodes. Needs root (namespaces) and
# SLURM; OUT gets the logs.
# SPDX-License-Identifier: MIT
set -u
GPUEXP=$(realpath "$1") out=$(realpath -m "$2") tasks=${3:-2000} slurm_nodes=${4:-64} points=${5:-6} rest=${6:-0.6}
TOP=$(realpath "$(dirname "$0")/../..")
need() { "$@" || { echo "night.sh:${BASH_LINENO[0]}: does not hold: $*" >&2; exit 1; }; }
skip() { echo "skipped: $*" >&2; exit 77; }
lacks() { skip "$1 is missing"; }
. "$TOP/tests/slurm/cluster.sh"
slurm_need
mkdir -p "$out"
cd "$out" || exit 3
rm -rf reports ended.* alone.*

printf 'name A sleeping GPU\ntime 100\nrestores %s\n' "$rest" > gpu
cat > night.yaml << END
experiment: night
kernel: vecadd
with: {device: "script:$out/gpu", timeout: 60s}
sweep: {n: {from: 1, to: $((tasks * points)), step: 1}}
measure: {min_samples: 6, max_samples: 6, contexts: 1, max_time: 30s}
END
# What a task's share takes where nothing disturbs it.
need "$GPUEXP" night.yaml -q --shard "1/$tasks" -o alone.csv
share=$(sed -n 's/^    seconds: "*\([0-9.]*\)"*$/\1/p' alone.*.run.yaml)
slurm_up
echo "$slurm_nodes nodes are up; a task's share takes $share s"

# A running task that was not ended yet: its id and node.
: > ended.all
draw() {
    squeue -h -r -t R -p test -n night -o '%i %N' | grep -vwF -f ended.all | shuf -n 1
}
# How it is ended. What a signal killed does not come back by itself: an operator puts it back.
by_requeue() { scontrol requeue "$1"; }
by_preemption() { sbatch --parsable -p urgent -w "$2" --exclusive -o /dev/null --wrap true; }
by_kill() {
    scancel -f -s KILL "$1"
    slurm_until 20 bash -c "! squeue -h -t R -j $1 -o %i 2> /dev/null | grep -q ." && scontrol requeue "$1"
}
by_node() {
    slurm_crash "$2"
    scontrol update NodeName="$2" State=DOWN Reason=crashed
    sleep 1
    slurm_node "$2"
}
hurt() { # spread over the time that all take, with some left: each of these takes time too
    local most=$((tasks / 3)) n=0 pause id node how
    pause=$(echo "$tasks $share $slurm_nodes $most" | awk '{ printf "%.2f", 0.6 * $1 * $2 / $3 / $4 }')
    while [ $n -lt $most ] && sleep "$pause"; do
        read -r id node <<< "$(draw)"
        [ -n "${node:-}" ] || continue
        how=$(shuf -n 1 -e by_requeue by_preemption by_kill by_node)
        echo "$id" >> ended.all
        echo "$id" >> "ended.$how"
        $how "$id" "$node" >> ended.log 2>&1 &
        n=$((n + 1))
    done
}

begun=$(date +%s.%N)
need "$GPUEXP" submit night.yaml --shards "$tasks" -- --mem=100M --time=60 --gres=gpu:4 > submitted
cat submitted
array=$(sed -n 's/^job \([0-9]*\): '"$tasks"' tasks.*/\1/p' submitted)
merge=$(sed -n 's/^job \([0-9]*\): merges.*/\1/p' submitted)
hurt &
hurting=$!
while ! slurm_over "$merge"; do sleep 1; done
took=$(echo "$begun $(date +%s.%N)" | awk '{ print $2 - $1 }')
kill $hurting 2> /dev/null
for how in requeue preemption kill node; do
    echo "ended by $how: $(cat ended.by_$how 2> /dev/null | wc -l)"
done
echo "tasks that were begun again: $(grep -l 'restart [0-9]' reports/night.*.log | wc -l)"

# Each point once, all of them well; each row that a log told of is there; what was told was never measured again.
"$GPUEXP" status night.yaml | tail -n 1
rows=$(tail -n +2 reports/night.csv | wc -l)
once=$(tail -n +2 reports/night.csv | cut -d, -f3 | sort -u | wc -l)
well=$(tail -n +2 reports/night.csv | grep -c ',ok,')
cat reports/night.*.log | sed -n 's|^ *[0-9]*/[0-9]*  n=\([0-9]*\): .*|\1|p' | sort > told
echo "$rows rows, $once of them different, $well ok; $(wc -l < told) told, $(uniq -d told | wc -l) of them twice"
ideal=$(echo "$tasks $share $slurm_nodes" | awk '{ printf "%.0f", $1 * $2 / $3 }')
ratio=$(echo "$took $ideal" | awk '{ printf "%.3f", $1 / $2 }')
echo "from submission to merged report: $took s, $ratio of the ideal, which is $ideal s"
need [ "$rows $once $well" = "$((tasks * points)) $((tasks * points)) $((tasks * points))" ]
need [ -z "$(uniq -d told)" ]
