-- Which of many points to take: products, samples, squares.
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

--- Every way to take `k` of the list, in the list's order: combinations({1, 2, 3}, 2) is {{1, 2}, {1, 3}, {2, 3}}.
function M.combinations(list, k)
    local all = {}
    local function extend(taken, from)
        if #taken == k then
            all[#all + 1] = table.move(taken, 1, k, 1, {})
            return
        end
        for i = from, #list - (k - #taken) + 1 do
            taken[#taken + 1] = list[i]
            extend(taken, i + 1)
            taken[#taken] = nil
        end
    end
    extend({}, 1)
    return all
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

--- A random Latin square: `n` rows of the numbers 1 to n, each once in every row and once in every column.
function M.latin_square(n)
    local symbols, numbers = {}, {}
    for i = 1, n do numbers[i] = i end
    symbols = M.shuffle(numbers)
    local rows, columns, square = M.shuffle(numbers), M.shuffle(numbers), {}
    for i = 1, n do
        square[i] = {}
        for j = 1, n do square[i][j] = symbols[(rows[i] + columns[j]) % n + 1] end
    end
    return square
end

--- `n` points that spread over all axes at once: every axis ({stride = {1, 64}}, from and to) is cut into n parts and
--- each part is used once. An axis with log = true ({1, 64, log = true}) is cut by ratio.
function M.latin_hypercube(axes, n)
    local points = {}
    for i = 1, n do points[i] = {} end
    for name, axis in pairs(axes) do
        local parts = {}
        for i = 1, n do parts[i] = (i - 1 + math.random()) / n end
        for i, part in ipairs(M.shuffle(parts)) do
            local from, to = axis[1], axis[2]
            points[i][name] = axis.log and from * (to / from) ^ part or from + (to - from) * part
        end
    end
    return points
end

return M
