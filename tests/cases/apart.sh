# A process in which NVRTC has been loaded cannot fork workers that use CUDA, and a compile may take all memory: neither
# the program nor a worker loads it, but a process that a worker starts.
# SPDX-License-Identifier: MIT
export XDG_CACHE_HOME=$PWD/cache
"$GPUEXP" "$TOP/experiments/stride.yaml" -d sim -q -s n=1Mi -s 'expect=[]' > out 2>&1 &
pid=$! loaded=no
while [ -d /proc/$pid ] && [ "$(awk '{ print $3 }' /proc/$pid/stat 2> /dev/null)" != Z ]; do
    workers=$(cat /proc/$pid/task/$pid/children 2> /dev/null)
    for process in $pid $workers; do
        [ "$(awk '{ print $4 }' /proc/"$process"/stat 2> /dev/null)" = $pid ] || [ $process = $pid ] || continue
        if grep -qs libnvrtc /proc/"$process"/maps; then
            kill $pid
            echo "the program or its worker loaded NVRTC" >&2
            exit 1
        fi
    done
    for worker in $workers; do
        for compiler in $(cat /proc/"$worker"/task/"$worker"/children 2> /dev/null); do
            if grep -qs libnvrtc /proc/"$compiler"/maps; then loaded=yes; fi
        done
    done
    sleep 0.05 # what is loaded stays loaded
done
wait $pid
need [ $? = 0 ]
[ $loaded = yes ] || ! nvrtc || need false
[ $loaded = yes ] || skip "no NVRTC here, so that nothing could load it"
