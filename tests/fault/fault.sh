# For cases to source: runs the program again and again, each time with another of its calls failing (fault/shim.c),
# or with the power cut there, and looks at what is left. What must hold each time: the exit status is one that the
# README gives for it, a row that was told of is in the report, and the next run completes the report of an
# undisturbed one, to the byte, keys included.
#   fault_begin                          makes the experiment, the undisturbed report, a compiler that costs nothing
#   fault_all SCENE FAMILY ERRNO STEP [WHO]   SCENE: run resume fresh merge submit; every STEP-th call; WHO: main or
# child
#   fault_power SCENE STEP               the power is cut before every STEP-th call that has to do with files
# Two more are about the files that stand beside a report: no line of any file that was there at first is lost.
#   fault_beside SCENE                   every open of each of them fails once
#   fault_killed_at_names SCENE          the program is killed before each call that gives or takes a name
#   fault_in_sets DO                     does one of them with scenes in which there are such files of every kind
# SPDX-License-Identifier: MIT
fault_tried=0
fault_begin() {
    fault_so=$BUILD/tests/libfault.so
    need [ -e "$fault_so" ]
    mkdir bin
    printf '#!/bin/sh\necho clang version 14.0.6\n' > bin/clang
    printf '#!/bin/sh\necho 4711\n' > bin/sbatch
    for tool in scontrol sinfo squeue; do printf '#!/bin/sh\nexit 1\n' > bin/$tool; done # no cluster answers
    chmod +x bin/*
    export PATH=$PWD/bin:$PATH GPUEXP_COMPILER=clang XDG_CACHE_HOME=$PWD/cache TMPDIR=$PWD/tmp
    mkdir tmp
    printf 'name A fake GPU\ntime 100\n' > gpu
    cat > e.yaml << END
kernel: vecadd
with: {device: "script:$PWD/gpu", block: 64}
sweep: {n: [1Ki, 2Ki, 3Ki, 4Ki, 5Ki]}
measure: {max_samples: 20, contexts: 1}
END
    fault_start
}

# What scenes begin with: the undisturbed report, shards of it, two of its rows, all of them.
fault_start() {
    local i file
    mkdir -p start/complete start/none
    need gpuexp e.yaml -q -o start/whole.csv 2> log
    for i in 1 2; do need gpuexp e.yaml -q --shard $i/2 2> log; done
    cp -r reports start/shards
    need gpuexp merge reports/e.csv > told 2> log
    mv reports start/merged
    for i in 1 2; do need gpuexp e.yaml -q -s "n=[2Ki, 4Ki]" 2> log; done
    mv reports start/some
    for file in start/whole.*; do cp "$file" "start/complete/e${file#start/whole}"; done
}

fault_scene() { # what is there at first, and the words
    rm -rf reports cache told log count
    case $1 in
    run) words=(e.yaml) from=none ;;
    resume) words=(e.yaml) from=some ;;
    fresh) words=(e.yaml --fresh) from=complete ;;
    merge) words=(merge reports/e.csv) from=shards ;;
    remerge) words=(merge reports/e.csv) from=merged ;;
    submit) words=(submit e.yaml --shards 2) from=none ;;
    edited | killed) words=(e.yaml) from=$1 ;;
    health) words=(health -q -d "script:$PWD/gpu") from=$1 ;;
    esac
    [ $from = none ] || cp -r start/$from reports
}

fault_go() { # FAMILY ERRNO AT WHO: the status in $status
    FAULT_FAMILY=$1 FAULT_ERRNO=$2 FAULT_AT=$3 FAULT_IN=$4 FAULT_COUNT=$PWD/count \
        timeout -s KILL 100 env LD_PRELOAD=$fault_so "$GPUEXP" "${words[@]}" > told 2> log < /dev/null &
    wait $! 2> /dev/null # or bash tells of each that was killed
    status=$?
    [ $status != 137 ] || [ "$2" = 0 ] || status=hangs
}

fault_bad() {
    echo "$fault_what: $*; exit $status"
    tail -n 5 told log
    cat faulted 2> /dev/null
    ls -l reports; diff start/whole.csv reports/e.csv
    need false
}

# The rows that were told of and those that were there, whichever way the program ended.
fault_told() { # SCENE
    local n
    sed -n 's|^[0-9]*/[0-9]*  n=\([0-9]*\): .*|\1|p' told > points
    [ "$1" != resume ] || printf '2048\n4096\n' >> points
    while read -r n; do
        cut -d, -f7 reports/e.csv 2> /dev/null | grep -qx "$n" || fault_bad "the row of $n is lost"
    done < points
    [ "$1" != fresh ] || cmp -s start/whole.csv reports/e.csv || cmp -s start/whole.csv reports/e.csv.bak ||
        fault_bad "the old report is lost"
}

