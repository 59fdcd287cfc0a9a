# Runs that are killed at random moments, again and again: the runner, its worker, what the worker started or the
# whole group, with SIGKILL, SIGTERM, SIGINT or SIGHUP. Each is started again until it is through. No row that was
# told of is lost, the status is one that the README gives, and the finished report is that of a run which nobody
# disturbed, to the byte, keys included. GPUEXP_KILLS=1000 for more of them, GPUEXP_SEED=2 for others.
# slow: some two hundred kills
# timeout: 3600
# SPDX-License-Identifier: MIT
. "$TOP/tests/fault/fault.sh"
kills=${GPUEXP_KILLS:-200} RANDOM=${GPUEXP_SEED:-7}
fault_begin
points='sweep: {n: {from: 64, to: 2560, step: 64}, shared: [0, 16]}'
printf 'experiment: fake\nkernel: vecadd\nwith: {block: 64, device: "script:%s/gpu"}\n%s\nmeasure: {max_samples: 40, contexts: 1}\n' "$PWD" "$points" > fake.yaml
printf 'experiment: real\nkernel: vecadd\nwith: {block: 64, device: sim}\n%s\nexpect: [{that: ld_requests > 0}]\n' "$points" > real.yaml
printf 'experiment: shard\nkernel: vecadd\nwith: {block: 64, device: "script:%s/gpu"}\n%s\nmeasure: {max_samples: 40, contexts: 1}\n' "$PWD" "$points" > shard.yaml

use() { # NAME: the compiler that it is measured with
    unset GPUEXP_COMPILER
    case $1 in real) PATH=${PATH#"$PWD/bin:"} ;; *) PATH=$PWD/bin:${PATH#"$PWD/bin:"} GPUEXP_COMPILER=clang && export GPUEXP_COMPILER ;; esac
}
declare -A took
for name in fake real shard; do
    use $name
    need gpuexp -q $name.yaml -o $name.whole.csv 2> log # fills the cache
    began=$(date +%s%N)
    need gpuexp -q $name.yaml -o $name.again.csv 2> log
    took[$name]=$((($(date +%s%N) - began) / 1000000 + 20)) # so that a kill may come at any moment of a run
done

children() { cat /proc/"$1"/task/*/children 2> /dev/null; }
pick() { # one of the words
    [ $# = 0 ] || echo "${@:1 + RANDOM % $#:1}"
}
victims() {
    case $((RANDOM % 4)) in
    0) echo "$1" ;;
    # shellcheck disable=SC2046
    1) pick $(children "$1") ;;
    # shellcheck disable=SC2046
    2) for child in $(children "$1"); do pick $(children "$child"); done ;;
    3) echo "-$1" ;;
    esac
}
bad() {
    echo "kill $done_ of $kills, $name: $*"
    tail -n 5 told log
    need false
}
done_=0 finished=0
declare -A how
while [ $done_ -lt "$kills" ]; do
    name=$(pick fake real shard)
    use "$name"
    words=("$name.yaml" -o "$name.csv")
    [ "$name" != shard ] || words=(shard.yaml --shard 1/1)
    setsid env --default-signal=INT,HUP,TERM "$GPUEXP" "${words[@]}" > told 2> log < /dev/null &
    pid=$!
    sleep "$(printf '%d.%03d' $((RANDOM % took[$name] / 1000)) $((RANDOM % took[$name] % 1000)))"
    victim=$(victims $pid | head -n 1)
    signal=$(pick KILL KILL TERM INT HUP)
    [ -n "$victim" ] && kill -"$signal" -- "$victim" 2> /dev/null && done_=$((done_ + 1)) how[$signal]=$((${how[$signal]:-0} + 1))
    wait $pid 2> /dev/null
    status=$?
    report=$name.csv
    [ "$name" != shard ] || report=reports/shard.csv
    case $status in
    0 | 1 | 75) ;;
    129 | 130 | 137 | 143) ;; # SIGKILL, and the others before the program's first line
    3) grep -q 'was killed\|cannot be opened\|it dies' log || bad "exit 3" ;; # the process that looks for a compiler or a device
    *) bad "exit $status" ;;
    esac
    sed -n 's|^[0-9]*/[0-9]*  n=\([0-9]*\) shared=\([0-9]*\): .*|,\1,\2,|p' told > points
    while read -r row; do grep -q "^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,64$row" "$report" 2> /dev/null || bad "the row of $row is lost"; done < points
    if [ $status = 0 ]; then
        cmp -s "$name.whole.csv" "$report" || bad "the report is another: $(diff "$name.whole.csv" "$report" | head -n 4)"
        finished=$((finished + 1))
        rm -f "$report" "${report%.csv}.run.yaml"
    fi
done
for name in fake real shard; do
    use $name
    need gpuexp -q $name.yaml -o $name.csv 2> log
    need cmp $name.whole.csv $name.csv
done
need [ -z "$(find . -name '*.tmp')" ]
need [ $finished -gt 0 ]
echo "$done_ kills (${how[*]} of ${!how[*]}), $finished reports finished in between"
