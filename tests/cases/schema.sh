# The schemas fit every file that ships, and refuse what the program refuses: a list of wrong experiments and of wrong
# kernels is tried with both. A validator that others wrote does the reading.
# SPDX-License-Identifier: MIT
python3 -c 'import jsonschema, yaml' 2> /dev/null || lacks python3-jsonschema
cat > wrong.yaml <<'YAML'
{kernel: stride, swep: {stride: [1]}}
{kernel: stride, with: {strid: 1}}
{kernel: stride, with: {block: []}}
{kernel: stride, with: {block: [1, 2, 3, 4]}}
{kernel: stride, with: {memory: devise}}
{kernel: stride, with: {memory.inn: mapped}}
{kernel: stride, with: {memory.in: mapt}}
{kernel: stride, with: {n: many}}
{kernel: stride, with: {n: -1}}
{kernel: stride, with: {cache: 1}}
{kernel: stride, with: {prefetch: maybe}}
{kernel: stride, with: {fetch: 48}}
{kernel: stride, with: 5}
{kernel: stride, sweep: {order: [forward, backward]}}
{kernel: stride, sweep: {stride: {from: 1, too: 8, step: 1}}}
{kernel: stride, sweep: {advise: {from: 1, to: 2, step: 1}}}
{kernel: stride, sweep: [stride]}
{kernel: stride, sweep: {stride: []}}
{kernel: stride, measure: {precison: 1%}}
{kernel: stride, measure: {min_samples: many}}
{kernel: stride, expect: [{when: stride == 1}]}
{kernel: stride, expect: [{that: stride == 1, wen: stride}]}
{kernel: stride, derive: [a]}
{kernel: stride, on: {gpu: {n: 1}}}
{kernel: stride, together: [{stride: [1]}, 3]}
{kernel: stride, include: [5]}
{kernel: stride, include: [{strid: 5}]}
{kernel: stride, keep_together: {a: 1}}
{kernel: stride, script: [tune]}
{kernel: stride, where: {a: 1}}
{kernel: [stride]}
{with: {n: 1}}
YAML
cat > wrong.cu.yaml <<'YAML'
{about: x, thread: n}
{params: [n], threads: 1}
{params: {n: {defalt: 1}}, threads: 1}
{params: {n: {default: 1, kind: arg}}, threads: 1}
{params: {n: {default: 1, one_of: 1}}, threads: 1}
{buffers: {a: {type: float, count: 1}}, threads: 1}
{buffers: {a: {count: 1, access: both}}, threads: 1}
{buffers: {a: {type: float, access: both}}, threads: 1}
{buffers: {a: {type: float, count: 1, access: readwrite}}, threads: 1}
{buffers: {a: {type: float, count: [1, 1, 1, 1], access: both}}, threads: 1}
{buffers: {a: {type: float, count: 1, access: both, fill: {randm: [0, 1]}}}, threads: 1}
{buffers: {a: {type: float, count: 1, access: both, fill: {random: [0]}}}, threads: 1}
{buffers: [a], threads: 1}
{reports: {c: {tpe: int}}, threads: 1}
{sequence: {launch: wrong}}
{sequence: [{lunch: wrong}]}
{sequence: [{launch: wrong, swap: [[a]]}]}
{arguments: {v: [1, 2, 3, 4, 5]}, threads: 1}
{threads: [1, 1, 1, 1]}
{threads: {x: 1}}
YAML
cat > try.py <<'PY'
import glob, json, re, subprocess, sys, jsonschema, yaml

# YAML as the program reads it: only true and false are words for that, `on` and dates are texts.
class Loader(yaml.SafeLoader):
    pass
Loader.yaml_implicit_resolvers = {
    first: [(tag, what) for tag, what in all if tag not in ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp")]
    for first, all in yaml.SafeLoader.yaml_implicit_resolvers.items()}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"), list("tf"))

program, top = sys.argv[1:]
bad = 0
def fail(*words):
    global bad
    bad += 1
    print(*words)
def schema(of):
    text = json.loads(subprocess.run([program, "schema", of], check=True, capture_output=True).stdout)
    jsonschema.Draft7Validator.check_schema(text)
    return jsonschema.Draft7Validator(text)
experiment, kernel = schema("experiment"), schema("kernel")

fits = 0
for name in glob.glob(top + "/experiments/*.yaml") + glob.glob(top + "/tests/kernels/*.yaml"):
    for document in yaml.load_all(open(name), Loader):
        if document is None:
            continue
        fits += 1
        for e in experiment.iter_errors(document):
            fail(name, list(e.absolute_path), e.message[:200])
for name in glob.glob(top + "/kernels/*.cu") + glob.glob(top + "/tests/kernels/*.cu"):
    fits += 1
    for e in kernel.iter_errors(yaml.load(re.search(r"/\*(.*?)\*/", open(name).read(), re.S).group(1), Loader)):
        fail(name, list(e.absolute_path), e.message[:200])
if fits < 100:
    fail("only", fits, "files were looked at")

def refused(name):
    return subprocess.run([program, "check", name], capture_output=True).returncode == 2
for line in open("wrong.yaml"):
    open("one.yaml", "w").write(line)
    if experiment.is_valid(yaml.load(line, Loader)):
        fail("the schema takes", line)
    if not refused("one.yaml"):
        fail("the program takes", line)
open("one.yaml", "w").write("kernel: ./wrong.cu\n")
source = "__global__ void wrong() {}\n"
open("wrong.cu", "w").write("/*\nthreads: 1\n*/\n" + source)
if refused("one.yaml"):
    fail("the program refuses what the wrong kernels are made of")
for line in open("wrong.cu.yaml"):
    open("wrong.cu", "w").write("/*\n" + line + "*/\n" + source)
    if kernel.is_valid(yaml.load(line, Loader)):
        fail("the schema takes", line)
    if not refused("one.yaml"):
        fail("the program takes", line)
sys.exit(bad > 0)
PY
need python3 try.py "$GPUEXP" "$TOP"
gpuexp schema nothing 2> said
need [ $? = 2 ]
need grep -q 'gpuexp schema kernel' said
