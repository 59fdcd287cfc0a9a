# Memory of every shape on the simulator: data arrives, results are checked, accesses counted; what needs hardware says
# so.
# SPDX-License-Identifier: MIT
column() { cells "$1" "$2" | tr '\n' ' '; }
need gpuexp "$TOP/experiments/layout.yaml" -d sim -q -s height=64 -s depth=2 -s width=1001
need [ "$(column reports/layout.csv status)" = "ok ok " ]
# 1001 floats a row: 32 warps of 4 sectors, the last with 9 lanes and 2; without a pitch most rows begin off a boundary.
need [ "$(column reports/layout.csv ld_sectors)" = "19600 16128 " ]
need gpuexp "$TOP/experiments/lookup.yaml" -d sim -q -s n=4Ki -s 'places=[1, 8]'
need [ "$(column reports/lookup.csv status)" = "ok ok ok ok ok ok ok ok " ]
if command -v clang > /dev/null; then # its device language knows textures too, or the whole file would fail to compile
    GPUEXP_COMPILER=clang need gpuexp "$TOP/experiments/lookup.yaml" -d sim -q -s n=4Ki -s 'places=[1, 8]' -o clang.csv
    need [ "$(column clang.csv status)" = "ok ok ok ok ok ok ok ok " ]
fi
need gpuexp "$TOP/experiments/transfer.yaml" -d sim -q -s 'n=[256, 4096]' -s 'host=[pageable, pinned]'
need [ "$(column reports/transfer.csv status)" = "ok ok ok ok ok ok ok ok " ]
need [ "$(column reports/transfer.csv useful_bytes)" = "1024 1024 1024 1024 16384 16384 16384 16384 " ]
need [ -z "$(column reports/transfer.csv time_us | tr -d ' ')" ]
need gpuexp "$TOP/experiments/managed.yaml" -d sim -q -s n=4Ki
need [ "$(column reports/managed.csv status | tr ' ' '\n' | sort -u | tr -d '\n')" = ok ]

# A kernel that ignores the pitch goes astray as soon as there is one, and only then.
sed 's/y \* pitch/y * 1001 * sizeof(float)/; s/z \* slice/z * 1001 * 64 * sizeof(float)/;
    s/void rows(/void heedless(/' "$TOP/kernels/rows.cu" > heedless.cu
sized='with: {height: 64, depth: 2, block: [32, 8, 1], device: sim}'
printf 'kernel: ./heedless.cu\n%s\nsweep: {memory: [device, pitched]}\n' "$sized" > heedless.yaml
need [ "$(gpuexp heedless.yaml -q > log 2>&1; echo $?)" = 1 ]
need [ "$(column reports/heedless.csv status)" = "ok failed " ]
need grep -q 'load of 4 bytes at byte 0 of the padding behind row 0 of `in`: a row has 4004 bytes' reports/heedless.csv
# What lies behind a row is nobody's. A vector that begins in the row may reach over its end.
sed 's/x >= width/x > width/; s/void rows(/void further(/' "$TOP/kernels/rows.cu" > further.cu
sed '/return;/a\
    if (x == width - 1 && out_pitch > 4 * width) {\
        *(float2 *)(out + place(x, y, z, out_pitch, out_slice)) =\
            *(const float2 *)(in + place(x, y, z, in_pitch, in_slice));\
        return;\
    }
    s/void rows(/void over(/' "$TOP/kernels/rows.cu" > over.cu
printf 'kernel: ./further.cu\n%s\nsweep: {memory: [pitched]}\n' "$sized" > further.yaml
sed 's/further/over/' further.yaml > over.yaml
need [ "$(gpuexp further.yaml -q > log 2>&1; echo $?)" = 1 ]
need grep -q 'failed,"out-of-bounds .* at byte 0 of the padding behind row [0-9]* of' reports/further.csv
need gpuexp over.yaml -q
need [ "$(column reports/over.csv status)" = "ok " ]

# `pitch` without a name is for all buffers, as long as all have the same.
sed 's/size_t in_pitch,/size_t pitch,/; s/size_t in_slice, size_t out_pitch, size_t out_slice/size_t slice/;
    s/\(in\|out\)_\(pitch\|slice\)/\2/g; s/void rows(/void bare(/' \
    "$TOP/kernels/rows.cu" > bare.cu
printf 'kernel: ./bare.cu\n%s\nsweep: {memory: [device, pitched], memory.out: [device, pitched]}\n' "$sized" > bare.yaml
gpuexp bare.yaml -q > log 2>&1
need [ "$(column reports/bare.csv status)" = "ok failed failed ok " ]
need grep -q 'take `in_pitch` and `out_pitch`' reports/bare.csv

# A variable that is not there, or too small, and a pointer where a variable is asked for.
gpuexp "$TOP/experiments/lookup.yaml" -d sim -q -s n=4Ki -s places=1 -s variant=global -s memory.table=constant \
    -o a.csv > log 2>&1
need [ $? = 1 ]
need grep -q 'is for a variable of the source' a.csv
sed 's/table_constant\[4096\]/table_constant[4095]/; s/% 4096/% 4095/' "$TOP/kernels/lookup.cu" > lookup.cu
printf 'kernel: ./lookup.cu\nwith: {n: 4096, variant: constant, memory.table: constant, device: sim}\n' > small.yaml
gpuexp small.yaml -q > log 2>&1
need grep -q 'has 16380 bytes, the buffer `table` 16384' reports/small.csv

# The place of one buffer is a name in every expression, also where the buffer is called by a word of Lua.
cat > one.yaml <<'E'
kernel: copy
with: {n: 1024, device: sim}
sweep: {memory.in: [device, mapped], each: [1, 2]}
where: memory.in == "mapped" or each == 1
derive: {seen: "memory.in == 'mapped' and 1 or 0"}
expect:
  - {when: memory.in == "device", that: each == 1 and seen == 0}
  - {when: memory.in == "mapped", that: seen == 1}
E
gpuexp one.yaml -o one.csv > one.log 2>&1 || { cat one.log; exit 1; }
need grep -q '3 ok; every expectation holds' one.log
gpuexp one.yaml -o two.csv -s 'expect=[{when: "memory.in == \"mapped\"", that: each < 2}]' > two.log 2>&1
need [ $? = 1 ]
gpuexp check one.yaml -s 'where=memory.out == "mapped"' > three.log 2>&1
need [ $? = 2 ]
need grep -q 'unknown name `memory.out`' three.log
need [ "$(gpuexp check one.yaml -s 'derive.x=memory.in + memory_in' > four.log 2>&1; echo $?)" = 2 ]