fault_look() { # SCENE
    fault_tried=$((fault_tried + 1))
    case $status in
    0 | 3 | 75 | 137) ;;
    1) grep -qs ',failed,\|,timeout,' reports/e.csv || grep -q 'failed' log told || fault_bad "no point failed" ;;
    *) fault_bad "a status that means something else" ;;
    esac
    grep -q 'Sanitizer\|corrupted\|free()' log && fault_bad "memory"
    fault_told "$1"
    cat told log > faulted
    case $1 in
    submit)
        [ $status != 0 ] || [ "$(grep -c '^job 4711' told)" = 2 ] || fault_bad "nothing was submitted"
        gpuexp submit e.yaml --shards 2 > told 2> log || fault_bad "cannot be submitted again"
        need bash -n reports/e.sbatch
        ;;
    merge)
        [ $status != 0 ] || cmp -s start/whole.csv reports/e.csv || fault_bad "the merged report is another"
        for i in 1 2; do
            cmp -s start/shards/e.$i-of-2.csv reports/e.$i-of-2.csv || fault_bad "shard $i was changed"
        done
        gpuexp merge reports/e.csv > told 2> log || fault_bad "cannot be merged again"
        cmp -s start/whole.csv reports/e.csv || fault_bad "merged again it is another"
        ;;
    *)
        [ $status != 0 ] || cmp -s start/whole.csv reports/e.csv || fault_bad "the report is not whole"
        gpuexp e.yaml > told 2> log || { status=$?; fault_bad "the next run does not complete it"; }
        cmp -s start/whole.csv reports/e.csv || fault_bad "the next run completes another report"
        ;;
    esac
    [ -z "$(find reports tmp -name '*.tmp' -o -name 'gpuexp-scratch*')" ] || fault_bad "something is left behind"
}

fault_calls() { # SCENE FAMILY WHO
    fault_scene "$1"
    fault_go "$2" 0 0 "$3"
    need [ $status = 0 ]
    calls=$(< count)
}

fault_all() {
    local scene=$1 family=$2 error=$3 step=$4 who=${5:-main} at
    fault_calls "$scene" "$family" "$who"
    for ((at = 1 + RANDOM % step; at <= calls; at += step)); do
        fault_what="$scene: $family call $at of $calls in $who fails with $error"
        fault_scene "$scene"
        fault_go "$family" "$error" "$at" "$who"
        fault_look "$scene"
    done
    echo "$scene: $family, $calls calls in $who, every ${step}th fails with errno $error"
}

# The folder as the disk has it.
fault_restore() {
    local number name
    rm -rf reports
    mkdir reports
    while read -r number name; do
        if [ -e disk/content/"$number" ]; then cp disk/content/"$number" reports/"$name"; else : > reports/"$name"; fi
    done < disk/names
}

fault_power() {
    local scene=$1 step=$2 at
    fault_calls "$scene" storage main
    for ((at = 1 + RANDOM % step; at <= calls; at += step)); do
        fault_what="$scene: the power is cut before call $at of $calls"
        fault_scene "$scene"
        mkdir -p reports
        rm -rf disk
        mkdir -p disk/content
        FAULT_DISK=$PWD/disk fault_go storage 0 "$at" main
        [ $status != 0 ] || continue # this time there were fewer calls
        [ $status = 137 ] || fault_bad "it did not end there"
        fault_restore
        fault_look "$scene"
    done
    echo "$scene: $calls calls that have to do with files, the power is cut before every ${step}th"
}

