# What submit would do, and how far a report and its shards are, without any SLURM.
# SPDX-License-Identifier: MIT
mkdir none # whatever schedulers are here: one that does not answer
for name in sbatch scontrol squeue sinfo; do printf '#!/bin/sh\nexit 1\n' > none/$name && chmod +x none/$name; done
PATH=$PWD/none:$PATH
cat > x.yaml << 'END'
experiment: x
kernel: stride
with: {device: sim}
sweep: {n: [64Ki, 128Ki], stride: [1, 2, 4]}
END
t gpuexp submit x.yaml --shards 4 --dry-run -s 'n=[64Ki, 128Ki]' --partition gpu -- --account=us -q low --time=30 |
    sed "s| /.*/gpuexp| GPUEXP|g"
need [ ! -e reports ]
t gpuexp submit x.yaml
t gpuexp submit health --dry-run # each of its nodes gets a task: shards are no help
t gpuexp submit health --nodes n1 --shards 8
# Scripts are looked at without a scheduler, where nodes are named.
t gpuexp submit health --nodes 'n1,n[08-10,12],m[1-2]x[1-2]' --dry-run | sed "s|[^ ]*/gpuexp|GPUEXP|g"
t gpuexp submit health --nodes all --dry-run
t gpuexp submit health --nodes n1
need gpuexp submit x.yaml --shards 9 --dry-run > out
need grep -q '^# 3 of 9 tasks have no point' out
# A task asks for a GPU where its device is one, or may be one.
for device in cuda:0 cuda:all auto; do
    gpuexp submit x.yaml --shards 2 --dry-run -d $device > out
    need grep -q '^#SBATCH --gres=gpu:1$' out
    need grep -q -- "-s device=$device --seed" out
