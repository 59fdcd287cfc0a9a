# Everything once more under AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer: the unit tests, a run, bad
# input. The build folder is kept beside the program's, so that only what changed is compiled again.
# full: compiles everything once more
# timeout: 1500
# SPDX-License-Identifier: MIT
build=$(dirname "$GPUEXP")/sanitize
quiet() { "$@" > log 2>&1 || { tail -50 log; return 1; }; }
generator=
command -v ninja > /dev/null && generator="-G Ninja"
# shellcheck disable=SC2086
[ -e "$build/CMakeCache.txt" ] || need quiet cmake -S "$TOP" -B "$build" $generator -DGPUEXP_SANITIZE=ON \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O1 -g"
need quiet cmake --build "$build" --parallel 2
# NVIDIA's library of counters cannot be loaded beside a sanitizer.
ctest --test-dir "$build" -R '^unit/' -E '^unit/cuda_metrics$' > log 2>&1 ||
    { ctest --test-dir "$build" --rerun-failed --output-on-failure | tail -c 8000; need false; }

own=$build/gpuexp
need [ -x "$own" ]
clean() { # expected exit status, command
    local want=$1
    shift
    "$@" > log 2>&1
    local status=$?
    grep -qE 'Sanitizer|runtime error' log && { tail -60 log; return 1; }
    [ $status = "$want" ] || { echo "exit $status, not $want: $*"; tail -20 log; return 1; }
}
# Of the others every point is skipped without a GPU, which is exit status 1.
files=$(find "$TOP/experiments" -name '*.yaml' ! -name fetch.yaml ! -name l2_shared_window.yaml | sort | tr '\n' ' ')
for words in --help --version list devices "describe stride gbps block lua n" "check $files" \
    "plan $files"; do
    # shellcheck disable=SC2086
    need clean 0 "$own" $words
done
for name in $files; do
    need clean 2 "$own" check "$name" -s nosuch=1
done
need clean 0 "$own" "$TOP/experiments/stride.yaml" -s n=64Ki -d sim
need clean 0 "$own" "$TOP/experiments/transpose.yaml" -s n=256 -d sim
need clean 2 "$own" nosuch.yaml
head -c 100000 /dev/urandom > noise.yaml
need clean 2 "$own" noise.yaml
