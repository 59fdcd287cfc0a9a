# On a real SLURM: submitted shards merge into the report of one run; a job that is killed by its time limit, cancelled,
# requeued, or whose node dies ends with every row once; two copies of one shard never both write; every task has its
# own GPU.
# full: waits for SLURM, most of the time
# SPDX-License-Identifier: MIT
. "$TOP/tests/slurm/cluster.sh"
slurm_need
slurm_up

cat > x.yaml << 'END'
kernel: stride
with: {device: sim}
sweep: {n: [1Mi, 1280Ki, 1536Ki, 1792Ki], stride: {from: 1, to: 20, step: 1}}
expect:
  - that: ld_requests == n / 32
END
need gpuexp x.yaml -q -o one.csv

rows() { [ "$(wc -l 2> /dev/null < "$1" || echo 0)" -gt "$2" ]; }
job() { # NAME [sbatch options]: one that measures the whole plan into NAME.csv
    local name=$1
    shift
    sbatch --parsable --requeue --open-mode=append -o "$name.log" -J "$name" "$@" \
        --wrap "exec $GPUEXP x.yaml -o $name.csv --shard 1/1 --requeue"
}

# A dry run submits nothing; the messages of sbatch are passed on.
need gpuexp submit x.yaml --shards 8 --dry-run > dry
need grep -q '^#SBATCH --array=1-8$' dry
need [ ! -e reports ]
gpuexp submit x.yaml --shards 8 --partition nowhere > out 2>&1
need [ $? = 3 ]
need grep -qi 'sbatch: error:.*partition' out

need gpuexp submit x.yaml --shards 8 -- --cpus-per-task=2 > submitted
array=$(sed -n 's/^job \([0-9]*\): 8 tasks.*/\1/p' submitted)
merge=$(sed -n 's/^job \([0-9]*\): merges.*/\1/p' submitted)
need [ -n "$array" ]
need [ -n "$merge" ]
need slurm_until 30 rows reports/x.3-of-8.csv 1
# its time is nearly over: it goes back into the queue, and the merge waits for it
scancel -b -s USR1 "${array}_3" 2> /dev/null || true
slurm_wait "$array"
need slurm_wait "$merge"
# The rows are those of one process; behind them stands the host, since there were two.
need diff <(sed 's/,[^,]*$//' one.csv) <(sed 's/,[^,]*,[^,]*$//' reports/x.csv)
need [ "$(sed -n '2,$s/.*,\([^,]*\),[^,]*$/\1/p' reports/x.csv | sort -u | tr '\n' ' ')" = 'n1 n2 ' ]
need [ "$(cat reports/x.?-of-8.run.yaml | sed -n 's/^    host: //p' | sort -u | wc -l)" = 2 ] # both nodes took part
need gpuexp status x.yaml > out

# Health is looked at on each node, in a task that is bound to it: a node that is busy is waited for alone, and one that
# takes no jobs is not tested. (The GPUs here are no GPUs; a text says what they do.)
echo 'name ACME X9' > gpu
scontrol update NodeName=n2 State=DRAIN Reason=hand
need gpuexp submit health --nodes all -d script:gpu -- --gres=gpu:4 > submitted
need grep -qx 'n2: drained; it is not tested' submitted
judge=$(sed -n 's/^job \([0-9]*\): judges.*/\1/p' submitted)
need slurm_wait "$judge"
need grep -qx 'n2: not tested' reports/health.log
need grep -qx '1 GPU: 1 well, 0 not; 1 node not tested' reports/health.log
need grep -q '^# EOF$' reports/health.prom
scontrol update NodeName=n2 State=RESUME
need slurm_until 30 slurm_idle
busy=$(sbatch --parsable -w n2 --exclusive --wrap 'sleep 3')
need gpuexp submit health --nodes 'n[1-2]' -d script:gpu -- --gres=gpu:4 > submitted # those without a report alone
need grep -q '^1 node has a report already' submitted
need grep -q 'health on 1 node, one task each' submitted
judge=$(sed -n 's/^job \([0-9]*\): judges.*/\1/p' submitted)
need slurm_wait "$busy" "$judge"
need [ "$(tail -n 1 reports/health.log)" = '2 GPUs: 2 well, 0 not' ]
need [ "$(ls reports/health.n?.*.run.yaml | wc -l)" = 2 ]
gpuexp submit health --nodes n7 > out 2>&1
need [ $? = 2 ]
need grep -q "no node is called .n7." out
printf 'name ACME X9\ntells ecc_uncorrected 3\n' > gpu
need gpuexp submit health --nodes n1 --fresh -d script:gpu -- --gres=gpu:4 > submitted
judge=$(sed -n 's/^job \([0-9]*\): judges.*/\1/p' submitted)
need slurm_wait "$judge"
gpuexp health --nodes n1,n2 --drain reports/health.n?.*.csv -q > out
need [ $? = 1 ]
need [ "$(sinfo -h -p test -n n1 -o %T)" = drained ]
need [ "$(sinfo -h -p test -n n2 -o %T)" = idle ]
scontrol update NodeName=n1 State=RESUME
need slurm_until 30 slurm_idle

# Every end of a job, side by side. Each is stopped in the middle of its plan, so that none is over before its end
# comes. The limit comes as a surprise: the job has asked and was told ten minutes; then the limit is moved to now.
limit=$(job limit --time=10)
cancelled=$(job cancelled)
requeued=$(job requeued)
warned=$(job warned)
node=$(job node -w n2)
copy=$(job copy -w n1)
for name in limit cancelled requeued warned node copy; do
    need slurm_until 30 rows $name.csv 3
    scancel -b -s STOP "${!name}"
done
other=$(job copy -w n2) # the same shard again, as after a split brain
need slurm_until 30 grep -q 'waiting for copy.csv' copy.log
need slurm_end "$limit"
scancel "$cancelled"
scontrol requeue "$requeued"
scancel -b -s USR1 "$warned"
scancel -b -s CONT "$warned"
scancel -b -s CONT "$copy"
slurm_crash n2
scontrol update NodeName=n2 State=DOWN Reason=crashed
slurm_until 30 slurm_over "$cancelled"
gpuexp status cancelled.csv > out
need [ $? = 75 ]
again=$(job cancelled -w n1)
slurm_node n2
need slurm_wait "$limit" "$again" "$requeued" "$warned" "$node" "$copy" "$other"
for name in limit cancelled requeued warned node copy; do
    diff one.csv $name.csv > difference || { head -n 5 difference; cat $name.log; need false; }
done
need grep -q 'requeued and goes on' limit.log
for name in limit requeued warned node; do need grep -q 'restart 1' $name.log; done
need grep -q 'taken over' node.log
need [ "$(grep -c '^  - started' copy.run.yaml)" = 2 ]

# Four ranks of an srun: each its shard, each its GPU, bound by SLURM or not.
need slurm_until 30 slurm_idle
for bind in --gpus-per-task=1 --gpus-per-node=4; do
    rm -rf reports
    need srun --input=none -w n1 -n 4 $bind "$GPUEXP" x.yaml > out 2>&1
    need gpuexp merge reports/x.csv > out
    need diff one.csv reports/x.csv
    sed -n 's/^    job: .*, \(gpus .*\), shard.*/\1/p' reports/x.?-of-4.run.yaml | sort > gpus
    need [ "$(sort -u gpus | wc -l)" = 4 ]
done
need grep -q 'gpus 0,1,2,3, of them cuda:3' gpus
