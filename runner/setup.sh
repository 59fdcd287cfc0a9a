#!/bin/bash
# Makes build/gpuexp from a bare clone: installs what is missing (Debian and Ubuntu packages, by sudo when not root),
# configures, builds. Called again it only looks whether anything changed. It never downloads anything but packages of
# the distribution.
#   --with-slurm    installs SLURM too, for the test that runs one
#   --with-checks   installs all that the tests can use: SLURM, formatter, both compilers, schema validator, shells
# SPDX-License-Identifier: MIT
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 3

say() { echo "setup: $*" >&2; }
die() { say "$*"; exit 3; }
have() { PATH=$PATH:/usr/sbin:/sbin command -v "$1" > /dev/null 2>&1; }
has_header() { echo "#include <$1>" | "$cc" -E -I/usr/include/lua5.4 - > /dev/null 2>&1; }
# Is NVRTC in one of the places where a CUDA Toolkit may be?
nvrtc() {
    local list=runner/base/toolkit.txt place folder
    ldconfig -p 2> /dev/null | grep -q libnvrtc && return
    for place in $(sed -n 's/^\$\([A-Z_]*\)/${\1:-\/nonexistent}/p; /^\//p' "$list" 2> /dev/null); do
        for folder in $(sed -n 's/^libraries: //p' "$list"); do
            eval "ls $place/$folder/libnvrtc.so*" > /dev/null 2>&1 && return
        done
    done
    return 1
}

# Names the packages that are missing, one a line.
missing() {
    cc=
    for c in "${CC:-}" cc gcc clang; do [ -n "$c" ] && have "$c" && { cc=$c; break; }; done
    [ -n "$cc" ] || { echo gcc; echo libc6-dev; }
    [ -z "$cc" ] || has_header stdio.h || echo libc6-dev
    have cmake || echo cmake
    have ninja || have make || echo ninja-build
    # Without a compiler no header is found either; they are all named then, and apt leaves alone what is there.
    [ -n "$cc" ] && has_header yaml.h || echo libyaml-dev
    [ -n "$cc" ] && has_header lua.h || echo liblua5.4-dev
    [ -n "$cc" ] && has_header csv.h || echo libcsv-dev
    have clang || nvrtc || echo clang # what compiles kernels where there is no CUDA Toolkit
}

# The same for what an option asks for.
missing_for() { # slurm or checks
    case $1 in
    slurm)
        have slurmctld || echo slurmctld
        have slurmd || echo slurmd
        have sbatch || echo slurm-client
        have munged || echo munge
        ;;
    checks)
        missing_for slurm
        have gcc || { echo gcc; echo libc6-dev; }
        have clang || echo clang
        have clang-format-14 || echo clang-format-14
        have script || echo bsdutils
        have python3 || echo python3
        python3 -c 'import jsonschema' 2> /dev/null || echo python3-jsonschema
        python3 -c 'import yaml' 2> /dev/null || echo python3-yaml
        have zsh || echo zsh
        have fish || echo fish
        have mandoc || echo mandoc
        have valgrind || { echo valgrind; echo libc6-dbg; }
        have dpkg-shlibdeps || echo dpkg-dev
        have debootstrap || echo debootstrap
        have file || echo file
        have chromium || { echo chromium; echo fonts-dejavu-core; }
        have pdftotext || echo poppler-utils
        ;;
    esac
}

# WHAT: copies the lines of a step and says how far it is: on a terminal in one line that changes, else every 6 s.
progress() {
    local line part at='' status all='' size='' count=0 told=$SECONDS every=6
    [ ! -t 2 ] || every=1
    while :; do
        IFS= read -r -t 1 line
        status=$?
        [ $status != 0 ] || printf '%s\n' "$line"
        [ $status = 0 ] || [ $status -gt 128 ] || break # above 128: nothing came within the second
        part=${line%%]*} part=${part#[}
        [ $status = 0 ] && case $line in
        *" newly installed"*) all=${line%% newly*} all=${all##* } ;;
        "Need to get "*) size=${line#Need to get } size=" (${size%% of archives*})" ;;
        Get:*) at="fetching ${line%% *}" at="${at/Get:/}${all:+ of $all}$size" ;;
        "Preparing to unpack "*) count=$((count + 1)) at="unpacking $count of $all" ;;
        "Setting up "*) [[ $at = setting* ]] || count=0; count=$((count + 1)) at="setting up $count of $all" ;;
        \[*/*\]*) at="$((100 * ${part%/*} / ${part#*/})) %" ;; # ninja: [80/320] Building ...
        \[*%\]*) at="$((${part%\%})) %" ;;                     # make: [ 25%] Building ...
        esac
        [ $((SECONDS - told)) -ge $every ] || continue
        told=$SECONDS
        if [ -t 2 ]; then printf '\r\033[Ksetup: %s: %s' "$1" "$at" >&2; else say "$1${at:+: $at}"; fi
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
}

install() { # packages
    local root=
    if [ "$(id -u)" != 0 ]; then
        have sudo || die "needs these packages, and may not install them: $*
setup: ask for:  apt-get install $*"
        root=sudo
        [ -t 0 ] || root="sudo -n" # nobody there to type a password
    fi
    have apt-get || die "needs these (by their Debian names), and knows only apt: $*"
    say "installing $*"
    $root env LC_ALL=C apt-get update -q 2>&1 | progress "asking which packages there are" > /dev/null ||
        say "apt-get update failed; going on with the lists that are there"
    local log
    log=$($root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" 2>&1 |
        progress installing) || die "$(grep -E '^[EW]:' <<< "$log")
setup: could not install: $*
setup: ask for:  apt-get install $*"
}

build() { cmake --build build --parallel 2>&1 | progress building > build/setup.log; }

wanted=() strict=
for option; do
    case $option in
    --with-slurm | --with-checks) wanted+=("${option#--with-}") ;;
    *) echo "usage: runner/setup.sh [--with-slurm] [--with-checks]" >&2 && exit 2 ;;
    esac
done

# A build folder that a clone elsewhere has left behind is of no use here.
home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' build/CMakeCache.txt 2> /dev/null)
[ -z "$home" ] || [ "$home" -ef . ] || { say "build/ is of $home: starting it over"; rm -rf build; }

case " ${wanted[*]-} " in *" checks "*) strict=-DGPUEXP_WERROR=ON ;; esac # no warning is let pass
names=
for name in ${wanted[@]+"${wanted[@]}"}; do names+=" $(missing_for "$name")"; done
if [ ! -e build/CMakeCache.txt ] || [ ! -x build/gpuexp ]; then names+=" $(missing)"; fi
packages=
for name in $names; do case "$packages " in *" $name "*) ;; *) packages+=" $name" ;; esac; done
# shellcheck disable=SC2086
[ -z "$packages" ] || install $packages

if [ ! -e build/CMakeCache.txt ] || [ ! -x build/gpuexp ]; then
    say "looking at this machine (cmake)"
    generator=
    [ ! -e build/CMakeCache.txt ] && have ninja && generator="-G Ninja"
    # shellcheck disable=SC2086
    cmake -S . -B build $generator $strict > build.log 2>&1 ||
        { cat build.log >&2; rm -f build.log; die "cmake failed"; }
    grep -h 'CUDA Toolkit' build.log | sed 's/^-- /setup: /' >&2
    rm -f build.log
    say "building"
fi
build || { cat build/setup.log >&2; die "the build failed"; }
case $(< build/setup.log) in *"no work to do"*) ;; *"executable gpuexp"*)
    say "built build/gpuexp; next:  build/gpuexp experiments/stride.yaml" ;;
esac
