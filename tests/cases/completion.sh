# The completion: bash's function is called as bash calls it. It asks the program, as those of zsh and fish do
# (completed.sh), which knows commands, options, experiments, their parameters, columns, and the words of a setting.
# SPDX-License-Identifier: MIT
mkdir bin
ln -s "$GPUEXP" bin/gpuexp
PATH=$PWD/bin:$PATH
command gpuexp print completion bash > gpuexp.bash || exit 1
# shellcheck disable=SC1091
. ./gpuexp.bash
need complete -p gpuexp > /dev/null

# What is offered for a line whose cursor is at its end, with = and : at the ends of words as readline has it.
offered() {
    COMP_LINE=$1 COMP_POINT=${#1}
    _gpuexp
    echo "${COMPREPLY[*]}"
}
is() { # LINE WORDS
    got=$(offered "$1")
    [ "$got" = "$2" ] || { echo "after \`$1\`: $got"; return 1; }
}
has() { # LINE WORD...
    got=" $(offered "$1") "
    for word in "${@:2}"; do
        case $got in *" $word "*) ;; *) echo "after \`$1\` no $word in:$got" && return 1 ;; esac
    done
}
need is 'gpuexp pl' 'plan'
need has 'gpuexp ' run plan describe stride transpose
need is 'gpuexp plan strid' 'stride'
need is 'gpuexp plan --sh' '--shard'
need has 'gpuexp describe window' window.ratio window.hits
need has 'gpuexp describe ' settings stride gbps imprecise math.floor stats.median fill
need has 'gpuexp run stride -d ' auto cuda sim
need is 'gpuexp run stride -d sim:h' 'h100 h200' # readline has what stands before the colon
need has 'gpuexp run stride -s ' n= stride= order= memory= measure.precision=
need is 'gpuexp run stride -s order=r' 'reverse random'
need is 'gpuexp run stride --set cache=' 'cold warm'
need has 'gpuexp run stride -s memory.in=p' pool pitched
need is 'gpuexp report --format ' 'html svg md csv json jsonl'
need is 'gpuexp list ca' 'caches'
need has 'gpuexp report x.csv -s chart.y=' gbps ld_sectors
need has 'gpuexp report x.csv -s chart.k' chart.kind=
printf 'experiment,mine,status\n' > x.csv
need is 'gpuexp report x.csv -s chart.y=' 'experiment mine status'
need is 'gpuexp print ' 'manual schema completion'
need is 'gpuexp print schema ' 'experiment kernel'
need is 'gpuexp list nosuch' ''
need is 'gpuexp run nosuch' ''
t gpuexp print completion tcsh

# A kernel of the user's own, found as the others are.
mkdir -p kernels experiments
sed 's/\bvecadd\b/mykernel/g' "$TOP/kernels/vecadd.cu" > kernels/mykernel.cu
printf 'kernel: mykernel\nsweep: {n: [1Ki]}\n' > experiments/myquestion.yaml
need is 'gpuexp plan myq' 'myquestion'
need is 'gpuexp describe myk' 'mykernel'
