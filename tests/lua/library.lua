-- Tests the Lua library from inside: each check that fails is an error that names its line; `points` makes as many
-- points as there were checks, so that none is skipped unseen.
-- SPDX-License-Identifier: MIT
local checks = 0

local function check(holds, what)
    checks = checks + 1
    if not holds then error("does not hold: " .. (what or "a check"), 2) end
end

local function same(got, want)
    checks = checks + 1
    local function text(v)
        if type(v) ~= "table" then return math.type(v) == "float" and ("%.6g"):format(v) or tostring(v) end
        local words = {}
        for k, x in pairs(v) do words[#words + 1] = (type(k) == "number" and "" or k .. "=") .. text(x) end
        return "{" .. table.concat(words, " ") .. "}"
    end
    if text(got) ~= text(want) then error(("is %s, not %s"):format(text(got), text(want)), 2) end
end

local function near(got, want, within)
    checks = checks + 1
    if math.abs(got - want) > (within or 1e-9) * math.max(1, math.abs(want)) then
        error(("is %.12g, not %.12g"):format(got, want), 2)
    end
end

local function fails(message, f, ...)
    checks = checks + 1
    local ok, said = pcall(f, ...)
    if ok or not said:find(message, 1, true) then error(("failed as %s, not %s"):format(tostring(said), message), 2) end
end

local function test_ranges()
    same(ranges.linear(1, 5), {1, 2, 3, 4, 5})
    same(ranges.linear(1, 6, 2), {1, 3, 5})
    same(ranges.linear(0, 1, 0.25), {0, 0.25, 0.5, 0.75, 1})
    same(ranges.linear(3, 3), {3})
    same(ranges.geometric(1, 32), {1, 2, 4, 8, 16, 32})
    same(ranges.geometric(1, 33, 4), {1, 4, 16})
    near(ranges.between(4, 16), 8)
    fails("a range goes up", ranges.linear, 2, 1)
    fails("more than 0", ranges.linear, 1, 2, 0)
    fails("starts above 0", ranges.geometric, 0, 2)
end

local function test_design()
    same(design.product({a = {1, 2}, b = {3, 4}}), {{a = 1, b = 3}, {a = 1, b = 4}, {a = 2, b = 3}, {a = 2, b = 4}})
    same(design.product({}), {{}})
    same(design.product({a = {}}), {})
    local shuffled = design.shuffle({1, 2, 3, 4, 5, 6, 7, 8, 9})
    table.sort(shuffled)
    same(shuffled, {1, 2, 3, 4, 5, 6, 7, 8, 9})
    local taken = design.sample({1, 2, 3, 4, 5, 6}, 3)
    check(#taken == 3 and taken[1] < taken[2] and taken[2] < taken[3])
end

local function test_units()
    same(units.bytes(67108864), "64 MiB")
    same(units.bytes(0), "0 B")
    same(units.bytes(1536), "1.5 KiB")
    same(units.seconds(0.0015), "1.5 ms")
    same(units.seconds(90), "90 s")
    same(units.percent(0.005), "0.5 %")
end

local function test_stats()
    same(stats.sum({}), 0.0)
    near(stats.sum({1e16, 1, -1e16}), 1, 1)
    same(stats.mean({1, 2, 6}), 3.0)
    near(stats.geometric_mean({1, 100}), 10)
    same(stats.median({3}), 3)
    same(stats.median({1, 2}), 1.5)
    same(stats.median({9, 1, 5}), 5)
    same(stats.median({4, 1, 3, 2}), 2.5)
    fails("needs at least 1", stats.median, {})
    same(stats.quantile({1, 2, 3, 4, 5}, 0.25), 2.0)
    same(stats.quantile({1, 2}, 1), 2.0)
    same(stats.quantile({1, 2}, 0), 1.0)
end

local function test_fit()
    local line = fit.linear({1, 2, 3}, {5, 7, 9})
    near(line.slope, 2)
    near(line.intercept, 3)
    near(line.r2, 1)
    line = fit.linear({0, 1, 2, 3}, {0, 0, 0, 100}, {1, 1, 1, 0})
    near(line.slope, 0)
    line = fit.relative({1, 1000}, {11, 1010})
    near(line.slope, 1)
    near(line.intercept, 10)
    local power = fit.loglog({1, 10, 100}, {3, 30, 300})
    near(power.factor, 3)
    near(power.exponent, 1)
    fails("two different x", fit.linear, {1, 1}, {2, 3})
    fails("at least 2 points", fit.linear, {1}, {2})
    fails("as many y as x", fit.linear, {1, 2}, {2})
    fails("above 0", fit.loglog, {1, 0}, {1, 1})
end

local function test_rows()
    local all = {{n = 3, status = "ok", t = 1}, {n = 1, status = "failed"}, {n = 2, status = "imprecise", t = 2},
        {n = 2, status = "ok"}}
    same(rows.column(rows.good(all), "n"), {3, 2, 2})
    same(rows.column(rows.matching(all, {n = 2, status = "ok"}), "n"), {2})
    same(rows.column(rows.having(all, "t"), "n"), {3, 2})
    same(rows.column(rows.sorted(all, "n"), "status"), {"failed", "imprecise", "ok", "ok"})
    local groups = rows.groups(all, "n")
    same({#groups, groups[1].key[1], #groups[3].rows}, {3, 3, 2})
    same(#rows.groups(all), 1)
    same(#rows.groups({{n = 1}, {n = "1"}}, "n"), 2)
    same(rows.chosen(all, "time", "t"), "t")
    same(rows.names(" n, stride,block "), {"n", "stride", "block"})
    same(rows.names(""), {})
    same(rows.text({16, 8}) .. rows.text(2) .. rows.text("x"), "16x82x")
    same(rows.chosen(all, "time", ""), "time")
end

local function test_search()
    same(search.plateau({1, 2, 4, 4.01, 4}), 3)
    same(search.plateau({7}), 1)
    same(search.bisect(4, 16, 0.01, 1), 8)
    same(search.bisect(7, 8, 0.01, 1), nil)
    same(search.bisect(6, 8, 0.01, 1), 7)
    same(search.bisect(100, 100.5, 0.01), nil)
    near(search.bisect(1, 4, 0.01), 2)
    near(search.bisect(0, 4, 0.01), 2)
    same(search.bisect(64, 192, 0.01, 64), 128)
end

local function points()
    for _, test in ipairs({test_ranges, test_design, test_units, test_stats, test_fit, test_rows, test_search}) do
    test()
end
    local list = {}
    for i = 1, checks do list[i] = {n = i} end
    return list
end

return {points = points}