done
# Where nothing says what measures it is a GPU: a node without a driver must not count on the simulator.
need gpuexp submit "$TOP/experiments/stride.yaml" --shards 2 --dry-run > out
need grep -q -- '/stride.yaml -d cuda:0 --seed 0 --shard "$SLURM_ARRAY_TASK_ID/2"' out
need gpuexp submit x.yaml --shards 2 --dry-run > out
need [ "$(grep -c -- '-d cuda' out)" = 0 ]
# One task measures all: there is nothing to merge.
t gpuexp submit x.yaml --shards 1 --dry-run -- --comment="it's a b" | sed "s| /.*/gpuexp| GPUEXP|g"
t gpuexp submit x.yaml --shards 2 --dry-run -- $'--comment=a\nb'
# Right behind a submission: what the queue says, by commands that are made up here.
mkdir bin
cat > bin/sbatch << 'END'
#!/bin/bash
echo "sbatch $*" >> asked
[ -e "${!#}" ] && echo $((40 + $(wc -l < asked)))
END
cat > bin/squeue << 'END'
#!/bin/bash
echo "squeue $*" >> asked
cat waiting
END
cat > bin/scontrol << 'END'
#!/bin/bash
[ "$*" = "show config" ] && printf 'Configuration data\nMaxArraySize            = 1001\nMaxJobCount = 10000\n'
END
chmod +x bin/*
PATH=$PWD/bin:$PATH t gpuexp submit x.yaml --shards 1001 --dry-run
PATH=$PWD/bin:$PATH gpuexp submit x.yaml --shards 1000 --dry-run > out
need grep -qx '#SBATCH --array=1-1000' out
PATH=$PWD/bin:$PATH t gpuexp submit x.yaml --shards 4 -- -A us
cat asked
printf '%s\n' "$PWD/reports/x.sbatch" /elsewhere/reports/x.sbatch "$PWD/reports/x.sbatch" > waiting
PATH=$PWD/bin:$PATH t gpuexp status x.yaml
PATH=$PWD/bin:$PATH t gpuexp status reports/x.csv --format json
: > waiting
PATH=$PWD/bin:$PATH t gpuexp status x.yaml
PATH=/nowhere t "$GPUEXP" status x.yaml | sed "s|/[^ ]*/gpuexp|gpuexp|"
rm -r reports
PATH=/nowhere t gpuexp submit x.yaml --shards 2
rm -r reports
t gpuexp status x.yaml
for i in 1 2; do need gpuexp x.yaml -q --shard $i/3; done
t gpuexp status x.yaml
t gpuexp status x.yaml --format openmetrics
t gpuexp status x.yaml --format html
need grep -q '<p class="question">4 of 6 points' reports/x.status.html
need [ "$(grep -c '<title>reports/x.[12]-of-3.csv: 2 of 2; complete</title></rect>' reports/x.status.html)" = 2 ]
need [ -z "$(grep refresh reports/x.status.html)" ]
# The page is written again until all is there.
gpuexp status x.yaml --format html --every 1 -q -o p.html &
until grep -qs 'http-equiv="refresh" content="1"' p.html; do sleep 0.05; done
need gpuexp x.yaml -q --shard 3/3
need wait $!
need grep -q '<p class="question">6 of 6 points' p.html
need [ "$(grep -o 'fill="var(--ok)"' p.html | wc -l)" -gt 3 ]
need [ "$(grep -o 'fill="var(--warn)"' p.html | wc -l)" = 0 ]
need grep -q 'fill="var(--warn)"' reports/x.status.html
t gpuexp status x.yaml --every 1
t gpuexp status reports/x.csv
need gpuexp merge reports/x.csv -q
t gpuexp status x.yaml
# What is measured and not merged yet; points that one shard has not begun, at the speed of the others.
mkdir part && cp reports/x.1-of-3.* reports/x.2-of-3.* part && cd part
gpuexp merge x.csv -q 2> ../out
cp ../reports/x.3-of-3.* .
t gpuexp status x.csv
sed -i 2,3d x.3-of-3.csv && sed -i '/seconds_a_point/d; /^    kept/d' x.3-of-3.run.yaml
gpuexp status x.csv > ../out
need [ $? = 75 ]
need grep -q '^x.csv: 4 of 6 points, 2 left, about .*; merged in part$' ../out
cd ..
# Rows of other options are told before a merge refuses them.
t gpuexp status x.yaml -s n=1Ki
need gpuexp x.yaml -q --shard 1/2 -s n=1Ki
t gpuexp status x.yaml
t gpuexp merge reports/x.csv
rm reports/x.1-of-2.*
# The time of an earlier run is the better estimate.
need gpuexp submit x.yaml --shards 3 --dry-run > out
need grep -q 'by an earlier run' out
# The points are those that a script makes; a script that fails is not submitted.
sed 's|^sweep.*|with: {stride: 1, n: 64Ki, device: sim}\nscript: ./s.lua|; /^with: {device/d' x.yaml > s.yaml
echo "return {points = function() return {{stride = 1}, {stride = 2}, {stride = 3}} end, refine = function() end}" \
    > s.lua
need gpuexp submit s.yaml --shards 2 --dry-run > out
need grep -q '^# 3 points in 2 shards, at most 2 a task' out
need grep -q '^# A shard refines nothing' out
echo "return {points = function() return nothing end}" > s.lua
gpuexp submit s.yaml --shards 2 --dry-run > out 2>&1
need [ $? = 2 ]
need grep -q 'points: `nothing` is not defined' out
# Health is looked at on each node by a task of its own, and judged when all have ended. Commands that are made up here
# refuse what SLURM would.
cat > bin/sinfo << 'END'
#!/bin/bash
[ "$*" = "-h -N -o %N %T %f" ] || [ "$*" = "-h -N -o %N %T %f -p gpu" ] || { echo "sinfo: what is $*" >&2; exit 1; }
printf '%s\n' 'n1 idle h200,ib' 'n1 idle h200,ib' 'n2 mixed h200' 'n3 drained* h200' 'n4 allocated h100' \
    'n10 idle (null)'
