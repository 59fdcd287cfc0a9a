# In a container as clusters have them: nothing but the working folder can be written to, not even HOME and TMPDIR,
# /dev/shm is read-only, and the cache of kernels stands elsewhere or nowhere. All works, and nothing is left elsewhere.
# SPDX-License-Identifier: MIT
own=-m
[ "$(id -u)" = 0 ] || own=-rm
unshare $own true 2> /dev/null || skip "this machine lets nobody mount: unshare $own"
printf 'name ACME X9\ntime 100\n' > gpu
printf 'kernel: stride\nwith: {n: 4Ki}\nsweep: {stride: [1, 8]}\n' > x.yaml
cat > inside << 'END'
set -u
gpuexp() { "$GPUEXP" "$@"; }
step() { "$@" || { echo "does not hold: $*"; exit 1; }; }
mount --bind "$PWD" "$PWD" || exit 77
mount -o remount,bind,ro / || exit 77
for point in /tmp /dev/shm /var/tmp; do mount -o remount,bind,ro $point 2> /dev/null; done
cd "$PWD"
export HOME=/root TMPDIR=/tmp
unset XDG_CACHE_HOME
! touch "$HOME/x" 2> /dev/null || exit 77
! touch /tmp/x 2> /dev/null || exit 77
step gpuexp x.yaml -q -d sim
step gpuexp x.yaml -q -d sim --fresh -s stride=1 -o one.csv
step gpuexp x.yaml -q -d script:gpu -o timed.csv
step gpuexp x.yaml -q -d script:gpu --shard 1/1 -o shard.csv
step gpuexp health -q -d script:gpu
step gpuexp explain x.yaml -d sim > said
step gpuexp report reports/x.csv -q
step gpuexp status reports/x.csv > said
mkdir cache
XDG_CACHE_HOME=$PWD/cache step gpuexp x.yaml -q -d sim --fresh -o kept.csv
step [ -n "$(find cache -type f)" ] # kernels are kept where there is room
END
unshare $own bash inside
status=$?
[ $status != 77 ] || skip "the file system cannot be made read-only here"
need [ $status = 0 ]
