# setup.sh: called again it does nothing and is quick; on a bare machine it names what is missing, and installs it where it may.
# SPDX-License-Identifier: MIT
if [ "$(dirname "$GPUEXP")" = "$TOP/build" ]; then
    before=$(stat -c %Y "$GPUEXP")
    need timeout 20 "$TOP/runner/setup.sh" > log 2>&1
    need [ ! -s log ]
    need [ "$(stat -c %Y "$GPUEXP")" = "$before" ]
fi

# A machine with a shell and coreutils, and nothing else but what `with` names.
mkdir -p clone/runner bin
cp "$TOP/runner/setup.sh" clone/runner/
for tool in bash sh env cat sed grep ls dirname rm id; do ln -s "$(command -v $tool)" bin/; done
bare() { PATH=$PWD/bin CC='' CUDA_HOME=/nonexistent clone/runner/setup.sh 2>&1; }
fake() { printf '#!/bin/sh\n%s\n' "$2" > "bin/$1" && chmod +x "bin/$1"; }

rm bin/id
fake id 'echo 1000'
bare > out # no right to install
need [ $? = 3 ]
for package in gcc libc6-dev cmake ninja-build libyaml-dev liblua5.4-dev libcsv-dev clang; do need grep -qw -- "$package" out; done

fake sudo '[ "$1" = -n ] && shift; exec "$@"'
fake apt-get 'echo "$@" >> apt.log'
bare < /dev/null > out # may install, by sudo; what it installs is not there, so that it ends at cmake
need [ $? = 3 ]
need grep -q '^install .*gcc libc6-dev cmake ninja-build libyaml-dev liblua5.4-dev libcsv-dev clang' clone/apt.log

fake apt-get 'exit 100'
bare < /dev/null > out
need [ $? = 3 ]
need grep -q 'could not install' out
