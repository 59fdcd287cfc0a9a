-- Which of many points to take: products and samples.
-- SPDX-License-Identifier: MIT
local M = {}

--- Every combination of the lists in `axes` ({stride = {1, 2}, block = {64, 128}}) as a list of points. The axes cross
--- in alphabetical order, the last one fastest.
function M.product(axes)
    local points = {{}}
    for name, list in pairs(axes) do
        local longer = {}
        for _, point in ipairs(points) do
            for _, value in ipairs(list) do
                local copy = {}
                for k, v in pairs(point) do copy[k] = v end
                copy[name] = value
                longer[#longer + 1] = copy
            end
        end
        points = longer
    end
    return points
end

--- The list in a random order; the list itself does not change.
function M.shuffle(list)
    local out = table.move(list, 1, #list, 1, {})
    for i = #out, 2, -1 do
        local j = math.random(i)
        out[i], out[j] = out[j], out[i]
    end
    return out
end

--- `n` random elements of the list, each at most once, in the list's order.
function M.sample(list, n)
    local chosen, out = {}, {}
    local order = {}
    for i = 1, #list do order[i] = i end
    for i, at in ipairs(M.shuffle(order)) do
        if i <= n then chosen[at] = true end
    end
    for i, x in ipairs(list) do
        if chosen[i] then out[#out + 1] = x end
    end
    return out
end

return M
