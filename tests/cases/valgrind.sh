# The unit tests under valgrind, which sees what AddressSanitizer does not: memory that decides something before it was
# written. Left out are tests that limit the memory of processes they start, and long ones; they run sanitized.
# slow: an interpreted processor
# timeout: 900
# SPDX-License-Identifier: MIT
command -v valgrind > /dev/null || lacks valgrind
build=$(dirname "$GPUEXP")
clean() {
    valgrind --quiet --error-exitcode=66 --leak-check=full --errors-for-leak-kinds=definite "$@" > log 2>&1 ||
        { tail -60 log; return 1; }
}
tried=0
here=$PWD
for test in "$build"/tests/unit_*; do
    name=${test##*/unit_}
    case $name in
    outside | run | run_[cde]* | sandbox* | worker) continue ;; # limit memory or time
    compile_* | contexts | cuda | device_math | device_sim | fence | kept_reports | measure | report_unread) continue ;;
    sim_golden | sim_random*) continue ;;
    sim_alu) continue ;; # compares NaN with vector instructions, which valgrind 3.19 gets wrong
    esac
    cd "$build" || exit 1 # as ctest starts them
    need clean "$test"
    cd "$here" || exit 1
    tried=$((tried + 1))
done
need [ "$tried" -gt 50 ]
