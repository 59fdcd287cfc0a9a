# Both compilers, no warning (warnings are errors), with the CUDA Toolkit and without it, for users and for a debugger.
# full: compiles everything twice
# timeout: 1500
# SPDX-License-Identifier: MIT
generator=
command -v ninja > /dev/null && generator="-G Ninja"
quiet() { "$@" > log 2>&1 || { tail -50 log; return 1; }; }
for compiler in gcc clang; do
    command -v $compiler > /dev/null || lacks $compiler
    build=$(dirname "$GPUEXP")/$compiler
    cuda=$([ $compiler = gcc ] && echo OFF || echo ON) type=$([ $compiler = gcc ] && echo RelWithDebInfo || echo Debug)
    # shellcheck disable=SC2086
    [ -e "$build/CMakeCache.txt" ] ||
        need quiet cmake -S "$TOP" -B "$build" $generator -DCMAKE_C_COMPILER=$compiler -DGPUEXP_CUDA="$cuda" \
            -DCMAKE_BUILD_TYPE=$type -DGPUEXP_WERROR=ON
    need quiet cmake --build "$build" --parallel 2
    need "$build/gpuexp" --version
done
