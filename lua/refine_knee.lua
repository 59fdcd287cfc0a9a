-- Finds where a curve bends: measures what the experiment lists, then halves the gap in which the curve leaves its flat
-- part, until the gap is smaller than `tolerance` or has no value left. One flat end is enough, at the left or at the
-- right.
-- SPDX-License-Identifier: MIT
local params = {
    x = {default = "stride", names = true, about = "the axis along which the curve runs"},
    y = {default = "sectors_per_request", names = true, about = "the column that bends"},
    by = {default = "", names = true, about = "a curve for each value of these axes, separated by commas"},
    tolerance = {default = 0.01, about = "how near the two sides of the bend get, as a share of x"},
    within = {default = 0.02, about = "what still counts as flat, as a share of y"},
    multiple = {default = 1, about = "x is a multiple of this; 0: any number"},
    plateau = {default = "auto", about = "which end is flat: left, right, or auto"},
    budget = {default = 60, about = "points at most, beyond those of the experiment"},
}

local function slope(xs, ys, i)
    return math.abs(math.log(ys[i + 1] / ys[i]) / math.log(xs[i + 1] / xs[i]))
end

-- Where the sloping part meets the level when it is continued: a power law through the points among the first `last`
-- that are near the bend, at least two. Far points may follow another law; between two close points the slope would be
-- mostly noise.
local function meeting(xs, ys, last, level)
    if last < 2 then return nil end
    local lx, ly = {}, {}
    for i = last, 1, -1 do
        local ratio = math.max(xs[i] / xs[last], xs[last] / xs[i])
        if #lx >= 2 and ratio > 3 then break end
        lx[#lx + 1], ly[#ly + 1] = xs[i], ys[i]
    end
    local law = fit.loglog(lx, ly)
    if math.abs(law.exponent) < 1e-9 then return nil end
    return (level / law.factor) ^ (1 / law.exponent)
end

local function reversed(list)
    local out = {}
    for i = #list, 1, -1 do out[#out + 1] = list[i] end
    return out
end

-- The bend of a curve: {on, off, level, x}, the last value on the flat part, the first off it, the flat part's level
-- and the best guess between; nil where the curve is all flat or too short.
local function bend(xs, ys, p)
    if #xs < 3 then return nil end
    local right = p.plateau == "right" or (p.plateau == "auto" and slope(xs, ys, #xs - 1) <= slope(xs, ys, 1))
    if not right then xs, ys = reversed(xs), reversed(ys) end
    local n = search.plateau(ys, p.within)
    if n == #ys then return nil end
    local on, off, far = xs[#xs - n + 1], xs[#xs - n], {}
    for i = #xs - n + 1, #xs do -- next to the bend, a point that looks flat may belong to the slope
        if math.max(xs[i] / on, on / xs[i]) > 1.25 then far[#far + 1] = ys[i] end
    end
    local level = #far > 0 and stats.median(far) or ys[#ys]
    local guess = meeting(xs, ys, #xs - n, level)
    local low, high = math.min(on, off), math.max(on, off)
    if guess then guess = tonumber(("%.9g"):format(guess)) end -- digits that are only rounding
    -- The curve bends a little before it has left its flat part by `within`: a little, or the guess is none.
    local slack = 4 * math.min(p.within, 0.02)
    if not guess or guess < low * (1 - slack) or guess > high * (1 + slack) then guess = on end
    return {on = on, off = off, level = level, x = guess}
end

local function curves(all, p)
    local list = {}
    for _, group in ipairs(rows.groups(rows.having(rows.good(all), p.x, p.y), table.unpack(rows.names(p.by)))) do
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
            for i, name in ipairs(rows.names(p.by)) do point[name] = curve.key[i] end
            points[#points + 1] = point
        end
    end
    return points
end

local function done(all, p)
    local lines, found = {}, {}
    for _, curve in ipairs(curves(all, p)) do
        local b, where = curve.bend, {}
        for i, name in ipairs(rows.names(p.by)) do where[#where + 1] = ("%s %s"):format(name, curve.key[i]) end
        local head = #where > 0 and table.concat(where, ", ") .. ": " or ""
        if b then
            local say = "%s%s bends at %s = %.6g (between %.6g and %.6g, after %d points), flat at %.6g"
            lines[#lines + 1] = say:format(
                head, p.y, p.x, b.x, math.min(b.on, b.off, b.x), math.max(b.on, b.off, b.x), #curve.xs, b.level)
            local row = {knee = b.x, on = b.on, off = b.off, level = b.level, points = #curve.xs}
            for i, name in ipairs(rows.names(p.by)) do row[name] = curve.key[i] end
            found[#found + 1] = row
        else
            lines[#lines + 1] = ("%s%s does not bend along %s (%d points)"):format(head, p.y, p.x, #curve.xs)
        end
    end
    if #lines == 0 then lines[1] = ("no row has both `%s` and `%s`"):format(p.x, p.y) end
    return {lines = lines, tables = {knee = found}}
end

return {about = "finds where a curve bends", params = params, refine = refine, done = done}
