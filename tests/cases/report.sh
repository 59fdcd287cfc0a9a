# `report`: one page with everything in it, drawn over the axis with the most values.
# SPDX-License-Identifier: MIT
printf 'kernel: stride\nwith: {n: 64Ki, device: sim}\nsweep: {stride: [1, 2, 4, 8, 16, 32], offset: [0, 1]}\n' > x.yaml
need gpuexp x.yaml -q -o x.csv
t gpuexp report x.csv
need grep -q '<svg' x.html
need [ "$(grep -c '<circle' x.html)" = 12 ]
need [ "$(grep -c '<polyline' x.html)" = 2 ]
need grep -q '>sectors_per_request</text>' x.html
need grep -q 'offset = 1</text>' x.html
need [ "$(grep -cE '(src|href)=|url\(|https?://' x.html)" = "$(grep -c 'xmlns="http://www.w3.org/2000/svg"' x.html)" ] # nothing from outside
need [ "$(grep -c '<tr>' x.html)" = 13 ]
t gpuexp report x.csv -x offset -y ld_sectors -o y.html
need grep -q '>ld_sectors</text>' y.html
t gpuexp report x.csv -y ld_sector
t gpuexp report missing.csv
printf 'a,b\n1,2\n' > other.csv
t gpuexp report other.csv
need [ ! -e other.html ]
