-- Numbers with units, as people read them.
-- SPDX-License-Identifier: MIT
local M = {}

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
