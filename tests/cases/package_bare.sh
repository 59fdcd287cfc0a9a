# The package and the tarball on a bare machine, as Debian makes one: `dpkg -i` leaves the package configured, and what
# is installed runs a point as soon as there is a compiler for kernels.
# full: it needs debootstrap, and packages of the distribution
# SPDX-License-Identifier: MIT
build=$(dirname "$GPUEXP")
[ -e "$build/CPackConfig.cmake" ] || skip "$build is no build folder"
grep -qE '^GPUEXP_SANITIZE:BOOL=ON' "$build/CMakeCache.txt" && skip "a package is made of a plain build"
PATH=$PATH:/usr/sbin:/sbin
command -v debootstrap > /dev/null || lacks debootstrap
unshare -m true 2> /dev/null || skip "this machine lets nobody mount: unshare -m"
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
need cpack -G DEB --config "$build/CPackConfig.cmake" -B "$PWD/out" > log
need cpack -G TGZ --config "$build/CPackConfig.cmake" -B "$PWD/out" > log
debootstrap --variant=minbase "$suite" root > log 2>&1 || { tail -n 5 log; exit 1; }
cp out/*.deb root/gpuexp.deb
cp out/*.tar.gz root/gpuexp.tgz
cp /etc/resolv.conf root/etc/
cat > root/try << 'END'
set -eu
mount -t proc proc /proc
if command -v clang gcc cmake; then exit 1; fi
dpkg -i gpuexp.deb
[ "$(dpkg-query -W -f '${Status}' gpuexp)" = "install ok installed" ]
mkdir /opt/gpuexp
tar -xzf gpuexp.tgz --strip-components=1 -C /opt/gpuexp
if gpuexp stride -d sim -s n=1Ki -o /tmp/none.csv > said 2>&1; then exit 1; fi # nothing compiles a kernel yet,
grep -q clang said                                                            # which it says
apt-get update -q
apt-get install -y -q --no-install-recommends clang > /dev/null
useradd student
cd /tmp
for program in /usr/bin/gpuexp /opt/gpuexp/usr/bin/gpuexp; do
    name=$(echo $program | tr / _)
    su student -c "$program stride -d sim -s n=1Ki -s stride=8 -o $name.csv"
    grep -q ',ok,' $name.csv
    su student -c "$program describe stride" | grep -q "${program%/bin/gpuexp}/share/gpuexp/kernels/stride.cu"
done
END
unshare -mpf chroot root env -i PATH="$PATH" HOME=/root LC_ALL=C bash /try > log 2>&1 < /dev/null ||
    { tail -n 20 log; exit 1; }
