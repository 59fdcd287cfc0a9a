-- Statistics of a list of numbers: middles, spreads, intervals. Nothing assumes a normal distribution.
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

--- The spread of the list: (largest / smallest) - 1, of numbers above 0.
function M.spread(list)
    need(list, 1, "a spread")
    local s = sorted(list)
    return s[#s] / s[1] - 1
end

--- The median distance from the median.
function M.median_deviation(list)
    local middle, far = M.median(list), {}
    for i, x in ipairs(list) do far[i] = math.abs(x - middle) end
    return M.median(far)
end

--- Two numbers of the list. The median of the population lies between them with at least this confidence (0.95 by
--- default), by order statistics; nil where the list is too short for that.
function M.median_interval(list, confidence)
    local s, n = sorted(list), #list
    local left = (1 - (confidence or 0.95)) / 2
    local below, term, rank = 0.0, 0.5 ^ n, 0 -- chance that at most rank - 1 of n lie below the median
    while rank < n and below + term <= left do
        below = below + term
        term = term * (n - rank) / (rank + 1)
        rank = rank + 1
    end
    if rank == 0 then return nil end
    return s[rank], s[n + 1 - rank]
end

--- True where interval {a_lo, a_hi} lies wholly below {b_lo, b_hi}.
function M.is_below(a_lo, a_hi, b_lo, b_hi)
    return math.max(a_lo, a_hi) < math.min(b_lo, b_hi)
end

return M
