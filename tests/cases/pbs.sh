# PBS Pro as the scheduler, by a stand-in of its commands that refuses what they would: shards merge into the report of
# one run, a task whose time is over goes on in a job of its own, nodes are tested one by one.
# SPDX-License-Identifier: MIT
mkdir bin home
for name in qsub qstat qselect pbsnodes qmgr run; do ln -s "$TOP/tests/pbs/commands" bin/$name; done
programs='bash env seq cat sed sort uniq cut tr date find wc grep mkdir rm cp mv dirname basename id touch diff sleep'
for name in $programs clang; do # and no other scheduler
    [ ! -x "$(command -v $name)" ] || ln -s "$(command -v $name)" bin/
done
export PBS_TEST=$PWD/pbs HOME=$PWD/home
mkdir pbs
cat > x.yaml << 'END'
experiment: x
kernel: stride
with: {device: sim, n: 1Ki}
sweep: {stride: [1, 2, 4, 8, 16, 32]}
END
need gpuexp x.yaml -q -o one.csv
PATH=$PWD/bin
t gpuexp submit x.yaml --shards 3 --dry-run --partition gpu -- -A us -P "a project" | sed "s| /.*/gpuexp| GPUEXP|g"
need gpuexp submit x.yaml --shards 1 --dry-run > out
need grep -qx '#   qsub reports/x.pbs' out
t gpuexp submit x.yaml --shards 101 --dry-run # the server takes 100
gpuexp submit x.yaml --shards 3 --partition nowhere > out 2>&1
need [ $? = 3 ]
need grep -q '^gpuexp: qsub: qsub: Unknown queue nowhere' out
t gpuexp submit x.yaml --shards 3
t gpuexp status x.yaml
need run
t cat pbs/ended
need diff one.csv reports/x.csv
need grep -q '^pbs 1\[2\].srv' reports/x.2.log
need grep -q '^6 of 6 points from 3 shards: 6 ok' reports/x.merge.log

# Its time is over after a point: it is sent again, with the merge behind it.
rm -r reports pbs/*
cat > y.yaml << END
experiment: y
kernel: vecadd
with: {device: "script:$PWD/gpu", timeout: 10s}
sweep: {n: {from: 1, to: 6, step: 1}}
measure: {min_samples: 6, max_samples: 6, contexts: 1, max_time: 9s}
END
printf 'name A sleeping GPU\ntime 100\nrestores 0.05\n' > gpu
need gpuexp submit y.yaml --shards 2 -- -l walltime=0:05:00 > out
echo "$PWD/reports/y.1-of-2.csv" > pbs/limit
need run
t cat pbs/ended
need [ "$(cut -d, -f1,2 reports/y.csv | tr '\n' ' ')" = 'experiment,point y,1 y,2 y,3 y,4 y,5 y,6 ' ]
need [ "$(cat reports/y.?.log | grep -c '^[1-3]/[1-3]  n=')" = 6 ]
need grep -q '^job 1\[1\].srv is requeued and goes on where it stopped, with [12] points left$' reports/y.1.log
# A script of the user's own must say its shard, and cannot be sent again.
PBS_JOBID=7.srv PBS_ARRAY_INDEX=1 t gpuexp x.yaml
PBS_JOBID=7.srv PBS_ARRAY_INDEX=1 need gpuexp x.yaml -q --shard 1/2

# Health: a job a node, the whole node, and one that judges them.
cat > pbs/nodes << 'END'
n1
     Mom = n1.example
     state = free
     resources_available.gpu_model = h200
     resources_available.host = n1
     resources_available.ngpus = 8

n2
     Mom = n2.example
     state = offline
     resources_available.gpu_model = h200
     resources_available.host = n2

n3
     Mom = n3.example
     state = job-exclusive
     resources_available.gpu_model = h100
     resources_available.host = n3
     queue = gpu

END
printf 'name ACME X9\n' > gpu
rm -r reports pbs/jobs pbs/ended
on() {
    gpuexp submit health --nodes "$@" --dry-run 2>&1 | sed -n 's/^# task [0-9]*: //p; s/^gpuexp: //p' | tr '\n' ' '
}
for nodes in h200 h100 all 2 3 n3 n1,n3 n1,n9 free nothing; do echo "$nodes: $(on $nodes)"; done
echo "all of a queue: $(on all --partition other)"
t gpuexp submit health --nodes all -d script:gpu
for job in pbs/jobs/1 pbs/jobs/2; do t sort $job/-l; done
need run
need grep -qx 'n3: not tested' reports/health.log # it ran here, on a machine of another name
printf 'tells ecc_uncorrected 3\n' >> gpu
gpuexp health -d script:gpu --drain -q > out
need [ "$(wc -l < pbs/managed)" = 1 ]
