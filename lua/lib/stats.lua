-- Statistics of a list of numbers: sums and middles. Nothing assumes a normal distribution.
-- SPDX-License-Identifier: MIT
local M = {}

local function sorted(list)
    local out = table.move(list, 1, #list, 1, {})
    table.sort(out)
    return out
end

local function need(list, n, what)
    if #list < n then error(("%s needs at least %d numbers, not %d"):format(what, n, #list), 3) end
end

--- The sum of the list; 0 of an empty one.
function M.sum(list)
    local sum, lost = 0.0, 0.0 -- what rounding lost is added to the next
    for _, x in ipairs(list) do
        local y = x - lost
        local t = sum + y
        lost = (t - sum) - y
        sum = t
    end
    return sum
end

--- The mean.
function M.mean(list)
    need(list, 1, "a mean")
    return M.sum(list) / #list
end

--- The geometric mean, of numbers above 0: the mean of ratios.
function M.geometric_mean(list)
    need(list, 1, "a geometric mean")
    local logs = {}
    for i, x in ipairs(list) do logs[i] = math.log(x) end
    return math.exp(M.mean(logs))
end

--- The quantile: a share `q` (0 to 1) of the list is below it. Between two numbers it is interpolated.
function M.quantile(list, q)
    need(list, 1, "a quantile")
    local s = sorted(list)
    local at = 1 + (#s - 1) * q
    local low = math.floor(at)
    local high = math.min(low + 1, #s)
    return s[low] + (s[high] - s[low]) * (at - low)
end

--- The median: the middle one, or the mean of the two in the middle.
function M.median(list)
    need(list, 1, "a median")
    local s = sorted(list)
    local half = #s // 2
    if #s % 2 == 1 then return s[half + 1] end
    return (s[half] + s[half + 1]) / 2
end

return M
