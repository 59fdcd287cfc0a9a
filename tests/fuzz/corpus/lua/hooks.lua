return {about = "x", params = {a = {default = 1}}, columns = {c = "d"},
 points = function(axes) return {{stride = 1}, {stride = 2, memory = "pool"}} end,
 keep = function(p) return p.stride < 3, "far" .. tostring(p) end,
 derive = function(r) return {c = r.stride * 2} end,
 refine = function(rows) return {} end,
 done = function(rows) return {lines = {"a", tostring(print)}, tables = {t = {{a = 1}}}, verdict = true} end}
