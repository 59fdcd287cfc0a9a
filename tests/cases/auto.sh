# `device: auto` takes the simulator where there is no GPU, and only there: a driver that ends the process which asks
# it, or a system in trouble, is an error. (A driver of our own, which does that.)
# SPDX-License-Identifier: MIT
case $(gpuexp devices) in
    *"built without the CUDA Toolkit"*) skip "this build knows no driver that could be asked" ;;
esac
cat > cuda.c << 'END'
#include <signal.h>
#include <unistd.h>
int die(void) { kill(getpid(), SIGKILL); return 0; }
int cuInit(unsigned flags) { return 100; } // the compiler asks it too
int cuDriverGetVersion(int *version) __attribute__((alias("die")));
int cuGetProcAddress(void) __attribute__((alias("die")));
int cuGetProcAddress_v2(void) __attribute__((alias("die")));
END
need cc -shared -fPIC -w -o libcuda.so.1 cuda.c
export LD_LIBRARY_PATH=$PWD
cat > x.yaml << 'END'
kernel: stride
with: {n: 32}
for: {sim: {n: 64}}
END
refused() {
    gpuexp "$@" > log 2>&1
    need [ $? = 3 ]
    need grep -q 'cannot be told\|`auto` cannot be opened: the worker died of SIGKILL' log
    need [ -z "$(ls reports 2> /dev/null)" ]
}
refused x.yaml
sed -i '/^for/d' x.yaml
refused x.yaml
need grep -q 'the worker died of SIGKILL' log
refused x.yaml -d auto
need gpuexp x.yaml -d sim -q
rm -rf reports
# A library that is there and cannot be loaded for want of memory is not one that is missing.
head -c 100M /dev/zero >> libcuda.so.1
need gpuexp devices > out
need grep -q '^cuda: it cannot be told: ' out
unset LD_LIBRARY_PATH
need gpuexp x.yaml -d auto -q
