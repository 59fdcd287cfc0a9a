-- Where a curve does something: bends, steps, crosses a level; and where to look next.
-- SPDX-License-Identifier: MIT
local M = {}

--- The index of the knee of a curve: the point farthest from the straight line between its ends, both axes taken by
--- ratio where all numbers are above 0. nil for fewer than three points.
function M.knee(xs, ys)
    if #xs < 3 then return nil end
    local log = true
    for i = 1, #xs do log = log and xs[i] > 0 and ys[i] > 0 end
    local function at(v) return log and math.log(v) or v end
    local x1, y1, x2, y2 = at(xs[1]), at(ys[1]), at(xs[#xs]), at(ys[#ys])
    local best, farthest = nil, 0
    for i = 2, #xs - 1 do
        local far = math.abs((at(ys[i]) - y1) * (x2 - x1) - (at(xs[i]) - x1) * (y2 - y1))
        if far > farthest then best, farthest = i, far end
    end
    return best
end

--- The steps of a curve: a list of {from, to, ratio}, by name, for each pair of neighbours whose y differ by more than
--- `ratio` times (1.2 by default).
function M.edges(xs, ys, ratio)
    ratio = ratio or 1.2
    local list = {}
    for i = 2, #xs do
        local r = ys[i] / ys[i - 1]
        if r > ratio or r < 1 / ratio then list[#list + 1] = {from = xs[i - 1], to = xs[i], ratio = r} end
    end
    return list
end

--- The first pair of neighbours between which y crosses `level`: x before and x after; nil where it does not.
function M.crossing(xs, ys, level)
    for i = 2, #xs do
        if (ys[i - 1] < level) ~= (ys[i] < level) then return xs[i - 1], xs[i] end
    end
    return nil
end

--- How many neighbours at the end of the curve lie on one level, within a share `within` (0.02 by default) of the last
--- one.
function M.plateau(ys, within)
    within = within or 0.02
    local n, last = 0, ys[#ys]
    for i = #ys, 1, -1 do
        if math.abs(ys[i] - last) > within * math.abs(last) then break end
        n = n + 1
    end
    return n
end

--- Where to look between `low` and `high` next: the middle by ratio where both are above 0, rounded to a multiple of
--- `multiple` where given; nil where they differ by less than a share `tolerance`, or no value is left between.
function M.bisect(low, high, tolerance, multiple)
    if high - low <= tolerance * math.abs(high) then return nil end
    local middle = low > 0 and ranges.between(low, high) or (low + high) / 2
    if multiple and multiple > 0 then
        middle = math.floor(middle / multiple + 0.5) * multiple
        if middle <= low then middle = (math.floor(low / multiple) + 1) * multiple end
        if middle >= high then middle = (math.ceil(high / multiple) - 1) * multiple end
        middle = math.tointeger(middle) or middle
    end
    if middle <= low or middle >= high then return nil end
    return middle
end

return M
