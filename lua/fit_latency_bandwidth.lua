-- Splits the time of a size sweep into what every run costs and what every byte costs: time = overhead + bytes /
-- bandwidth, fitted by ratio, so that small sizes count as much as large ones.
-- SPDX-License-Identifier: MIT
local params = {
    bytes = {default = "useful_bytes", names = true, about = "the column of sizes"},
    time = {default = "time_us", names = true, about = "the column of times, in microseconds"},
    by = {default = "", names = true, about = "a fit for each value of these axes, separated by commas"},
}

local function done(all, p)
    local lines, out = {}, {}
    local by = rows.names(p.by)
    for _, group in ipairs(rows.groups(rows.having(rows.good(all), p.bytes, p.time), table.unpack(by))) do
        local sorted = rows.sorted(group.rows, p.bytes)
        local xs, ys, head = rows.column(sorted, p.bytes), rows.column(sorted, p.time), {}
        for i, name in ipairs(by) do head[i] = ("%s %s"):format(name, tostring(group.key[i])) end
        head = #head > 0 and table.concat(head, ", ") .. ": " or ""
        if #xs < 3 or xs[1] == xs[#xs] then
            lines[#lines + 1] = ("%s%d points are too few for a fit; it needs three sizes"):format(head, #xs)
        else
            local line = fit.relative(xs, ys)
            local worst = 0
            for i = 1, #xs do worst = math.max(worst, math.abs(line.intercept + line.slope * xs[i] - ys[i]) / ys[i]) end
            local row = {overhead_us = line.intercept, gbps = 1e-3 / line.slope, worst = worst, points = #xs}
            row.half_bytes = line.intercept / line.slope
            for i, name in ipairs(by) do row[name] = group.key[i] end
            out[#out + 1] = row
            local say = "%soverhead %.4g us, bandwidth %.4g GB/s, half of it at %s; off by at most %s over %d points"
            lines[#lines + 1] = say:format(
                head, row.overhead_us, row.gbps, units.bytes(math.max(0, row.half_bytes)), units.percent(worst), #xs)
        end
    end
    if #lines == 0 then lines[1] = ("no row has both `%s` and `%s`"):format(p.bytes, p.time) end
    return {lines = lines, tables = {fit = out}}
end

return {about = "overhead and bandwidth from a size sweep", params = params, done = done}
