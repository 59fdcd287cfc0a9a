# Some of all calls to the system fail, and at some the power is cut: nothing that was told is lost (fault/fault.sh
# says what is looked at). A sample of what case/faulted does.
# SPDX-License-Identifier: MIT
. "$TOP/tests/fault/fault.sh"
RANDOM=11
fault_begin
for scene in run resume fresh merge submit; do
    fault_all $scene write 28 $([ $scene = submit ] && echo 211 || echo 13) # most of submit's are a compiler's headers
    fault_all $scene sync 5 5
    fault_all $scene name 5 7
    fault_all $scene memory 12 701
    [ $scene = submit ] || fault_power $scene 47
done
fault_all run open 24 17
fault_all run process 11 2
fault_all run read 5 13 child
need [ $fault_tried -gt 30 ]
echo "$fault_tried tried"
