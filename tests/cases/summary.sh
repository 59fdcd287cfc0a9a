# What a run shows of its points: a metric where the file asks for none, the points and columns of a script, digits
# that matter; and a page of all reports of a folder leaves out the tables beside them.
# SPDX-License-Identifier: MIT
printf 'kernel: stride\nwith: {n: 64Ki, device: sim, model: none}\nsweep: {stride: [1, 2]}\n' > plain.yaml
need gpuexp plain.yaml > out 2> log
sed '$s/; [0-9.]* [a-z]*;/; TIME;/' out
cat > twice.lua <<'END'
return {
    columns = {waste = "sectors fetched for each of 4"},
    points = function() return {{stride = 4}, {stride = 8}} end,
    derive = function(row) return {waste = row.sectors_per_request / 4} end,
    done = function(rows) return {lines = {}, tables = {all = {{rows = #rows}}}} end,
}
END
printf 'kernel: stride\nwith: {n: 64Ki, stride: 1, device: sim, model: none}\nscript: ./twice.lua\n' > made.yaml
need gpuexp made.yaml > out 2> log
sed '$s/; [0-9.]* [a-z]*;/; TIME;/' out
sort log | grep stride=
# 4 bytes in 3 s are not 0.00 GB/s.
printf 'time 3000000\n' > slow
printf 'kernel: vecadd\nwith: {n: 1, device: "script:slow"}\nmeasure: {max_samples: 3, max_time: 1us}\n' > slow.yaml
gpuexp slow.yaml > out 2> log
grep -o '[0-9.e-]* GB/s' log
# What is derived is shown in five digits. The report keeps them all.
printf 'time 500\n' > steady
printf 'kernel: vecadd\nwith: {n: 1Ki, device: "script:steady"}\nsweep: {block: [128, 256]}\n' > steady.yaml
printf 'derive: {seventh: block / 7, large: block * 1234.5678}\n' >> steady.yaml
need gpuexp steady.yaml > out 2> log
grep -E 'block|^ +(128|256)' out
need grep -q ',18.285714285714285,158024.6784' reports/steady.csv
need [ "$(ls reports/*.csv | wc -l)" -ge 4 ]
t gpuexp report reports/*.csv -o all.html
need [ "$(grep -c '<section' all.html)" = 4 ]
t gpuexp report reports/made.all.csv
# Where the usual counts are alike in all rows, those that differ are shown: here atomics, of which each lane makes one.
cat > bins.cu <<'END'
/*
params: {n: 64Ki, bins: 1}
buffers:
  in: {type: unsigned, count: n, access: read, fill: index}
  out: {type: unsigned, count: bins, access: both, fill: 0}
threads: n
*/
extern "C" __global__ void bins_(const unsigned *in, unsigned *out, size_t n, size_t bins)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&out[in[i] % bins], 1);
}
END
printf 'kernel: ./bins.cu\nwith: {device: sim, model: none}\nsweep: {bins: [1, 2, 1Ki]}\n' > bins.yaml
need gpuexp bins.yaml > out 2> log
need grep -qE '^ +bins .*atomic' out
need [ "$(grep -c ld_sectors out)" = 0 ]
# One claim that does not hold, two, and one of two.
for claims in '{that: n > 9Ki}' '{that: n > 9Ki}, {that: n > 8Ki}' '{that: n > 9Ki}, {that: n > 1}'; do
    printf 'kernel: vecadd\nwith: {n: 1Ki, device: "script:steady"}\nexpect: [%s]\n' "$claims" > claims.yaml
    gpuexp claims.yaml -q --fresh > out 2>&1
    need [ $? = 1 ]
    gpuexp claims.yaml --fresh 2> log | grep -oE '[^;]*expectation[^;]*'
done
