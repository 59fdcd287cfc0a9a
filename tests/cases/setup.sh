# setup.sh: called again it does nothing; on a bare machine it names what is missing, and installs it if it
# is allowed to; it shows its progress.
# SPDX-License-Identifier: MIT
if [ "$(dirname "$GPUEXP")" = "$TOP/build" ]; then
    before=$(stat -c %Y "$GPUEXP")
    "$TOP/runner/setup.sh" > log 2>&1
    need [ "$? $(< log)" = "0 " ]
    need [ "$(stat -c %Y "$GPUEXP")" = "$before" ]
fi

# A machine with a shell and coreutils, and nothing else but what `with` names.
mkdir -p clone/runner bin
cp "$TOP/runner/setup.sh" clone/runner/
for tool in bash sh env cat sed grep ls dirname rm id sleep; do ln -s "$(command -v $tool)" bin/; done
bare() { PATH=$PWD/bin CC='' clone/runner/setup.sh "$@" 2>&1; }
fake() { printf '#!/bin/sh\n%s\n' "$2" > "bin/$1" && chmod +x "bin/$1"; }

rm bin/id
fake id 'echo 1000'
bare > out # no right to install
need [ $? = 3 ]
for package in gcc libc6-dev cmake ninja-build libyaml-dev liblua5.4-dev libcsv-dev clang; do
    need grep -qw -- "$package" out
done
need [ "$(grep -c slurm out)" = 0 ]

# A Toolkit where a module or a virtual environment has it: kernels are compiled without clang.
mkdir -p clone/runner/base toolkit/nvidia/cuda_nvrtc/lib
touch toolkit/nvidia/cuda_nvrtc/lib/libnvrtc.so.12
sed 's/^[/].*//' "$TOP/runner/base/toolkit.txt" > clone/runner/base/toolkit.txt # no place of this machine
unset CUDA_HOME CUDA_PATH CUDA_ROOT NVHPC_CUDA_HOME CONDA_PREFIX VIRTUAL_ENV
HOME=$PWD bare > out
need grep -qw -- clang out
CUDATOOLKIT_HOME=$PWD/toolkit/nvidia/cuda_nvrtc bare > out
need [ "$(grep -cw -- clang out)" = 0 ]
mkdir -p venv/lib/python3.11/site-packages
mv toolkit/nvidia venv/lib/python3.11/site-packages/
VIRTUAL_ENV=$PWD/venv bare > out
need [ "$(grep -cw -- clang out)" = 0 ]
rm clone/runner/base/toolkit.txt

fake sudo '[ "$1" = -n ] && shift; exec "$@"'
fake apt-get 'echo "$@" >> apt.log'
bare < /dev/null > out # may install, by sudo; what it installs is not there, so that it ends at cmake
need [ $? = 3 ]
need grep -q '^install .*gcc libc6-dev cmake ninja-build libyaml-dev liblua5.4-dev libcsv-dev clang' clone/apt.log

fake apt-get 'exit 100'
bare < /dev/null > out
need [ $? = 3 ]
need grep -q 'could not install' out

# Its progress: a line a step, and one every few seconds in a step that takes longer.
fake apt-get '[ "$1" = update ] || printf "%s\n" "0 upgraded, 88 newly installed, 0 to remove." \
    "Need to get 98.2 MB of archives." "Get:12 http://deb x 1"; [ -z "$SLOW" ] || sleep 2
    [ "$1" = update ] || printf "%s\n" "Fetched 98.2 MB in 3s" "Setting up cmake (3.25)"; [ -z "$SLOW" ] || sleep 2'
fake cmake '[ "$1" = -S ] && exit; echo "[80/320] Building C object"; sleep 7
    echo "[320/320] Linking C executable gpuexp"'
mkdir clone/build
bare --with-checks > out
need [ $? = 0 ]
sed -i 's/ \(slurmctld\|slurmd\|munge\|debootstrap\|bsdutils\)\b//g' out # what is in /usr/sbin here is found
checks="python3 python3-jsonschema python3-yaml zsh fish mandoc valgrind libc6-dbg dpkg-dev file chromium"
checks="$checks fonts-dejavu-core poppler-utils ninja-build libyaml-dev liblua5.4-dev libcsv-dev"
need diff - out << END
setup: installing slurm-client gcc libc6-dev clang clang-format-14 $checks
setup: looking at this machine (cmake)
setup: building
setup: building: 25 %
setup: built build/gpuexp; next:  build/gpuexp experiments/stride.yaml
END
# On a terminal it is one line, which changes.
TERM=xterm SLOW=1 script -qec "PATH=$PWD/bin CC= clone/runner/setup.sh --with-checks" /dev/null < /dev/null > screen
escape=$(printf '\033')
for told in 'fetching 12 of 88 (98.2 MB)' 'setting up 1 of 88'; do
    need grep -qF "$escape[Ksetup: installing: $told" screen
done
need [ "$(tr '\r' '\n' < screen | grep -c '^setup: installing: ')" = 0 ] # each is written over
fake cmake '[ "$1" = -S ] && exit; echo "[3/320] Building C object x.o"; echo "x.c:3: error"; exit 1'
bare > out
need [ $? = 3 ]
need grep -q '^x.c:3: error$' out
bare --with-nothing > out
need [ $? = 2 ]
