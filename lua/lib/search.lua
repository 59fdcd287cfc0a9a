-- Where a curve is level, and where to look next.
-- SPDX-License-Identifier: MIT
local M = {}

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
