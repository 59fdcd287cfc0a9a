-- Numbers with units, read and written.
-- SPDX-License-Identifier: MIT
local M = {}

local factors = {
    Ki = 2 ^ 10, Mi = 2 ^ 20, Gi = 2 ^ 30, Ti = 2 ^ 40, KiB = 2 ^ 10, MiB = 2 ^ 20, GiB = 2 ^ 30, TiB = 2 ^ 40,
    k = 1e3, K = 1e3, M = 1e6, G = 1e9, T = 1e12, kB = 1e3, KB = 1e3, MB = 1e6, GB = 1e9, TB = 1e12, B = 1,
    s = 1, ms = 1e-3, us = 1e-6, ns = 1e-9, ["%"] = 1e-2, [""] = 1,
}

local function plain(x)
    return x == math.floor(x) and math.abs(x) < 2 ^ 53 and math.tointeger(x) or x
end

--- The number that a text with a unit stands for: parse("64Mi") is 67108864, parse("0.5%") is 0.005. A number is
--- itself.
function M.parse(text)
    if type(text) == "number" then return text end
    local number, unit = text:match("^%s*([+-]?[%d.]+[eE]?[+-]?%d*)%s*([%a%%]*)%s*$")
    local x = number and tonumber(number)
    if not x or not factors[unit] then error(("`%s` is not a number with a unit"):format(text), 2) end
    return plain(x * factors[unit])
end

local function scaled(x, steps, base)
    for i = #steps, 1, -1 do
        local factor = base ^ (i - 1)
        if math.abs(x) >= factor or i == 1 then return ("%.4g %s"):format(x / factor, steps[i]) end
    end
end

--- Bytes as people read them: bytes(67108864) is "64 MiB".
function M.bytes(x)
    return scaled(x, {"B", "KiB", "MiB", "GiB", "TiB"}, 1024)
end

--- Seconds as people read them: seconds(0.0015) is "1.5 ms".
function M.seconds(x)
    return scaled(x * 1e9, {"ns", "us", "ms", "s"}, 1000)
end

--- A share as people read it: percent(0.005) is "0.5 %".
function M.percent(x)
    return ("%.4g %%"):format(x * 100)
end

return M
