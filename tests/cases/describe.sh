# `list` and `describe`: each kernel, experiment, column, setting, and a parameter's name.
# SPDX-License-Identifier: MIT
t gpuexp describe vecadd
t gpuexp describe transpose
t gpuexp describe gbps status
t gpuexp describe memory cache window.ratio
t gpuexp describe measure max_time
need [ "$(gpuexp describe order | grep -cE '^order is a parameter of kernel \((matrix|stride)\)')" = 2 ]
t gpuexp describe gpbs
cd "$TOP" || exit 1
gpuexp list > "$scratch/list" || exit 1
for file in kernels/*.cu experiments/*.yaml; do
    name=$(basename "${file%.*}")
    need grep -qE "^  $name( |\$)" "$scratch/list"
    names+=("$name")
done
need gpuexp describe "${names[@]}" > /dev/null
need [ "$(grep -c 'in error' "$scratch/list")" = 0 ]
# Every script and every function of the library is listed.
gpuexp describe lua > "$scratch/lua" || exit 1
need [ "$(grep -c 'in error' "$scratch/lua")" = 0 ]
for key in about params columns points keep derive refine done budget seconds sizeof cdiv log2; do
    need grep -qw "$key" "$scratch/lua"
done
for file in lua/*.lua lua/lib/*.lua; do
    name=$(basename "$file" .lua)
    need grep -qE "^  $name( |\$)" "$scratch/lua"
    need gpuexp describe "$name" > "$scratch/one"
    for function in $(sed -n 's/^function M\.\([a-z_]*\).*/\1/p' "$file"); do
        need grep -q "^  $name\.$function(" "$scratch/one"
    done
done
cd "$scratch" || exit 1
# The groups; and every word that a group lists is known by itself.
t gpuexp describe
groups="experiment kernel traits settings values columns statuses expressions scripts library devices types"
for group in $groups commands options exit environment; do
    gpuexp describe $group | sed -n '/ is a group of words:/,$p' > group
    words=$(sed -nE 's/^  ([^ ]+)( .*|$)/\1/p' group | sort -u)
    need [ "$(wc -w <<< "$words")" -ge 2 ]
    # shellcheck disable=SC2086
    need gpuexp describe -- $words > /dev/null
done
t gpuexp describe pitched
t gpuexp describe range.times
t gpuexp describe expect
t gpuexp describe quantile skiped cdv hitRatio prefech
# What Lua code finds is what the lists say, and nothing else.
cat > names.lua <<'LUA'
local function names(prefix, t)
    for k, v in pairs(t) do
        print("name " .. prefix .. k)
        if type(v) == "table" and prefix == "" then names(k .. ".", v) end
    end
end
return {points = function() names("", _ENV) return {{n = 1024}} end}
LUA
printf 'kernel: vecadd\nscript: ./names.lua\n' > names.yaml
gpuexp plan names.yaml 2>&1 > /dev/null | sed -n 's/^name //p' | sort > found
{ gpuexp describe expressions; gpuexp describe scripts | sed -n '/^what scripts find beyond/,$p'; } > both
sed -nE 's/^  ([^ ]+)( .*|$)/\1/p' both | sort > listed
need [ "$(wc -l < listed)" -gt 70 ]
need diff listed found
# Each environment variable that the program reads is listed, but for those that every program reads and those that a
# job gives itself.
grep -rhoE --include='*.c' 'getenv\("[A-Z_]+"\)' "$TOP/runner" | grep -oE '[A-Z_]{2,}' | sort -u |
    grep -vE '^(HOME|PATH|TERM|(SLURM|SUBMITTED)_.*)$' > read
need [ "$(wc -l < read)" -ge 5 ]
# shellcheck disable=SC2046
need gpuexp describe $(< read) > /dev/null
# A kernel's file by its path is a kernel, and nothing else; so is a file that is in error.
cp "$TOP/kernels/vecadd.cu" my.cu
sed -i 's/vecadd/my/g' my.cu
gpuexp describe ./my.cu > said 2>&1 || exit 1
need [ "$(head -n 1 said)" = 'my is a kernel (./my.cu)' ]
need [ "$(grep -c 'experiment\|^gpuexp:\|my.cu:' said)" = 0 ]
echo oops > bad.cu
t gpuexp describe ./bad.cu ./nothere.cu
