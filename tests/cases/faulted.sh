# Calls to the system fail one after another, with several errors, and the power is cut before each call that has to
# do with files: nothing that was told is lost, the status is right, and the next run completes what an undisturbed
# one writes (fault/fault.sh). GPUEXP_FAULTS=all tries every call, else every third; of those for memory every 151st,
# or with `all` every one.
# full: some hundred runs
# timeout: 7200
# SPDX-License-Identifier: MIT
. "$TOP/tests/fault/fault.sh"
fault_begin
step=3 memory=151
[ "${GPUEXP_FAULTS:-}" != all ] || step=1 memory=1
RANDOM=${GPUEXP_SEED:-5}
for scene in run resume fresh merge submit; do
    files=$step
    [ $scene != submit ] || files=$((10 * step)) # most of them are a compiler's headers
    for error in 24 5; do fault_all $scene open $error $files; done
    for error in 28 5; do
        fault_all $scene write $error $files
        fault_all $scene sync $error $step
        fault_all $scene name $error $step
    done
    fault_all $scene read 5 $step
    fault_all $scene process 11 1
    fault_all $scene memory 12 $memory
    [ $scene = submit ] || fault_power $scene $step
done
for family in open:24 open:5 read:5 write:28 process:11 process:12; do
    fault_all run ${family%:*} ${family#*:} $step child
done
fault_all run memory 12 $((memory == 1 ? 1 : memory / 10)) child
for scene in resume fresh merge remerge; do fault_beside $scene; done
fault_in_sets fault_beside
echo "$fault_tried tried"
