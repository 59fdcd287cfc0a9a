-- Finds the best of many candidates under a budget, by successive halving: all are measured at the smallest size, the
-- better half of them at the next, and so on; one that cannot be told apart from the best goes on too. The candidates
-- are the product of the experiment's axes except `size`, whose values, in ascending order, are the rounds.
-- SPDX-License-Identifier: MIT
local params = {
    metric = {default = "time_us", names = true, about = "the column that decides"},
    otherwise = {default = "", names = true, about = "the column that decides where no row has the metric, as on " ..
        "a device that times nothing"},
    better = {default = "less", about = "less or more of it"},
    size = {default = "n", names = true, about = "the axis whose values are the rounds, smallest first"},
    keep = {default = 0.5, about = "the share of candidates that goes on to the next round"},
    budget = {default = 200, about = "points at most, beyond those of the first round"},
}

local sizes -- as the axes list them; known before the first row

local function points(axes, p)
    local candidates = {}
    for name, list in pairs(axes) do candidates[name] = list end
    if not candidates[p.size] then
        error(("no axis `%s` is swept, whose values make the rounds; `size: AXIS` names another"):format(p.size), 0)
    end
    sizes = table.move(candidates[p.size], 1, #candidates[p.size], 1, {})
    table.sort(sizes)
    candidates[p.size] = {sizes[1]}
    return design.product(candidates)
end

-- The parameters, with the metric that the rows have.
local function settled(all, p)
    local own = {}
    for name, value in pairs(p) do own[name] = value end
    own.metric = rows.chosen(all, p.metric, p.otherwise)
    return own
end

-- The low and the high end of a row's metric, with its sign so that less is better.
local intervals = {time_us = {"time_lo_us", "time_hi_us"}, model_us = {"model_lo_us", "model_hi_us"}}
local function ends(row, p)
    local low, high = row[p.metric], row[p.metric]
    local beside = intervals[p.metric]
    if beside and row[beside[1]] and row[beside[2]] then low, high = row[beside[1]], row[beside[2]] end
    if p.better == "more" then low, high = -high, -low end
    return low, high
end

local function ranked(all, size, p)
    local list = {}
    for _, row in ipairs(rows.having(rows.good(rows.matching(all, {[p.size] = size})), p.metric)) do
        local low, high = ends(row, p)
        local middle = p.better == "more" and -row[p.metric] or row[p.metric]
        list[#list + 1] = {row = row, low = low, high = high, middle = middle}
    end
    table.sort(list, function(a, b)
        if a.middle ~= b.middle then return a.middle < b.middle end
        return a.row.point < b.row.point
    end)
    return list
end

-- The last round that has rows, and its number.
local function last_round(all, p)
    for i = #sizes, 1, -1 do
        local list = ranked(all, sizes[i], p)
        if #list > 0 then return list, i end
    end
    return {}, 0
end

local function refine(all, p, names)
    p = settled(all, p)
    local list, round = last_round(all, p)
    if #list < 2 or round == #sizes then return {} end
    local out, wanted = {}, math.max(1, math.ceil(#list * p.keep))
    for i, candidate in ipairs(list) do
        if i <= wanted or candidate.low <= list[1].high then
            local point = {}
            for _, name in ipairs(names) do point[name] = candidate.row[name] end
            point[p.size] = sizes[round + 1]
            out[#out + 1] = point
        end
    end
    return out
end

-- The names whose values differ in the rows of the first round: they tell the candidates apart.
local function telling(all, p, names)
    local out = {}
    for _, name in ipairs(names) do
        local seen, kinds = {}, 0
        for _, row in ipairs(all) do
            local text = rows.text(row[name])
            if not seen[text] then kinds = kinds + 1 end
            seen[text] = true
        end
        if name ~= p.size and kinds > 1 then out[#out + 1] = name end
    end
    return out
end

local function named(row, names)
    local words = {}
    for i, name in ipairs(names) do words[i] = ("%s %s"):format(name, rows.text(row[name])) end
    return #words > 0 and table.concat(words, ", ") or "the only candidate"
end

local function done(all, p, names)
    p = settled(all, p)
    local list, round = last_round(all, p)
    if #list == 0 then
        local line = ("no row has a `%s` to choose by"):format(p.metric)
        local hint = "; where nothing is timed, `otherwise: model_us` chooses by the forecast"
        return {lines = {line .. (p.otherwise == "" and hint or "")}}
    end
    local best, ranking = list[1], {}
    names = telling(all, p, names)
    local size, value = tostring(sizes[round]), best.row[p.metric]
    local forecast = p.metric == "model_us"
    local digits = forecast and "%.3g" or "%.6g"
    local say = "best at %s = %s: %s, with %s = " .. digits
    local lines = {say:format(p.size, size, named(best.row, names), p.metric, value)}
    local told = forecast and "the forecast cannot tell apart from it" or "cannot be told apart from it"
    for i, candidate in ipairs(list) do
        local same = i > 1 and candidate.low <= best.high
        local name, value = named(candidate.row, names), candidate.row[p.metric]
        if same then lines[#lines + 1] = ("%s: %s, " .. digits):format(told, name, value) end
        ranking[i] = {rank = i, point = candidate.row.point, candidate = name, [p.metric] = value}
    end
    return {lines = lines, tables = {ranking = ranking}}
end

return {
    about = "finds the best of many candidates by successive halving",
    params = params, points = points, refine = refine, done = done,
}
