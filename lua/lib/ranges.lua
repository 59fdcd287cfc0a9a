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

--- `n` numbers from `from` to `to`, with both ends, the same distance apart.
function M.spaced(from, to, n)
    check(from, to)
    local list = {}
    for i = 0, n - 1 do list[#list + 1] = n == 1 and from or from + (to - from) * i / (n - 1) end
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

--- `n` numbers from `from` to `to`, with both ends, each the same number of times the one before.
function M.geometric_spaced(from, to, n)
    check(from, to)
    if from <= 0 then error("a geometric range starts above 0", 2) end
    local list = {}
    for i = 0, n - 1 do list[#list + 1] = n == 1 and from or from * (to / from) ^ (i / (n - 1)) end
    return list
end

--- `n` random numbers between `from` and `to`, in ascending order.
function M.uniform(from, to, n)
    check(from, to)
    local list = {}
    for i = 1, n do list[i] = from + (to - from) * math.random() end
    table.sort(list)
    return list
end

--- `n` random numbers between `from` and `to` so that each octave gets as many, in ascending order.
function M.log_uniform(from, to, n)
    check(from, to)
    if from <= 0 then error("a logarithmic range starts above 0", 2) end
    local list = {}
    for i = 1, n do list[i] = from * (to / from) ^ math.random() end
    table.sort(list)
    return list
end

--- The list rounded to whole multiples of `multiple` (1 by default), each at least `multiple`, ascending, none twice.
function M.whole(list, multiple)
    multiple = multiple or 1
    local seen, out = {}, {}
    for _, x in ipairs(list) do
        local n = math.max(1, math.floor(x / multiple + 0.5)) * multiple
        if not seen[n] then out[#out + 1] = n end
        seen[n] = true
    end
    table.sort(out)
    return out
end

--- The number in the middle between two by ratio: between(4, 16) is 8.
function M.between(a, b)
    return math.sqrt(a) * math.sqrt(b)
end

return M
