#!/bin/bash
# Makes build/gpuexp out of a bare clone: installs what is missing (Debian and Ubuntu packages, by sudo when not root), configures,
# builds. Called again it only looks whether anything changed. It never downloads anything but packages of the distribution.
# SPDX-License-Identifier: MIT
set -u
cd "$(dirname "$0")/.." || exit 3

say() { echo "setup: $*" >&2; }
die() { say "$*"; exit 3; }
have() { command -v "$1" > /dev/null 2>&1; }
has_header() { echo "#include <$1>" | "$cc" -E -I/usr/include/lua5.4 - > /dev/null 2>&1; }
nvrtc() { ldconfig -p 2> /dev/null | grep -q libnvrtc || ls "${CUDA_HOME:-/usr/local/cuda}"/lib64/libnvrtc.so* > /dev/null 2>&1; }

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
    $root apt-get update -q > /dev/null || say "apt-get update failed; going on with the lists that are there"
    $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" > /dev/null ||
        die "could not install: $*
setup: ask for:  apt-get install $*"
}

# A build folder that a clone elsewhere has left behind is of no use here.
home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' build/CMakeCache.txt 2> /dev/null)
[ -z "$home" ] || [ "$home" -ef . ] || { say "build/ is of $home: starting it over"; rm -rf build; }

if [ ! -e build/CMakeCache.txt ] || [ ! -x build/gpuexp ]; then
    packages=$(missing)
    # shellcheck disable=SC2086
    [ -z "$packages" ] || install $packages
    generator=
    [ ! -e build/CMakeCache.txt ] && have ninja && generator="-G Ninja"
    # shellcheck disable=SC2086
    cmake -S . -B build $generator > build.log 2>&1 || { cat build.log >&2; rm -f build.log; die "cmake failed"; }
    grep -h 'CUDA Toolkit' build.log | sed 's/^-- /setup: /' >&2
    rm -f build.log
    say "building"
fi
log=$(cmake --build build --parallel 2>&1) || { echo "$log" >&2; die "the build failed"; }
case $log in *"no work to do"*) ;; *gpuexp*) say "built build/gpuexp" ;; esac
