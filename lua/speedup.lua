-- Compares every point with a baseline: the one that has the values of `baseline` and shares all others with it.
-- SPDX-License-Identifier: MIT
local params = {
    baseline = {default = "variant=naive", names = true, about = "what makes a point the baseline: name=value, " ..
        "separated by commas"},
    metric = {default = "time_us", names = true, about = "the column that is compared"},
    otherwise = {default = "", names = true, about = "the column that is compared where no row has the metric, " ..
        "as on a device that times nothing"},
    better = {default = "less", about = "less or more of it"},
    at_least = {default = 0, about = "the claim: every point is this many times as good as its baseline; 0: none"},
}

local function wanted(text)
    local list = {}
    for name, value in text:gmatch("([%w_.]+)%s*=%s*([^,%s]+)") do list[name] = value end
    if next(list) == nil then error(("baseline = `%s` names no value; write name=value"):format(text), 0) end
    return list
end

local function is_baseline(row, list)
    for name, value in pairs(list) do
        if rows.text(row[name]) ~= value then return false end
    end
    return true
end

local function ratio(row, base, p, metric)
    local function of(a, b) return p.better == "more" and a / b or b / a end
    local r = {speedup = of(row[metric], base[metric])}
    if metric == "time_us" and row.time_lo_us and base.time_lo_us then
        r.speedup_lo, r.speedup_hi = base.time_lo_us / row.time_hi_us, base.time_hi_us / row.time_lo_us
    end
    return r
end

local function done(all, p, names)
    local list, others, out, kinds = wanted(p.baseline), {}, {}, {}
    for _, name in ipairs(names) do
        if list[name] == nil then others[#others + 1] = name end
    end
    local metric = rows.chosen(all, p.metric, p.otherwise)
    local usable = rows.having(rows.good(all), metric)
    for _, group in ipairs(rows.groups(usable, table.unpack(others))) do
        local base
        for _, row in ipairs(group.rows) do base = base or (is_baseline(row, list) and row) or nil end
        for _, row in ipairs(base and group.rows or {}) do
            if row ~= base then
                local line, kind = ratio(row, base, p, metric), {}
                for _, name in ipairs(names) do
                    line[name] = row[name]
                    if list[name] and row[name] ~= nil then kind[#kind + 1] = name .. " " .. rows.text(row[name]) end
                end
                line[metric], line.point, line.baseline = row[metric], row.point, base.point
                out[#out + 1] = line
                kind = table.concat(kind, ", ")
                kinds[kind] = kinds[kind] or {}
                table.insert(kinds[kind], line.speedup)
            end
        end
    end
    local lines, worst = {}, math.huge
    for kind, factors in pairs(kinds) do
        table.sort(factors)
        worst = math.min(worst, factors[1])
        lines[#lines + 1] = ("%s: %.3g times %s by %s (geometric mean of %d, %.3g to %.3g)"):format(
            kind, stats.geometric_mean(factors), p.baseline, metric, #factors, factors[1], factors[#factors])
    end
    if #out == 0 then
        lines[1] = ("nothing to compare: no two points with a `%s`, one of them %s"):format(metric, p.baseline)
    end
    local outcome = {lines = lines, tables = {speedup = out}}
    if p.at_least > 0 then
        outcome.verdict = #out > 0 and worst >= p.at_least
        outcome.reason = #out == 0 and "nothing to compare" or
            ("the smallest is %.3g times the baseline, the claim is %.3g"):format(worst, p.at_least)
    end
    return outcome
end

return {about = "compares every point with a baseline", params = params, done = done}
