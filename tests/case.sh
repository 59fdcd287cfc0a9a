#!/bin/bash
# Runs one whole-program case: bash case.sh CASE.sh GPUEXP [all]. The case runs in an empty scratch folder with these:
#   gpuexp ...    the program under test   $GPUEXP  its path   $TOP  the repository   $BUILD  where it was built
#   t CMD ...     a transcript: "$ CMD ...", what it prints (standard error included), and [exit N] where N is not 0
#   need COND     ends the case as failed, saying where, unless the command COND is true; skip WHY ends it as skipped
#   cells FILE NAME  a column of a report
#   nvrtc         is NVRTC here? What only it can do is skipped by name where it is not: `nvrtc || skip WHY`
#   few N         copies every Nth line; or all, where $whole is set (in the full tests, by `# more: WHY` in a case)
#   lacks WHAT    skips because a program is missing that `setup.sh --with-checks` installs; fails instead where
#   GPUEXP_TOOLS=all
# Beside CASE.sh may stand CASE.out, what the case must print, to the letter after `normal` below; UPDATE=1 writes it
# anew.
# SPDX-License-Identifier: MIT
set -u
case_file=$(realpath "$1") GPUEXP=$(realpath "$2") whole=${3:-}
TOP=$(realpath "$(dirname "$0")/..") BUILD=$(dirname "$GPUEXP")
BUILD=${BUILD%/tests} # cases that need the scripted device run build/tests/gpuexp
want=${case_file%.sh}.out
scratch=$(mktemp -d "${TMPDIR:-/tmp}/gpuexp-case.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
export GPUEXP TOP BUILD TERM=dumb LC_ALL=C.UTF-8
unset GPUEXP_PATH NO_COLOR
# The tests themselves may run inside a job, and commands of a scheduler may be here: they find no cluster. (SLURM's
# commands wait a minute for a file that is not there.)
for job in ${!SLURM@} ${!SBATCH_@} ${!PBS_@}; do unset "$job"; done
export SLURM_CONF=/dev/null
# One compiler, the first that is here: nvcc would be asked too what NVRTC refuses, a third of a second for each kernel
# that is wrong on purpose. A case that wants both takes the choice away (door, lacking).
GPUEXP_COMPILER=$("$GPUEXP" devices 2> /dev/null | sed -n 's/^compiler: \([a-z]*\).*/\1/p')
if [ -n "$GPUEXP_COMPILER" ]; then export GPUEXP_COMPILER; fi

gpuexp() { "$GPUEXP" "$@"; }
t() {
    printf '$'
    printf ' %s' "$@"
    printf '\n'
    "$@" 2>&1
    local status=$?
    [ $status = 0 ] || printf '[exit %d]\n' $status
}
# The cells of a report's column, one a line: FILE NAME. (A text in quotes may hold commas.)
cells() {
    sed 's/"[^"]*"/quoted/g' "$1" |
        awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }'
}
few() { awk -v whole="$whole" -v n="$1" 'whole || NR % n == 1'; }
need() {
    "$@" || { echo "$(basename "$case_file"):${BASH_LINENO[0]}: does not hold: $*" >&2; exit 1; }
}
nvrtc() { GPUEXP_COMPILER=nvrtc "$GPUEXP" devices 2> /dev/null | grep -q '^compiler: nvrtc'; }
skip() { echo "skipped: $*" >&2; exit 77; }
lacks() {
    [ "${GPUEXP_TOOLS:-}" != all ] ||
        { echo "$1 is missing, and runner/setup.sh --with-checks should have installed it" >&2; exit 1; }
    skip "$1 is missing: runner/setup.sh --with-checks installs it"
}
# What differs from run to run and place to place: paths, versions, keys, the words of compilers, and instructions of
# machine code, which is not everywhere.
normal() {
    sed -e 's/ ([A-Z][A-Z.0-9]* at 0x[0-9a-f]*)//g' \
        -e "s|$scratch|SCRATCH|g; s|$GPUEXP|TOP/build/gpuexp|g; s|$TOP|TOP|g; s/\b[0-9a-f]\{16\}\b/KEY/g" \
        -e "s/\(clang\|nvrtc\) [0-9][0-9.]*/COMPILER/g" \
        -e "s/use of undeclared identifier '\([^']*\)'/identifier \"\1\" is undefined/" \
        -e "s/static.assert[a-z]* failed due[^']*'[^']*':* \"*\([^\"]*\)\"*$/static assertion failed with \"\1\"/" \
        -e 's/:1:15: static assertion/:1:1: static assertion/'
}

cd "$scratch" || exit 1
if [ -e "$want" ] || [ -n "${UPDATE:-}" ]; then
    got=$(mktemp)
    (. "$case_file") > "$got" 2>&1
    status=$?
    normal < "$got" > "$got.normal"
    if [ -n "${UPDATE:-}" ] && [ $status = 0 ] && [ -s "$got.normal" ]; then cp "$got.normal" "$want"; fi
    if [ $status = 0 ]; then diff -u "$want" "$got.normal"; status=$?; else cat "$got.normal"; fi
    rm -f "$got" "$got.normal"
else
    (. "$case_file")
    status=$?
fi
exit $status
