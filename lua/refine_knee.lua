-- Finds where a curve bends: measures what the experiment lists, then halves the gap in which the curve leaves its flat part, until
-- the gap is within `tolerance` or no value is left in it. One flat end is enough: a curve that saturates, or one that starts flat.
-- SPDX-License-Identifier: MIT
local params = {
    x = {default = "stride", about = "the axis along which the curve runs"},
    y = {default = "sectors_per_request", about = "the column that bends"},
    by = {default = "", about = "axes that make a curve each, separated by commas"},
    tolerance = {default = 0.01, about = "how near the two sides of the bend get, as a share of x"},
    within = {default = 0.02, about = "what still counts as flat, as a share of y"},
    multiple = {default = 1, about = "x is a multiple of this; 0: any number"},
    plateau = {default = "auto", about = "which end is flat: left, right, or auto"},
    budget = {default = 60, about = "points at most, beyond those of the experiment"},
}

local function slope(xs, ys, i)
    return math.abs(math.log(ys[i + 1] / ys[i]) / math.log(xs[i + 1] / xs[i]))
end

local function reversed(list)
    local out = {}
    for i = #list, 1, -1 do out[#out + 1] = list[i] end
    return out
end

-- The bend of a curve: {on, off, level, x}, the last value on the flat part, the first off it, the flat part's level and the best
-- guess between; nil where the curve is all flat or too short.
local function bend(xs, ys, p)
    if #xs < 3 then return nil end
    local right = p.plateau == "right" or (p.plateau == "auto" and slope(xs, ys, #xs - 1) <= slope(xs, ys, 1))
    if not right then xs, ys = reversed(xs), reversed(ys) end
    local n = search.plateau(ys, p.within)
    if n == #ys then return nil end
    local level = stats.median(table.move(ys, #ys - n + 1, #ys, 1, {}))
    local on, off = xs[#xs - n + 1], xs[#xs - n]
    local guess = nil
    if #xs - n >= 2 then -- the sloping part carried on until it meets the level
        local i = #xs - n
        guess = fit.meet(xs[i - 1], ys[i - 1], xs[i], ys[i], on, level, on * 2, level)
    end
    local low, high = math.min(on, off), math.max(on, off)
    if guess then guess = tonumber(("%.9g"):format(guess)) end -- the fit's own rounding is no news
    if not guess or guess < low * (1 - 4 * p.within) or guess > high * (1 + 4 * p.within) then guess = on end
    return {on = on, off = off, level = level, x = guess}
end

local function names_of(text)
    local list = {}
    for name in text:gmatch("[^,%s]+") do list[#list + 1] = name end
    return list
end

local function curves(all, p)
    local list = {}
    for _, group in ipairs(rows.groups(rows.having(rows.good(all), p.x, p.y), table.unpack(names_of(p.by)))) do
        local sorted = rows.sorted(group.rows, p.x)
        local xs, ys = rows.column(sorted, p.x), rows.column(sorted, p.y)
        list[#list + 1] = {key = group.key, xs = xs, ys = ys, bend = bend(xs, ys, p)}
    end
    return list
end

local function refine(all, p)
    local points = {}
    for _, curve in ipairs(curves(all, p)) do
        local b = curve.bend
        local x = b and search.bisect(math.min(b.on, b.off), math.max(b.on, b.off), p.tolerance, p.multiple)
        if x then
            local point = {[p.x] = x}
            for i, name in ipairs(names_of(p.by)) do point[name] = curve.key[i] end
            points[#points + 1] = point
        end
    end
    return points
end

local function done(all, p)
    local lines, found = {}, {}
    for _, curve in ipairs(curves(all, p)) do
        local b, where = curve.bend, {}
        for i, name in ipairs(names_of(p.by)) do where[#where + 1] = ("%s %s"):format(name, curve.key[i]) end
        local head = #where > 0 and table.concat(where, ", ") .. ": " or ""
        if b then
            lines[#lines + 1] = ("%s%s bends at %s = %.6g (between %.6g and %.6g, after %d points), flat at %.6g"):format(
                head, p.y, p.x, b.x, math.min(b.on, b.off), math.max(b.on, b.off), #curve.xs, b.level)
            local row = {knee = b.x, on = b.on, off = b.off, level = b.level, points = #curve.xs}
            for i, name in ipairs(names_of(p.by)) do row[name] = curve.key[i] end
            found[#found + 1] = row
        else
            lines[#lines + 1] = ("%s%s does not bend along %s (%d points)"):format(head, p.y, p.x, #curve.xs)
        end
    end
    if #lines == 0 then lines[1] = ("no row has both `%s` and `%s`"):format(p.x, p.y) end
    return {lines = lines, tables = {knee = found}}
end

return {about = "finds where a curve bends", params = params, refine = refine, done = done}
