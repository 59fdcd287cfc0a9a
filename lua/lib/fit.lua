-- Lines through points: straight ones and power laws.
-- SPDX-License-Identifier: MIT
local M = {}

local function need(xs, ys, n)
    if #xs ~= #ys then error(("a fit needs as many y as x: %d and %d"):format(#ys, #xs), 3) end
    if #xs < n then error(("a fit needs at least %d points, not %d"):format(n, #xs), 3) end
end

--- The straight line y = intercept + slope * x of least squares, each point weighted by `weights` where given. Returns
--- {intercept, slope, r2}, by name; r2 is the share of the variance that the line explains.
function M.linear(xs, ys, weights)
    need(xs, ys, 2)
    local w, x, y = 0.0, 0.0, 0.0
    for i = 1, #xs do
        local k = weights and weights[i] or 1
        w, x, y = w + k, x + k * xs[i], y + k * ys[i]
    end
    x, y = x / w, y / w
    local xx, xy, yy = 0.0, 0.0, 0.0
    for i = 1, #xs do
        local k, dx, dy = weights and weights[i] or 1, xs[i] - x, ys[i] - y
        xx, xy, yy = xx + k * dx * dx, xy + k * dx * dy, yy + k * dy * dy
    end
    if xx == 0 then error("a fit needs two different x", 2) end
    local slope = xy / xx
    return {slope = slope, intercept = y - slope * x, r2 = yy == 0 and 1.0 or xy * xy / (xx * yy)}
end

--- The straight line that is nearest by ratio: for y that span decades, so that small ones count as much as large ones.
function M.relative(xs, ys)
    need(xs, ys, 2)
    local weights = {}
    for i = 1, #ys do weights[i] = 1 / (ys[i] * ys[i]) end
    return M.linear(xs, ys, weights)
end

--- The power law y = factor * x ^ exponent, by a straight line through the logarithms. Returns {factor, exponent, r2},
--- by name.
function M.loglog(xs, ys)
    need(xs, ys, 2)
    local lx, ly = {}, {}
    for i = 1, #xs do
        if xs[i] <= 0 or ys[i] <= 0 then error("a power law needs numbers above 0", 2) end
        lx[i], ly[i] = math.log(xs[i]), math.log(ys[i])
    end
    local line = M.linear(lx, ly)
    return {factor = math.exp(line.intercept), exponent = line.slope, r2 = line.r2}
end

return M
