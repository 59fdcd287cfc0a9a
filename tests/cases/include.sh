# A user's file that a kernel includes is part of the kernel: for the row's key, the compiler and the messages. No other
# file is read, and no message quotes a file that does not belong to a kernel.
# SPDX-License-Identifier: MIT
mkdir -p mine/sub other
cat > mine/k.cu << 'END'
/*
about: doubles by a helper
params: {n: 64}
buffers: {in: {type: float, count: n, access: read}, out: {type: float, count: n, access: write}}
threads: n
*/
#include "helper.h"
#include "sub/deep.h" // and this one what is beside it
extern "C" __global__ void k(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = twice(in[i]) + zero();
}
__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == FACTOR * in[i]; }
END
cat > mine/helper.h << 'END'
#pragma once
#include "sub/deep.h"
#define FACTOR 2
inline __device__ float twice(float x) { return FACTOR * x; }
END
printf '#pragma once\n#include "near.h"\n#include "../helper.h"\n' > mine/sub/deep.h
printf '#ifndef NEAR\n#define NEAR\ninline __device__ float zero() { return 0; }\n#endif\n' > mine/sub/near.h
echo 'kernel: ./mine/k.cu' > e.yaml
key() { tail -1 "$1" | cut -d, -f3; }

"$GPUEXP" e.yaml -d sim -q -o 1.csv || echo "does not run"
sed -i 's/FACTOR 2/FACTOR 3/' mine/helper.h
"$GPUEXP" e.yaml -d sim -q -o 2.csv || echo "does not run with the helper changed"
[ "$(key 1.csv)" != "$(key 2.csv)" ] || echo "the helper is not in the key"
sed -i 's/FACTOR \* x/4 * x/' mine/helper.h
"$GPUEXP" e.yaml -d sim -q --fresh -o 2.csv 2> log && echo "stale code was run: $(tail -1 2.csv)"

echo "--- a mistake in a helper is told at its place, one in the kernel at its own"
cp mine/helper.h helper.kept
sed -i '$s/return/return nonsense +/' mine/helper.h
"$GPUEXP" e.yaml -d sim -q --fresh -o 3.csv > log 2>&1
grep -o '\./mine/helper.h:4:[0-9]*: [a-z ]*"*' 3.csv | head -1 | sed 's/:[0-9]*: .*//'
cp helper.kept mine/helper.h
sed 's/zero()/zero(nonsense)/' mine/k.cu > mine/k2.cu
sed -i 's/void k(/void k2(/' mine/k2.cu
"$GPUEXP" e.yaml -s kernel=./mine/k2.cu -d sim -q -o 4.csv > log 2>&1
grep -o '\./mine/k2.cu:12:' 4.csv

echo "--- a header that stands in a part which is left out is there in the next, by each compiler that is here"
sed 's/4 \* x/FACTOR * x/' helper.kept > mine/helper.h
sed 's/void k(/void k3(/' mine/k.cu > mine/k3.cu
sed -i 's|^.include "helper.h"|#if 0\n#include "sub/near.h"\n#include "helper.h"\n#endif\n&|' mine/k3.cu
for by in nvrtc nvcc clang; do
    GPUEXP_COMPILER=$by "$GPUEXP" e.yaml -s kernel=./mine/k3.cu -d sim -q --fresh -o 6.csv > log 2>&1 ||
        grep -q "no libnvrtc\|no nvcc\|no clang" log || { echo "$by:"; cat log; }
done
cp helper.kept mine/helper.h

echo "--- files of others"
echo 'int x = SECRET;' > other/secret.h
echo 'int y = SECRET;' > here.h # in the folder that the program is started in, which is not the kernel's
ln -s ../other/secret.h mine/link.h
refused() {
    sed "s|^.include \"helper.h\"|$1|" mine/k.cu > mine/bad.cu
    sed -i 's/void k(/void bad(/' mine/bad.cu
    "$GPUEXP" e.yaml -s kernel=./mine/bad.cu -d sim -q --fresh -o 5.csv > log 2>&1
    status=$?
    [ $status != 0 ] || echo "taken: $1"
    grep -qs SECRET log 5.csv && echo "quoted after $1"
    why='outside the kernel.s folder|in quotes or brackets|is not for kernels|cannot open source file|file not found'
    echo "$status $(grep -hsoE "$why" log 5.csv | head -1)"
}
for line in '#include "../other/secret.h"' "#include \"$PWD/other/secret.h\"" "#include <$PWD/other/secret.h>" \
    '#include <../other/secret.h>' '#include "link.h"' '#inc\\\nlude "../other/secret.h"' \
    '%:include "../other/secret.h"' '# /**/ include /**/ "../other/secret.h"' \
    '#define H "here.h"\n#include H' '#embed "../other/secret.h"' '#import "../other/secret.h"'; do
    refused "$line"
done
refused '#include "../other/secret.h"' > out
grep -q -e '--allow-include ./mine/../other lets' log || echo "the folder to be allowed is not named"
sed 's|^.include "helper.h"|#include "here.h"|; s/void k(/void bad(/' mine/k.cu > mine/bad.cu
"$GPUEXP" e.yaml -s kernel=./mine/bad.cu -d sim -q --fresh -o 5.csv > log 2>&1 && echo "taken: here.h"
grep -qs SECRET log 5.csv && echo "quoted after here.h"
sed -i 's/SECRET/3/' other/secret.h
sed 's|^.include "helper.h"|#include "../other/secret.h"\n&|; s/void k(/void bad(/' mine/k.cu > mine/bad.cu
sed -i 's/4 \* x/FACTOR * x/' mine/helper.h
"$GPUEXP" e.yaml -s kernel=./mine/bad.cu -d sim -q --fresh --allow-include other -o 5.csv ||
    echo "an allowed folder is refused"
