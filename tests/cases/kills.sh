# Runs that are killed at random moments, again and again: the runner, its worker, what the worker started or the
# whole group, with SIGKILL, SIGTERM, SIGINT or SIGHUP. Each is started again until it is through. No row that was
# told of is lost, the status is one that the README gives, and the finished report is that of a run which nobody
# disturbed, to the byte, keys included: but for a sample more, where none of thirty had time to be looked at, and the
# sum at the end of its row. Before that it is killed once between each change of a name and the next, in
# runs that change names of all kinds of files. A thousand kills, in two runs side by side, or as many as ten minutes
# have room for: GPUEXP_KILLS=10000 GPUEXP_KILL_SECONDS=3600 for more of them, GPUEXP_SEED=2 for others.
# full: a thousand kills
# timeout: 3600
# SPDX-License-Identifier: MIT
. "$TOP/tests/fault/fault.sh"
until=$((SECONDS + ${GPUEXP_KILL_SECONDS:-600}))
fault_begin
for scene in resume fresh merge remerge; do fault_killed_at_names $scene; done
fault_in_sets fault_killed_at_names
kills=$(((${GPUEXP_KILLS:-1000} - fault_tried) / 2))
rm -r reports
top=$PWD
experiment() { # NAME DEVICE
    printf 'experiment: %s\nkernel: vecadd\nwith: {block: 64, device: "%s"}\n' "$1" "$2"
    printf 'sweep: {n: {from: 128, to: 1280, step: 128}, shared: [0, 16]}\nmeasure: {max_samples: 40, contexts: 1}\n'
}
experiment fake "script:$PWD/gpu" > fake.yaml
experiment shard "script:$PWD/gpu" > shard.yaml
experiment real sim > real.yaml

use() { # NAME: the compiler that it is measured with
    unset GPUEXP_COMPILER
    PATH=${PATH#"$top/bin:"}
    [ "$1" = real ] || export PATH=$top/bin:$PATH GPUEXP_COMPILER=clang
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
    echo "kill $count of $kills, $name: $*"
    tail -n 5 told log
    need false
}
as_words() { # NAME: what runs it, in $words, and what that writes, in $report
    words=("$top/$1.yaml" -o "$1.csv") report=$1.csv
    [ "$1" != shard ] || words=("$top/shard.yaml" --shard 1/1) report=reports/shard.csv
}
same() { cmp -s <(told_same "$1") <(told_same "$2"); }
told_same() { sed -E 's/,3[0-9],0,/,30,0,/; s/,[0-9a-f]{8}$//' "$1"; }
# Each row that was told of: its values as they stand in the report.
check_told() { # LOG REPORT
    sed -n 's|^[0-9]*/[0-9]*  n=\([0-9]*\) shared=\([0-9]*\): .*|,vecadd,64,\1,\2,|p' "$1" | sort -u > points
    [ ! -s points ] || grep -oFf points "$2" 2> /dev/null | sort -u | cmp -s - points ||
        bad "a row that was told of is lost: $(cat points)"
}
kill_runs() { # SEED
    local count=0 finished=0 name report pid pause victim signal status words
    local -A how
    RANDOM=$1
    while [ $count -lt "$kills" ] && [ $SECONDS -lt $until ]; do
        name=$(pick fake real shard)
        use "$name"
        as_words "$name"
        setsid env --default-signal=INT,HUP,TERM "$GPUEXP" "${words[@]}" > told 2> log < /dev/null &
        pid=$!
        printf -v pause '%d.%03d' $((RANDOM % took[$name] / 1000)) $((RANDOM % took[$name] % 1000))
        sleep "$pause"
        victim=$(victims $pid | head -n 1)
        signal=$(pick KILL KILL TERM INT HUP)
        if [ -n "$victim" ] && kill -"$signal" -- "$victim" 2> /dev/null; then
            count=$((count + 1)) how[$signal]=$((${how[$signal]:-0} + 1))
        fi
        wait $pid 2> /dev/null
        status=$?
        case $status in
        0 | 1 | 75) ;;
        129 | 130 | 137 | 143) ;; # SIGKILL, and the others before the program's first line
        # what looks for a compiler or a device
        3) grep -q 'was killed\|cannot be opened\|it dies' log || bad "exit 3" ;;
        *) bad "exit $status" ;;
        esac
        check_told told "$report"
        if [ $status = 0 ]; then
            same "$top/$name.whole.csv" "$report" ||
                bad "another report: $(diff "$top/$name.whole.csv" "$report" | head -n 4)"
            finished=$((finished + 1))
            rm -f "$report" "${report%.csv}.run.yaml"
        fi
    done
    for name in fake real shard; do
        use $name
        as_words $name
        need gpuexp -q "${words[@]}" 2> log
        need same "$top/$name.whole.csv" "$report"
    done
    need [ -z "$(find . -name '*.tmp')" ]
    need [ $finished -gt 0 ]
    echo "$count kills (${how[*]} of ${!how[*]}), $finished reports finished in between"
}
seed=${GPUEXP_SEED:-7}
for side in 1 2; do
    mkdir $side
    (cd $side && kill_runs $((10 * seed + side))) &
    sides[side]=$!
done
for side in 1 2; do need wait "${sides[side]}"; done
echo "$SECONDS s"
