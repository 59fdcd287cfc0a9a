# Scripts in whole runs: what each hook's failure costs, more points round after round, resuming, the script's own
# parameters, and hostile scripts, which end in a sentence.
# SPDX-License-Identifier: MIT
experiment() { # script's path, more lines
    printf 'experiment: x\nkernel: stride\nwith: {n: 4Ki, device: sim}\nsweep: {stride: [1, 2, 4]}\nscript: %s\n%s\n' \
        "$1" "${2:-}" > x.yaml
}
script() { cat > s.lua; }
column() { cells "$1" "$2" | tr '\n' ' '; }

# A plan shows what the script made of the points.
experiment ./s.lua
script <<'END'
return {
    params = {least = {default = 0, about = "the least stride"}},
    points = function(axes)
        local points = {}
        for _, s in ipairs(axes.stride) do points[#points + 1] = {stride = s * 10, offset = s} end
        return points
    end,
    keep = function(point, params) return point.stride > params.least, "too near" end,
}
END
t gpuexp plan x.yaml
sed -i 's/n: 4Ki/n: 4Ki, offset: 0/' x.yaml
t gpuexp plan x.yaml
t gpuexp plan -s script.least=20 x.yaml
t gpuexp plan -s script.lest=20 x.yaml
t gpuexp plan -s script=./none.lua x.yaml

# A value that a kernel cannot take is reported before anything runs.
echo 'return {points = function() return {{stride = true}, {stride = 2}} end}' > s.lua
gpuexp plan x.yaml 2> log | need grep -q ' true  cannot run: `stride` takes a whole number, not `true`'

# What fails in `points` or `keep` stops before anything runs.
for hook in points keep; do
    experiment ./s.lua
    script <<END
local function helper(x)
    return x.stride + nil
end
return {$hook = function(p) return helper(p) end}
END
    t gpuexp x.yaml
    need [ ! -e reports ]
done

# In `derive` it costs the column, in `done` the summary; the rows are whole.
script <<'END'
return {
    columns = {half = "half the stride"},
    derive = function(row)
        if row.stride == 2 then error("not this one") end
        return {half = row.stride / 2}
    end,
    done = function(rows) return nil + 1 end,
}
END
gpuexp x.yaml > out 2> log
need [ $? = 1 ]
need grep -q '; the script failed; ' out
need [ "$(grep -c 'broken\|expectation' out)" = 0 ] # nothing was claimed
need [ "$(column reports/x.csv status)" = "ok ok ok " ]
need [ "$(column reports/x.csv half)" = "0.5  2 " ]
grep -v stride log
rm -r reports

# What a library complains of is wrong where it is called. Of a script that ships it is the experiment's own line.
script <<'END'
return {done = function(all)
    return {lines = {#rows.having(all, "half") .. " rows"}}
end}
END
gpuexp -q x.yaml 2> log
need [ $? = 1 ]
sed 's/.*; the script/the script/' log
experiment '{file: speedup, metric: ld_sectors, baseline: stride}'
gpuexp -q x.yaml 2> log
need [ $? = 1 ]
sed 's/.*; the script/the script/' log
# What an option names must be there before anything runs.
t gpuexp check -s script.metric=ld_sektors -s 'script.baseline=stride = 1, strid=1' x.yaml
t gpuexp check -s 'script.baseline=stride = 1, n=4096' x.yaml
t gpuexp check -s 'script.baseline=stride = 3' x.yaml
rm -r reports

# An expectation may use the script's columns; a verdict counts like one.
experiment ./s.lua 'expect: half == stride / 2'
script <<'END'
return {
    columns = {"half"},
    derive = function(row) return {half = row.stride / 2} end,
    done = function(rows)
        return {lines = {#rows .. " rows"}, verdict = false, reason = "it was to be",
                tables = {sums = {{name = "strides", sum = rows[1].stride + rows[2].stride + rows[3].stride}}}}
    end,
}
END
gpuexp -q x.yaml > out 2>&1
need [ $? = 1 ]
cat out reports/x.sums.csv
sed -i 's/verdict = false/verdict = true/' s.lua
need gpuexp -q x.yaml
rm -r reports

# More points, round after round; a run that resumes asks for the same ones and measures what is not there.
experiment ./s.lua
script <<'END'
return {
    params = {budget = 5},
    refine = function(rows)
        local most = 0
        for _, row in ipairs(rows) do most = math.max(most, row.stride) end
        if most < 64 then return {{stride = most * 2}, {stride = 1}, {stride = most * 2}} end
    end,
}
END
need gpuexp -q x.yaml
need [ "$(column reports/x.csv stride)" = "1 2 4 8 16 32 64 " ]
cp reports/x.csv whole.csv
need gpuexp -q x.yaml
need cmp reports/x.csv whole.csv
sed -i '3,5d;8d' reports/x.csv # rows of the file's own points and of refined ones
need gpuexp -q x.yaml
need cmp reports/x.csv whole.csv
need gpuexp -q --fresh -s script.budget=2 x.yaml
need [ "$(column reports/x.csv stride)" = "1 2 4 8 16 " ]
rm -r reports
for i in 1 2; do need gpuexp -q --shard $i/2 x.yaml; done # a shard sees its own rows: it refines nothing
need gpuexp merge reports/x.csv > /dev/null
need [ "$(column reports/x.csv stride)" = "1 2 4 " ]
need gpuexp -q x.yaml # goes on where the shards ended
need cmp reports/x.csv whole.csv
rm -r reports

# A `refine` that fails costs the points it would have made: what is there stays, and the exit status says so.
script <<'END'
return {refine = function(rows)
    if #rows > 3 then error("no further") end
    return {{stride = 8}}
end}
END
gpuexp -q x.yaml 2> log
need [ $? = 1 ]
need [ "$(column reports/x.csv stride)" = "1 2 4 8 " ]
need [ "$(column reports/x.csv status)" = "ok ok ok ok " ]
need grep -q '; the script failed: ./s.lua:2: refine: no further; ' log
gpuexp x.yaml 2>&1 > /dev/null |
    need grep -q 's.lua:2: refine: no further; no more points are added (at ./s.lua:2: in function'
rm -r reports

# Points that a script draws are the same in every process and every shard.
script <<'END'
return {points = function(axes)
    local points = {}
    for name in pairs({c = 1, a = 1, b = 1, d = 1, e = 1}) do
        points[#points + 1] = {stride = math.random(1000), offset = name:byte()}
    end
    return points
end}
END
sed -i 's/n: 4Ki/n: 4Ki, offset: 0/' x.yaml
gpuexp plan x.yaml > first
for i in 1 2 3; do gpuexp plan x.yaml | need cmp - first; done
gpuexp plan --seed 2 x.yaml > other
need [ "$(cmp first other | wc -l)" = 1 ]
for i in 1 2; do need gpuexp -q --shard $i/2 x.yaml; done
need gpuexp merge reports/x.csv > /dev/null
need [ "$(column reports/x.csv status)" = "ok ok ok ok ok " ]
rm -r reports

# --help and describe know its parameters, with the values that hold.
cat > asks.yaml <<'END'
kernel: stride
with: {n: 4Ki, device: sim, script.budget: 7}
sweep: {stride: [1, 64]}
script: {file: lua/refine_knee.lua, within: 5%}
END
for command in "asks.yaml --help" "describe ./asks.yaml"; do
    gpuexp $command > told
    need grep -q 'points at most, beyond those of the experiment; here 7' told
    need grep -q 'what still counts as flat, as a share of y; here 0.05' told
done
need gpuexp describe refine_knee | need grep -q 'default 60'

# An expression may name a setting that the file leaves at its default.
printf '%s\n' 'experiment: y' 'kernel: stride' 'with: {n: 4Ki, device: sim}' 'derive: {blocks: n / block}' \
    'expect: blocks == 16 and offset == 0' > y.yaml
need gpuexp -q y.yaml
need [ "$(column reports/y.csv blocks)" = "16 " ]

# A row's device is what the device calls itself. A script that copies it into a point asks for no other device.
printf 'name SOME GPU\ntime 50\n' > gpu
printf '%s\n' 'kernel: stride' 'sweep: {n: [1Ki, 2Ki]}' 'script: ./copy.lua' > z.yaml
echo 'return {points = function() return {{n = 1024}} end,
    refine = function(rows) return {{n = 2048, device = rows[1].device}} end}' > copy.lua
need gpuexp -q z.yaml -d script:gpu
need [ "$(column reports/z.csv status)" = "ok ok " ]

# Hostile scripts.
experiment ./s.lua
while read -r body; do
    echo "return {keep = function(point) $body end}" > s.lua
    timeout 60 "$GPUEXP" check x.yaml 2>&1
    need [ $? = 2 ]
done <<'END'
while true do end
while true do pcall(function() while true do end end) end
pcall(table.sort, {3, 1}, function() while true do end end)
local t = {} for i = 1, 1e9 do t[i] = {i} end
return ('a'):rep(100):find(('a*'):rep(20) .. 'b') == nil
return os.execute('true')
return io.open('/etc/passwd') ~= nil
return load('return 1')() == 1
return require('io') ~= nil
END
