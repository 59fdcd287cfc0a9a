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
    same(ranges.spaced(0, 10, 3), {0, 5, 10})
    same(ranges.spaced(2, 10, 1), {2})
    same(ranges.geometric(1, 32), {1, 2, 4, 8, 16, 32})
    same(ranges.geometric(1, 33, 4), {1, 4, 16})
    same(ranges.geometric_spaced(1, 64, 4), {1.0, 4.0, 16.0, 64.0})
    same(ranges.whole({1.2, 1.4, 3.6, 0.1}), {1, 4})
    same(ranges.whole({100, 130}, 64), {128})
    near(ranges.between(4, 16), 8)
    fails("a range goes up", ranges.linear, 2, 1)
    fails("more than 0", ranges.linear, 1, 2, 0)
    fails("starts above 0", ranges.geometric, 0, 2)
    local drawn = ranges.log_uniform(1, 1024, 1000)
    check(#drawn == 1000 and drawn[1] >= 1 and drawn[1000] <= 1024)
    check(drawn[500] > 16 and drawn[500] < 64, "half of a log-uniform sample lies below the middle by ratio")
    drawn = ranges.uniform(0, 10, 1000)
    check(drawn[500] > 4 and drawn[500] < 6)
end

local function test_design()
    same(design.product({a = {1, 2}, b = {3, 4}}), {{a = 1, b = 3}, {a = 1, b = 4}, {a = 2, b = 3}, {a = 2, b = 4}})
    same(design.product({}), {{}})
    same(design.product({a = {}}), {})
    same(design.combinations({1, 2, 3}, 2), {{1, 2}, {1, 3}, {2, 3}})
    same(design.combinations({1, 2}, 3), {})
    same(design.combinations({1, 2}, 0), {{}})
    check(#design.combinations({1, 2, 3, 4, 5, 6}, 3) == 20)
    local shuffled = design.shuffle({1, 2, 3, 4, 5, 6, 7, 8, 9})
    table.sort(shuffled)
    same(shuffled, {1, 2, 3, 4, 5, 6, 7, 8, 9})
    local taken = design.sample({1, 2, 3, 4, 5, 6}, 3)
    check(#taken == 3 and taken[1] < taken[2] and taken[2] < taken[3])
    local square = design.latin_square(5)
    for i = 1, 5 do
        local row, column = {}, {}
        for j = 1, 5 do
            row[square[i][j]] = true
            column[square[j][i]] = true
        end
        check(#row == 5 and #column == 5, "each number once in each row and column")
    end
    local cube = design.latin_hypercube({x = {0, 10}, y = {1, 1024, log = true}}, 10)
    local tenths, octaves = {}, {}
    for _, point in ipairs(cube) do
        tenths[math.floor(point.x) + 1] = true
        octaves[math.floor(math.log(point.y, 2)) + 1] = true
    end
    check(#tenths == 10 and #octaves == 10, "each part of each axis once")
end

local function test_units()
    same(units.parse("64Mi"), 67108864)
    same(units.parse("256 MiB"), 268435456)
    same(units.parse("1.5GB"), 1500000000)
    near(units.parse("50ms"), 0.05)
    near(units.parse("0.5%"), 0.005)
    same(units.parse("-3"), -3)
    same(units.parse("1e3"), 1000)
    same(units.parse(7), 7)
    fails("`64Mx` is not a number", units.parse, "64Mx")
    fails("`x` is not a number", units.parse, "x")
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
    near(stats.spread({2, 1, 1.5}), 1)
    same(stats.median_deviation({1, 2, 3, 4, 100}), 1)
    local list = {}
    for i = 1, 10 do list[i] = i end
    local low, high = stats.median_interval(list)
    same({low, high}, {2, 9}) -- 97.9 %; one rank further in it would be 89.1 %
    check(stats.median_interval({1, 2, 3, 4, 5}) == nil, "five are too few for 95 %")
    same({stats.median_interval({1, 2, 3, 4, 5, 6})}, {1, 6})
    same({stats.median_interval({1, 2, 3}, 0.5)}, {1, 3})
    check(stats.is_below(1, 2, 3, 4) and not stats.is_below(1, 3, 3, 4))
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
    near(fit.meet(1, 4, 2, 8, 16, 32, 32, 32), 8)
    check(fit.meet(1, 1, 2, 2, 3, 6, 4, 8) == nil, "lines side by side do not meet")
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
    same(search.knee({1, 2, 4, 8, 16, 32}, {4, 8, 16, 32, 32, 32}), 4)
    check(search.knee({1, 2}, {1, 2}) == nil)
    same(search.edges({1, 2, 3}, {10, 10, 20}), {{from = 2, ratio = 2.0, to = 3}})
    same({search.crossing({1, 2, 3}, {1, 5, 9}, 6)}, {2, 3})
    check(search.crossing({1, 2}, {1, 2}, 6) == nil)
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
