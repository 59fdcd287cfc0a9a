#!/bin/bash
# Runs one whole-program case, tests/cases/NAME.sh, in a scratch folder that is removed afterwards. The case sees `gpuexp` on
# its PATH, a HOME and cache of its own, $tests (this folder) and $root (the repository). It fails at the first command that
# fails; `expect_exit N cmd…` runs one that must fail that way. Exit 77: skipped, with the reason printed.
# usage: case.sh cases/NAME.sh path/to/gpuexp
# SPDX-License-Identifier: MIT
set -u
case=$(readlink -f "$1") program=$(readlink -f "$2")
tests=$(cd "$(dirname "$0")" && pwd) root=$(dirname "$tests")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/gpuexp-case.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/bin" "$scratch/home" "$scratch/work"
ln -s "$program" "$scratch/bin/gpuexp"
export PATH="$scratch/bin:$PATH" HOME="$scratch/home" XDG_CACHE_HOME="${GPUEXP_TEST_CACHE:-$scratch/home/.cache}" LC_ALL=C.UTF-8
unset GPUEXP_PATH
export tests root
cd "$scratch/work" || exit 1

fail() { echo "FAILED: $*" >&2; exit 1; }
# expect_exit N command…: runs it, shows what it printed if the exit status is another.
expect_exit() {
  local want=$1 got; shift
  "$@" >out.txt 2>err.txt; got=$?
  [ "$got" = "$want" ] || { cat out.txt err.txt >&2; fail "exit $got, not $want: $*"; }
}
# column FILE NAME: the values of one column of a CSV without quoted commas, one a line.
column() { awk -F, -v name="$2" 'NR==1{for(i=1;i<=NF;i++)if($i==name)c=i; if(!c)exit 1; next}{print $c}' "$1"; }
# same WANT GOT WHAT…
same() { [ "$1" = "$2" ] || fail "$(shift 2; echo "$*"): wanted [$1], got [$2]"; }
export -f fail expect_exit column same
bash -eu -o pipefail "$case"
