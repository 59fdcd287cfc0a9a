# Some blocks stand for all: the same counts where blocks are alike, an interval where they are not, and no result.
# SPDX-License-Identifier: MIT
cat > gather.cu << 'END'
/*
about: Rows of lengths that are read.
params:
  n: {default: 256Ki, about: elements}
buffers:
  in: {type: int, count: n, access: read, fill: {random: [0, 1000]}}
  out: {type: int, count: n, access: write}
threads: n
*/
extern "C" __global__ void gather(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int k = 0; k < in[i] % 10; k++) sum += in[(i * 7 + k * 13) % n];
    out[i] = sum;
}
__device__ int expected(size_t i, const int *in, long long n)
{
    int sum = 0;
    for (int k = 0; k < in[i] % 10; k++) sum += in[(i * 7 + k * 13) % n];
    return sum;
}
END
# cell FILE COLUMN: of the first row.
cell() {
    sed 's/"[^"]*"//g' "$1" |
        awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } NR == 2 { print $at }'
}
echo '{kernel: matmul, with: {n: 256, variant: tiled16, block: [16, 16]}}' > alike.yaml
echo '{kernel: ./gather.cu}' > gather.yaml
for f in alike gather; do
    "$GPUEXP" -q $f.yaml -d sim -o $f.all.csv > log 2>&1
    need [ $? = 0 ]
    "$GPUEXP" -q $f.yaml -d sim -s sample=32 -o $f.some.csv > log 2>&1
    need [ $? = 0 ]
    need [ "$(cell $f.all.csv status)" = ok ]
    need grep -qxE "sass|ptx" <<< "$(cell $f.all.csv counts)"
    need [ "$(cell $f.all.csv counts_within_pct)" = '' ]
    need [ "$(cell $f.some.csv status)" = unverified ]
    need [ "$(cell $f.some.csv counts)" = sampled ]
done
for c in ld_requests ld_sectors st_sectors shared_wavefronts bank_conflicts lanes_per_access; do
    need [ "$(cell alike.all.csv $c)" = "$(cell alike.some.csv $c)" ]
done
need [ "$(cell alike.some.csv counts_within_pct)" = 0.000 ]
said='only some blocks ran (`sample`); .* of 256 blocks ran and stand for all: all counts are exact'
need grep -q "$said" alike.some.csv
# The interval of the count that differs is told, and holds it.
need grep -q 'ld_sectors +- [0-9]*' gather.some.csv
within=$(sed -n 's/.*ld_sectors +- \([0-9]*\).*/\1/p' gather.some.csv)
off=$(($(cell gather.all.csv ld_sectors) - $(cell gather.some.csv ld_sectors)))
need [ "${off#-}" -le "$within" ]
need [ "$((within * 4))" -lt "$(cell gather.all.csv ld_sectors)" ]
need [ "$(cell gather.all.csv st_sectors)" = "$(cell gather.some.csv st_sectors)" ]
# A grid that is hardly larger runs whole, and is verified.
"$GPUEXP" -q alike.yaml -d sim -s sample=200 -o whole.csv > log 2>&1
need [ "$(cell whole.csv status)" = ok ]
need grep -qxE "sass|ptx" <<< "$(cell whole.csv counts)"
need grep -q 'all blocks ran: there are hardly more' whole.csv
cat > ticket.cu <<'END'
/*
buffers:
  next: {type: unsigned, count: 1, access: both, fill: 0}
  out:  {type: unsigned, count: 65536, access: write}
threads: 65536
block: 256
*/
extern "C" __global__ void ticket(unsigned *next, unsigned *out)
{
    const unsigned at = atomicAdd(next, 1);
    out[at] = at;
}
END
echo '{kernel: ./ticket.cu}' > ticket.yaml
"$GPUEXP" -q ticket.yaml -d sim -s sample=8 -o ticket.csv > log 2>&1
need grep -qxE "sass|ptx" <<< "$(cell ticket.csv counts)"
need grep -q '`sample`: all blocks ran: what an atomic gave decides' ticket.csv
