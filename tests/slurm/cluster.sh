# A real SLURM on this one machine, for a case to source: two nodes n1 and n2 (or as many as $slurm_nodes says) with
# four fake GPUs each, on loopback, in a folder of its own. Nothing outside that folder is written and no port is fixed.
#   slurm_need       ends the case where there is no SLURM (runner/setup.sh --with-slurm installs it)
#   slurm_up         starts munged, slurmctld and both nodes, waits until they are idle, sees to their end
#   slurm_apart      before slurm_up: each node is a machine of its own, as the kernel names it
#   slurm_crash n2   the node, its slurmd, its jobs: dead at once, and nobody tells the controller
#   slurm_wait ID..  until the jobs are over      slurm_until SECONDS COMMAND...  until it succeeds
#   slurm_end ID     the job reaches its limit two seconds from now
# SPDX-License-Identifier: MIT
PATH=$PATH:/usr/sbin:/sbin
: "${slurm_nodes:=2}"

slurm_need() {
    local tool
    for tool in slurmctld slurmd sbatch munged; do command -v $tool > /dev/null || lacks SLURM; done
    # A node is a PID namespace: one KILL ends all that runs on it, as when a machine loses power.
    unshare --pid --fork --mount-proc --uts --kill-child true 2> /dev/null ||
        skip "no namespaces for virtual nodes: the SLURM cases did not run"
}

slurm_until() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || { echo "not within the time: $*" >&2; return 1; }
        sleep 0.1
    done
}

# It has its own session and none of the test's descriptors, so that a test that dies leaves nothing behind.
slurm_start() { # NAME COMMAND...
    local name=$1
    shift
    setsid "$@" < /dev/null > "$SLURM_DIR/$name.log" 2>&1 &
    echo $! > "$SLURM_DIR/$name.pid"
    disown
}

slurm_kill() { # SIGNAL NAME...
    local signal=$1 name
    shift
    for name; do
        [ ! -e "$SLURM_DIR/$name.pid" ] || kill -"$signal" "$(cat "$SLURM_DIR/$name.pid")" 2> /dev/null || true
    done
}

slurm_apart() { slurm_is_apart=yes; }

slurm_node() {
    mkdir -p "$SLURM_DIR/spool/$1"
    [ -z "${slurm_is_apart:-}" ] || echo "00000000-0000-0000-0000-0000000000${1#n}0" > "$SLURM_DIR/$1.boot"
    slurm_start "$1" unshare --pid --fork --kill-child --mount-proc --uts bash -c \
        'hostname "$0"; [ ! -e "$1" ] || mount --bind "$1" /proc/sys/kernel/random/boot_id; slurmd -D -N "$0" & wait' \
        "$1" "$SLURM_DIR/$1.boot"
}

slurm_crash() {
    slurm_kill KILL "$1"
    rm -f "$SLURM_DIR/$1.pid"
}

slurm_down() {
    [ -n "${SLURM_DIR:-}" ] || return 0
    slurm_kill KILL $(seq -f n%.0f "$slurm_nodes") slurmctld munged
    sleep 0.2
    rm -rf "$SLURM_DIR"
}

slurm_idle() { [ "$(sinfo -h -o '%T %D' 2> /dev/null)" = "idle $slurm_nodes" ]; }

slurm_up() {
    local v port host i
    for v in ${!SLURM@} ${!SBATCH_@}; do unset "$v"; done # the tests themselves may run inside a job
    SLURM_DIR=$(mktemp -d /tmp/gpuexp-slurm.XXXXXX)
    trap slurm_down EXIT
    host=$(hostname -s) port=$((20000 + RANDOM % 10000))
    mkdir -p "$SLURM_DIR"/state "$SLURM_DIR"/dev
    for i in 0 1 2 3; do ln -s /dev/null "$SLURM_DIR/dev/gpu$i"; done # slurmd wants device files
    echo "AutoDetect=off
NodeName=n[1-$slurm_nodes] Name=gpu File=$SLURM_DIR/dev/gpu[0-3]" > "$SLURM_DIR/gres.conf"
    : > "$SLURM_DIR/plugstack.conf"
    cat > "$SLURM_DIR/slurm.conf" << END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
# The expiry is also how long a requeued job waits; 5 s is the least allowed.
AuthInfo=socket=$SLURM_DIR/munge.sock,cred_expire=5
StateSaveLocation=$SLURM_DIR/state
SlurmdSpoolDir=$SLURM_DIR/spool/%n
SlurmctldPidFile=$SLURM_DIR/slurmctld.own
SlurmdPidFile=$SLURM_DIR/slurmd.%n.own
PlugStackConfig=$SLURM_DIR/plugstack.conf
MailProg=/bin/true
MpiDefault=none
SwitchType=switch/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
PropagateResourceLimits=NONE
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1,sched_min_interval=0
ReturnToService=2
MessageTimeout=10
KillWait=30
MinJobAge=3600
MaxArraySize=10001
MaxJobCount=20000
GresTypes=gpu
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=60 State=UP PriorityTier=1
PartitionName=urgent Nodes=ALL MaxTime=INFINITE DefaultTime=60 State=UP PriorityTier=2
END
    for ((i = 1; i <= slurm_nodes; i++)); do
        echo "NodeName=n$i NodeHostName=$host Port=$((port + i))"
    done | sed 's/$/ NodeAddr=127.0.0.1 CPUs=8 RealMemory=100000 Gres=gpu:4/' >> "$SLURM_DIR/slurm.conf"
    # slurmctld looks at time limits every 30 s, which no option changes: told that 1 s is 30, it looks every second.
    echo '#include <time.h>
double difftime(time_t a, time_t b) { return a - b >= 1 && a - b < 30 ? 30 : (double)(a - b); }' > "$SLURM_DIR/tick.c"
    cc -shared -fPIC -fno-builtin -o "$SLURM_DIR/tick.so" "$SLURM_DIR/tick.c"
    export SLURM_CONF=$SLURM_DIR/slurm.conf
    head -c 128 /dev/urandom > "$SLURM_DIR/munge.key"
    chmod 600 "$SLURM_DIR/munge.key"
    slurm_start munged munged --foreground --force --key-file="$SLURM_DIR/munge.key" --socket="$SLURM_DIR/munge.sock" \
        --pid-file="$SLURM_DIR/munged.own" --seed-file="$SLURM_DIR/munged.seed" --log-file="$SLURM_DIR/munged.out"
    need slurm_until 10 munge -S "$SLURM_DIR/munge.sock" -n > /dev/null 2>&1
    slurm_start slurmctld env LD_PRELOAD="$SLURM_DIR/tick.so" slurmctld -D
    need slurm_until 10 bash -c ": > /dev/tcp/127.0.0.1/$port" 2> /dev/null
    for ((i = 1; i <= slurm_nodes; i++)); do slurm_node "n$i"; done
    slurm_until $((30 + slurm_nodes)) slurm_idle ||
        { tail -n 5 "$SLURM_DIR"/*.log; skip "SLURM does not come up on this machine"; }
}

slurm_over() { [ -z "$(squeue -h -j "$1" -o %i 2> /dev/null)" ]; }
slurm_wait() {
    local id
    for id; do slurm_until 300 slurm_over "$id" || { squeue; return 1; }; done
}
# SLURM refuses an end that is past by the time it reads it: two seconds from now is not, on a busy machine too.
slurm_end() { slurm_until 30 scontrol update JobId="$1" EndTime=now+2; }
slurm_state() { squeue -h -t all -j "$1" -o %T; }