END
cat > bin/scontrol << 'END'
#!/bin/bash
echo "scontrol $*" >> asked
case $* in
"show hostnames n[1-2],n4") printf '%s\n' n1 n2 n4 ;;
"show hostnames n"*) echo "$3" ;;
"update JobId="[0-9]*_[0-9]*" ReqNodeList=n"[0-9]* | "release "[0-9]*) ;;
"update NodeName=n"*" State=DRAIN Reason=gpuexp: "*) [ ${#4} -le 67 ] ;;
*) echo "scontrol: what is $*" >&2 && exit 1 ;;
esac
END
chmod +x bin/*
old=$PATH
PATH=$PWD/bin:$PATH
rm -rf reports asked
t gpuexp submit health --nodes all --dry-run --partition gpu -- --gpus-per-node=8 | sed "s|/[^ ]*/gpuexp|GPUEXP|g"
on() {
    gpuexp submit health --nodes "$1" --dry-run 2>&1 | sed -n 's/^# task [0-9]*: //p; s/^gpuexp: //p' | tr '\n' ' '
}
for nodes in 'n[1-2],n4' n10 h200 h100 ib idle mixed 2 5 n5 nowhere n1; do
    echo "$nodes: $(on "$nodes")"
done
t gpuexp submit health --nodes 2 -- -A us
cat asked
mkdir -p reports
printf 'experiment: "health"\nruns:\n  - started: "x"\n    end: "complete"\n' > reports/health.n1.0.run.yaml
printf 'experiment: "health"\nruns:\n  - started: "x"\n    end: "running"\n' > reports/health.n2.0.run.yaml # it died
t gpuexp submit health --nodes h200
rm -rf reports asked
PATH=$old
t gpuexp submit x.yaml --nodes 4 --dry-run
# Tasks of a job that get two models of GPU: the second says so before it measures. The first shard is the measure.
printf 'name ACME X9\ntime 50\n' > x9
printf 'name ACME X8\ntime 60\n' > x8
sed 's/^with.*/with: {n: 1Ki}/; s/n: .64Ki, 128Ki., //' x.yaml > m.yaml
sed -i 's/^experiment: x/experiment: m/' m.yaml
task() { SLURM_JOB_ID=$1 "$GPUEXP" m.yaml -q --shard "$1/3" -d "script:$2"; }
printf 'name ACME X9\nhang verify 1\n' > hangs
SLURM_JOB_ID=2 "$GPUEXP" m.yaml -q --shard 2/3 -d script:hangs > said 2>&1 & # it has begun, without a row yet
disown
until [ -s reports/m.2-of-3.run.yaml ]; do sleep 0.05; done
t task 1 x8
kill -9 $!
while kill -0 $! 2> said; do sleep 0.05; done
t task 2 x8 # that one died before its first row: whatever comes next goes on
t task 3 x9 # and is the measure
rm reports/m.*
need task 2 x9
t task 3 x8
need [ ! -e reports/m.1-of-3.csv ] && [ ! -e reports/m.3-of-3.run.yaml ]
need task 1 x9
need task 3 x9
need gpuexp merge reports/m.csv -q
# How long a plan takes, an earlier run on the same device knows, as `submit` does.
printf 'name a\ntime 50\n' > device
printf 'experiment: paced\nkernel: vecadd\nwith: {n: 4Ki, device: "script:device"}\n' > paced.yaml
t eval 'gpuexp plan paced.yaml | tail -n 1'
need gpuexp paced.yaml -q -s check=none
sed -i 's/seconds_a_point: .*/seconds_a_point: 0.25/' reports/paced.run.yaml
t eval 'gpuexp plan paced.yaml -s "block=[64, 128]" | tail -n 1'
sed -i 's/name a/name b/' device
t eval 'gpuexp plan paced.yaml | tail -n 1'
