# The Lua library, tested in Lua through the real program; and that such a test can fail.
# SPDX-License-Identifier: MIT
cat > library.yaml <<END
kernel: vecadd
with: {n: 1, device: sim}
script: $TOP/tests/lua/library.lua
END
gpuexp plan library.yaml > plan.out 2>&1 || { tail -5 plan.out; exit 1; }
checks=$(tail -1 plan.out | sed 's/ points.*//')
need [ "$checks" -ge 66 ]
sed 's/same(stats.median({3}), 3)/same(stats.median({3}), 4)/' "$TOP/tests/lua/library.lua" > broken.lua
sed -i 's|script:.*|script: ./broken.lua|' library.yaml
gpuexp plan library.yaml > plan.out 2>&1
need [ $? = 2 ]
need grep -q 'points: is 3, not 4' plan.out
need grep -q "in upvalue 'test_stats'\|in local 'test'\|in function <.*broken.lua" plan.out
