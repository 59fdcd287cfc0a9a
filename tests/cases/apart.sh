# A process in which NVRTC has been loaded cannot fork workers that use CUDA: the program itself never loads it, its
# workers do.
# SPDX-License-Identifier: MIT
export XDG_CACHE_HOME=$PWD/cache
"$GPUEXP" "$TOP/experiments/stride.yaml" -d sim -q -s n=16Mi -s 'expect=[]' > out 2>&1 &
pid=$! worker_did=no
while [ -d /proc/$pid ] && [ "$(awk '{ print $3 }' /proc/$pid/stat 2> /dev/null)" != Z ]; do
    if grep -qs libnvrtc /proc/$pid/maps; then
        kill $pid
        echo "the program loaded NVRTC: its workers cannot use CUDA" >&2
        exit 1
    fi
    for child in $(cat /proc/$pid/task/$pid/children 2> /dev/null); do
        if grep -qs libnvrtc /proc/"$child"/maps; then worker_did=yes; fi
    done
done
wait $pid
need [ $? = 0 ]
[ $worker_did = yes ] || skip "no NVRTC here, so that nothing could load it"
