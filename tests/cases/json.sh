# --format json: each command that has it prints JSON, with what its text says; --format jsonl makes a line of each row.
# SPDX-License-Identifier: MIT
# full: it needs python3
command -v python3 > /dev/null || lacks python3
cat > look.py <<'PY'
import json, sys
data = json.load(sys.stdin)
if not eval(sys.argv[1]):
    sys.exit("not so: " + sys.argv[1])
PY
says() { # CONDITION COMMAND...: Python of `data`
    local condition=$1
    shift
    "$@" 2> /dev/null > said.json
    status=$?
    need python3 look.py "$condition" < said.json
}
cat > one.yaml <<'YAML'
kernel: vecadd
question: Does "it" work\, über all?
with: {n: 1Ki, device: sim}
sweep: {block: [64, [8, 8], 4096]}
exclude: [{block: 64}]
YAML
says '{"stride", "vecadd"} <= {k["kernel"] for k in data["kernels"]} and len(data["experiments"]) > 20' \
    gpuexp list --format json
says '[k["kernel"] for k in data["kernels"]] == ["transpose"]' gpuexp list transpose padded --format json
says 'data["experiments"] and {e["theme"] for e in data["experiments"]} == {"caches"}' \
    gpuexp list caches --format json
says 'data[0]["default"] == "device" and data[0]["values"]["pitched"]' gpuexp describe memory --format json
says 'len(data) > 30 and all(e["about"] for e in data)' gpuexp describe settings --format json
says '[p["name"] for p in data[-2]["params"]][0] == "n" and data[-1]["experiment"] == "stride"' \
    gpuexp describe stride --format json
says 'data[0]["question"] == "Does \"it\" work\\, über all?"' gpuexp describe one.yaml --format json
says '[p["point"] for p in data[0]["points"]][0] == 1 and data[0]["points"][0]["memory_bytes"] == 12288' \
    gpuexp plan one.yaml --format json
says '[r["values"]["block"] for r in data[0]["removed"]] == [64]' gpuexp plan one.yaml --format json
says 'data["experiments"][0]["experiment"] == "vecadd"' gpuexp check vecadd --format json
need [ "$status" = 0 ]
echo 'kernel: stryde' > wrong.yaml
says 'data["mistakes"][0]["line"] == 1 and data["mistakes"][0]["hint"] == "did you mean `stride`?"' \
    gpuexp check wrong.yaml --format json
need [ "$status" = 2 ]
says '"sim" in [d["device"] for d in data["devices"]] and not data["devices"][-1]["timed"]' \
    gpuexp devices --format json
gpuexp vecadd -d sim -s 'n=[1Ki, 2Ki]' -q || exit 1
says 'data[0]["points"] == 2 and data[0]["done"] == 2 and data[0]["left"] == 0 and not data[0]["running"]' \
    gpuexp status reports/vecadd.csv --format json
need [ "$status" = 0 ]
gpuexp vecadd -d sim -s 'n=[1Ki, 2Ki]' -s block=512 -q -o other.csv || exit 1
says 'data["points"] and {p["verdict"] for p in data["points"]} == {"missing", "new"}' \
    gpuexp compare reports/vecadd.csv other.csv --format json
need [ "$status" = 1 ]
says '[p["verdict"] for p in data["points"]] == ["same", "same"] and data["points"][0]["status"] == ["ok", "ok"]' \
    gpuexp compare reports/vecadd.csv reports/vecadd.csv --format json

# A row that a later one replaces is left out; what is unknown is null, what looks like a number in a key stays a text.
need gpuexp report reports/vecadd.csv --format jsonl
need [ "$(wc -l < reports/vecadd.jsonl)" = 2 ]
head -n 1 reports/vecadd.jsonl > first
says 'data["n"] == 1024 and data["time_us"] is None and type(data["key"]) is str and data["status"] == "ok"' cat first
gpuexp report reports/vecadd.csv other.csv --format jsonl -o - > printed || exit 1
need [ "$(wc -l < printed)" = 4 ]
need diff reports/vecadd.jsonl <(head -n 2 printed)
need [ ! -e ./- ]

t gpuexp plan one.yaml --format xml
t gpuexp report reports/vecadd.csv --format xml
says 'len(data) == 2 and data[1]["n"] == 2048 and data[0]["time_us"] is None' \
    gpuexp report reports/vecadd.csv --format json -o -
need gpuexp report reports/vecadd.csv --format csv -o rows.csv -q
need [ "$(wc -l < rows.csv)" = 3 ]
need [ "$(cells rows.csv n | head -n 1)" = 1024 ]
need [ "$(head -n 1 rows.csv | grep -c checksum)" = 0 ]
gpuexp report reports/vecadd.csv -q --format md -o - > table.md
need grep -q '^| 2048 |' table.md
need grep -q '^| n | ' table.md
t gpuexp merge reports/vecadd.csv --format json
t gpuexp list cachs
t gpuexp list nosuchword
# The run file's numbers are numbers.
need grep -qx 'points: 2' reports/vecadd.run.yaml
need grep -qx '    exit: 0' reports/vecadd.run.yaml

# What happens in a run, an object a line, and nothing else on standard output.
cat > lines.py <<'PY'
import json, sys
data = [json.loads(line) for line in sys.stdin]
if not eval(sys.argv[1]):
    sys.exit("not so: " + sys.argv[1])
PY
cat > run.yaml <<'YAML'
kernel: stride
with: {n: 64Ki, device: sim}
sweep: {stride: [1, 2, 4]}
expect:
  - {when: stride == 4, that: ld_sectors == 1}
YAML
gpuexp run.yaml --format jsonl > events 2> log
need [ $? = 1 ]
happens() { need python3 lines.py "$1" < events; }
happens '[e["event"] for e in data][0] == "start" and [e["event"] for e in data][-1] == "end"'
happens '[e["event"] for e in data].count("begun") == [e["event"] for e in data].count("row") == 3'
happens 'all([e["event"] for e in data if e.get("point") == p] == ["begun", "row"] for p in (1, 2, 3))'
happens '{e["values"]["stride"] for e in data if e["event"] == "row"} == {1, 2, 4}'
happens '[e["columns"]["ld_sectors"] for e in data if e["event"] == "row" and e["values"]["stride"] == 1] == [8192]'
happens '[e["left"] for e in data if e["event"] == "row"] == [2, 1, 0] and data[0]["left"] == 3'
happens '[(e["came"], e["file"], e["line"]) for e in data if e["event"] == "claim"] == [("broken", "run.yaml", 5)]'
happens 'data[-1]["statuses"] == {"ok": 3} and data[-1]["broken"] == 1 and data[-1]["exit_status"] == 1'
need [ "$(grep -c . reports/run.csv)" = 4 ]
gpuexp run.yaml --format jsonl -q > events 2> log
happens 'data[0]["kept"] == 3 and not [e for e in data if e["event"] == "row"]'
need [ ! -s log ]
gpuexp run.yaml --format json > out 2>&1
need [ $? = 2 ]