# A report whose rows have several launches each.
fault_make_launches() {
    cat > k.cu << 'END'
/*
params: {n: 64}
buffers: {out: {type: int, count: n, access: write}}
threads: n
sequence: [{launch: k, repeat: 2}]
*/
__global__ void k(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i;
}
__device__ bool check(size_t i, const int *out) { return out[i] == (int)i; }
END
    printf 'kernel: ./k.cu\nwith: {device: sim}\nsweep: {n: [1Ki, 2Ki, 3Ki, 4Ki, 5Ki]}\n' > e.yaml
    fault_start
    need [ -s start/some/e.launches.csv ]
}
# One whose kernel was edited once, and is edited now.
fault_make_edited() {
    sed 's|^kernel: .*|kernel: ./k.cu|' ../e.yaml > e.yaml
    cp "$TOP/kernels/vecadd.cu" k.cu
    for _ in 1 2; do
        need gpuexp e.yaml -q 2> log
        echo '// edited' >> k.cu
    done
    need [ -s reports/e.old.samples.csv ]
    mv reports start/edited
    need gpuexp e.yaml -q -o start/whole.csv 2> log
}
# A run that was killed between the contexts of its points, at the first write that leaves two parts behind.
fault_make_killed() {
    local at
    sed 's|/gpu"|/killed/gpu"|; s/contexts: 1/contexts: 3/' ../e.yaml > e.yaml
    (cat ../gpu && echo 'draws 0') > gpu # several contexts are asked, and all say the same
    need gpuexp e.yaml -q -o start/whole.csv 2> log
    for ((at = 1; at < 100; at++)); do
        fault_scene run
        fault_go write 0 $at main
        [ "$(cat reports/e.parts.csv 2> /dev/null | grep -c .)" -lt 3 ] || break
    done
    rm -f reports/e.csv.lock
    need [ -s reports/e.parts.csv ]
    mv reports start/killed
}
# A GPU that told of itself.
fault_make_health() {
    (cat ../gpu && echo 'tells pci_bus 1') > gpu
    need gpuexp health -q -d "script:$PWD/gpu" > told 2> log
    mv reports start/health
}
fault_in_sets() { # DO
    local set scene
    for set in launches edited killed health; do
        mkdir -p $set/start
        cd $set || return
        [ $set != launches ] || unset GPUEXP_COMPILER
        [ "$(ls start)" ] || fault_make_$set
        if [ $set = launches ]; then for scene in resume fresh merge remerge; do "$1" $scene; done; else "$1" $set; fi
        export GPUEXP_COMPILER=clang
        cd ..
    done
}

# Each line that was there at first is there still, in whichever file: of a row what it is about, its status and its
# time. (It may get another number in the plan. The parts of points go when all rows are there.)
fault_words() {
    awk -F, '/^experiment,/ { next } $1 == "e" { print $1, $3, $5, $6, $7, $8, $9, $10; next }
        { sub(/,[^,]*$/, ""); print }' | sort -u
}
fault_lines() {
    local file
    [ $from != none ] || return 0
    for file in start/$from/*.csv; do
        [ "${file%.parts.csv}" = "$file" ] || ! cmp -s start/whole.csv reports/e.csv || continue
        [ -z "$(fault_words < "$file" | comm -23 - <(cat reports/*.csv* | fault_words))" ] ||
            fault_bad "lines of ${file##*/} are lost"
    done
}

fault_again() { # SCENE
    fault_tried=$((fault_tried + 1))
    fault_lines
    case "$status $1" in
    "0 "*merge | "0 health" | [1-9]*) ;;
    *) cmp -s start/whole.csv reports/e.csv || fault_bad "the report is not whole" ;;
    esac
    rm -f reports/e.csv.lock
    case $1 in
    *merge | health) gpuexp "${words[@]}" > told 2> log ;;
    *) gpuexp e.yaml > told 2> log ;;
    esac
    [ $? = 0 ] || fault_bad "the next run does not complete it"
    [ $from = health ] || cmp -s start/whole.csv reports/e.csv || fault_bad "the next run completes another report"
    fault_lines
    [ -z "$(find reports -name '*.tmp')" ] || fault_bad "something is left behind"
}

# What failed before a point was told of has changed nothing that was measured.
fault_unchanged() {
    local file
    case "$status $from" in
    "3 some" | "3 shards" | "3 merged" | "3 killed") ! grep -q '^[0-9]*/[0-9]*  ' log || return 0 ;;
    *) return 0 ;;
    esac
    for file in start/$from/*.csv; do
        cmp -s "$file" "reports/${file##*/}" || fault_bad "${file##*/} was changed"
    done
}

fault_beside() {
    local scene=$1 at
    for FAULT_NAME in .run.yaml .launches.csv .samples.csv .parts.csv .old.csv .facts.csv; do
        export FAULT_NAME
        fault_calls "$scene" open main
        for ((at = 1; at <= calls; at++)); do
            fault_what="$scene: open $at of $calls of *$FAULT_NAME* fails"
            fault_scene "$scene"
            fault_go open $((at % 2 ? 13 : 24)) "$at" main
            [ $status = 3 ] || [ $status = 0 ] || [ $status = 75 ] || fault_bad "a status that means something else"
            fault_unchanged
            fault_again "$scene"
        done
        [ "$calls" = 0 ] || echo "$scene: each of $calls opens of *$FAULT_NAME* fails"
    done
    unset FAULT_NAME
}

fault_killed_at_names() {
    local scene=$1 at
    fault_calls "$scene" name main
    for ((at = 1; at <= calls; at++)); do
        fault_what="$scene: killed before call $at of $calls that has to do with names"
        fault_scene "$scene"
        fault_go name 0 "$at" main
        [ $status != 0 ] || continue
        [ $status = 137 ] || fault_bad "it did not end there"
        status=1
        fault_again "$scene"
    done
    echo "$scene: killed before each of $calls calls that have to do with names"
}
