-- Rows, as `refine` and `done` get them: chosen, sorted, read by column.
-- SPDX-License-Identifier: MIT
local M = {}

--- The rows whose measurement can be used: status ok or imprecise (an unverified one may be fast because it is wrong).
function M.good(rows)
    local out = {}
    for _, row in ipairs(rows) do
        if row.status == "ok" or row.status == "imprecise" then out[#out + 1] = row end
    end
    return out
end

--- The rows that have all these values: matching(rows, {memory = "device"}).
function M.matching(rows, wanted)
    local out = {}
    for _, row in ipairs(rows) do
        local all = true
        for name, value in pairs(wanted) do all = all and row[name] == value end
        if all then out[#out + 1] = row end
    end
    return out
end

--- The rows that have a value in each of the named columns.
function M.having(rows, ...)
    local out = {}
    for _, row in ipairs(rows) do
        local all = true
        for _, name in ipairs({...}) do all = all and row[name] ~= nil end
        if all then out[#out + 1] = row end
    end
    return out
end

--- The first of the named columns that any good row has a value in, else the first of all: chosen(rows, "time_us",
--- "ld_sectors"). Empty names are passed over.
function M.chosen(all, ...)
    for _, name in ipairs({...}) do
        if name ~= "" and #M.having(M.good(all), name) > 0 then return name end
    end
    return (...)
end

--- The values of one column, in the rows' order.
function M.column(rows, name)
    local out = {}
    for i, row in ipairs(rows) do out[i] = row[name] end
    return out
end

--- The rows in ascending order of a column; those that are equal stay in their order.
function M.sorted(rows, name)
    local out = table.move(rows, 1, #rows, 1, {})
    table.sort(out, function(a, b) return a[name] < b[name] end)
    return out
end

--- The names in a text, separated by commas: names("n, stride") is {"n", "stride"}.
function M.names(text)
    local list = {}
    for name in text:gmatch("[^,%s]+") do list[#list + 1] = name end
    return list
end

--- A value as a report shows it: text({16, 16}) is "16x16".
function M.text(value)
    return type(value) == "table" and table.concat(value, "x") or tostring(value)
end

--- The rows in groups of equal values of the named columns: a list of {key = {values}, rows = {...}}, in order of
--- appearance.
function M.groups(rows, ...)
    local names, groups, index = {...}, {}, {}
    for _, row in ipairs(rows) do
        local key = {}
        for i, name in ipairs(names) do key[i] = row[name] == nil and "" or row[name] end
        for i = 1, #names do key[i] = type(key[i]) == "table" and M.text(key[i]) or key[i] end
        local text = {}
        for i = 1, #names do text[i] = type(key[i]) .. tostring(key[i]) end
        local at = table.concat(text, "\0")
        if not index[at] then
            index[at] = {key = key, rows = {}}
            groups[#groups + 1] = index[at]
        end
        local members = index[at].rows
        members[#members + 1] = row
    end
    return groups
end

return M
