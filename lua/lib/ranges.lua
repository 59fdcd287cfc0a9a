-- Lists of numbers, to sweep over.
-- SPDX-License-Identifier: MIT
local M = {}

local function check(from, to)
    if from > to then error(("a range goes up: %s is more than %s"):format(from, to), 3) end
end

--- The numbers from, from + step, ... up to `to`, which is the last one if a step reaches it exactly. `step` is 1 by
--- default.
function M.linear(from, to, step)
    check(from, to)
    step = step or 1
    if step <= 0 then error("the step of a range is more than 0", 2) end
    local list = {}
    for i = 0, math.floor((to - from) / step + 1e-9) do list[#list + 1] = from + i * step end
    return list
end

--- The numbers from, from * times, ... up to `to`. `times` is 2 by default.
function M.geometric(from, to, times)
    check(from, to)
    times = times or 2
    if times <= 1 or from <= 0 then error("a geometric range starts above 0 and grows by more than 1", 2) end
    local list, x = {}, from
    while x <= to * (1 + 1e-12) do
        list[#list + 1] = x
        x = x * times
    end
    return list
end

--- The number in the middle between two by ratio: between(4, 16) is 8.
function M.between(a, b)
    return math.sqrt(a) * math.sqrt(b)
end

return M
