# The Debian package: it names what the program needs, and unpacked anywhere it finds its own kernels and runs one.
# full: it packs the whole program
# SPDX-License-Identifier: MIT
command -v dpkg-shlibdeps > /dev/null || lacks dpkg-dev
build=$(dirname "$GPUEXP")
[ -e "$build/CPackConfig.cmake" ] || skip "$build is no build folder"
# A build with a sanitizer is not what is packed.
grep -qE '^GPUEXP_SANITIZE:BOOL=ON' "$build/CMakeCache.txt" && skip "a package is made of a plain build"
need cpack -G DEB --config "$build/CPackConfig.cmake" -B "$PWD/out" > log
need cpack -G TGZ --config "$build/CPackConfig.cmake" -B "$PWD/out" > log
tar -xzf out/*.tar.gz && need [ "$(gpuexp-*/usr/bin/gpuexp --version)" = "$(gpuexp --version)" ]
deb=$(ls out/*.deb)
need [ -s "$deb" ]
dpkg-deb -f "$deb" > control || exit 1
need grep -qE '^Depends:.*\blibc6\b' control
# `dpkg -i` fetches nothing: it depends on no library that a bare machine lacks.
need [ "$(grep -cE '^Depends:.*(libyaml|liblua|libcsv)' control)" = 0 ]
need grep -q '^Recommends: clang$' control
need grep -qE '^Maintainer: .+' control
need dpkg-deb -x "$deb" root
need [ "$(find root -type f -path '*usr/share/man/*' | wc -l)" = 3 ]
need [ -s root/usr/share/doc/gpuexp/copyright ]
cd root/usr || exit 1
env -i PATH=/usr/bin:/bin HOME="$scratch" bin/gpuexp describe stride > ../../said || exit 1
need grep -q 'root/usr/share/gpuexp/kernels/stride.cu' ../../said
need env -i PATH=/usr/bin:/bin HOME="$scratch" bin/gpuexp vecadd -q -d sim -s n=1Ki -o ../../x.csv
need grep -q ',ok,' ../../x.csv
