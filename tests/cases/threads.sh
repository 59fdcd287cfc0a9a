# The parts that have threads, and a run, under ThreadSanitizer: the simulator's blocks, the compiler ahead of the run,
# the worker.
# The build folder is kept beside the program's, so that only what changed is compiled again.
# full: compiles everything once more
# timeout: 1500
# SPDX-License-Identifier: MIT
build=$(dirname "$GPUEXP")/threads
quiet() { "$@" > log 2>&1 || { tail -50 log; return 1; }; }
generator=
command -v ninja > /dev/null && generator="-G Ninja"
tests="compile compile_cache device_sim outside run run_devices sim_counts sim_flow sim_memory sim_warp worker"
# shellcheck disable=SC2086
[ -e "$build/CMakeCache.txt" ] || need quiet cmake -S "$TOP" -B "$build" $generator -DGPUEXP_THREADS=ON
# shellcheck disable=SC2086
need quiet cmake --build "$build" --parallel 2 --target gpuexp units
# A process of a worker ends as it is: that a thread of it was not joined says nothing.
export TSAN_OPTIONS="die_after_fork=0 report_thread_leaks=0 halt_on_error=0 exitcode=66" XDG_CACHE_HOME=$PWD/cache
here=$PWD
clean() {
    "$@" > "$here/log" 2>&1
    local status=$?
    ! grep -q 'WARNING: ThreadSanitizer' "$here/log" ||
        { grep -A25 'WARNING: ThreadSanitizer' "$here/log" | head -60; return 1; }
    [ $status = 0 ] || { echo "exit $status: $*"; tail -20 "$here/log"; return 1; }
}
cd "$build" || exit 1 # as ctest starts them
for name in $tests; do need clean "$build/tests/unit_$name"; done
cd "$here" || exit 1
# The simulator shares a launch's blocks among threads, and sources are compiled ahead.
need clean "$build/gpuexp" "$TOP/experiments/transpose.yaml" -d sim -q -s n=256 -s 'expect=[]'
need clean "$build/gpuexp" "$TOP/experiments/stride.yaml" -d sim -q -s n=64Ki -s 'block=[64, 128, 256]' -s 'expect=[]'
need clean "$build/gpuexp" "$TOP/experiments/atomics.yaml" -d sim -q -s n=16Ki -s 'expect=[]'
