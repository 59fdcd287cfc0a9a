# The schemas fit every file that ships, and refuse what the program refuses: a list of wrong experiments and of wrong
# kernels is tried with both. A validator that others wrote does the reading.
# SPDX-License-Identifier: MIT
# full: it needs python3-jsonschema
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
{kernel: stride, for: {gpu: {n: 1}}}
{kernel: stride, together: [{stride: [1]}, 3]}
{kernel: stride, include: [5]}
{kernel: stride, include: [{strid: 5}]}
{kernel: stride, keep_together: {a: 1}}
{kernel: stride, script: [tune]}
{kernel: stride, where: {a: 1}}
{kernel: [stride]}
{with: {n: 1}}
{sweep: {stride: [1]}}
{sweep: {kernel: []}}
{sweep: {kernel: stride}}
{sweep: {kernel: {from: 1, to: 2, step: 1}}}
{kernel: stride, sweep: {kernel: [stride, ./other.cu]}}
{kernel: stride, with: {schedule: 0}}
{kernel: stride, with: {streams: -1}}
{kernel: stride, with: {window.ratio: 1.5}}
{kernel: stride, with: {window: {rato: 0.5}}}
{kernel: stride, with: {window: in}}
{kernel: stride, with: {block: 0}}
{kernel: stride, with: {block: 3.5}}
{kernel: stride, sweep: {block: [64, 0]}}
{kernel: stride, with: {timeout: 0}}
{kernel: stride, with: {check: some}}
{kernel: stride, measure: {precision: {of: cycles, too: 1%}}}
YAML
cp "$TOP/kernels/stride.cu" other.cu
sed -i 's/void stride(/void other(/' other.cu
# What the program takes (it may skip it, or find nothing to do): the schema must too.
cat > right.yaml <<'YAML'
{sweep: {kernel: [stride, ./other.cu]}}
{sweep: {kernel: [stride, ./other.cu], stride: [1, 2]}, with: {n: 1Ki}}
{together: [{kernel: [stride, ./other.cu], stride: [1, 2]}]}
{together: {kernel: [stride, ./other.cu], stride: [1, 2]}}
{kernel: stride, with: {n: 4 * sms}}
{kernel: stride, sweep: {n: [1024 * sms, 64Ki]}}
{kernel: stride, sweep: {grid: [sms, 4 * sms]}}
{kernel: stride, with: {grid: 4 * sms, block: 2 * 64}}
{kernel: stride, with: {check: none, schedule: 7}}
{kernel: stride, sweep: {schedule: [1, 7], check: [auto, full]}}
{kernel: stride, sweep: {schedule: {from: 1, to: 3, step: 1}}}
{kernel: latency, measure: {precision: {of: cycles, to: 1%}}}
{kernel: stride, with: {memory.in: mapped, memory.out: device}}
{kernel: stride, sweep: {memory.in: [device, mapped]}}
{kernel: stride, with: {options: [--use_fast_math]}}
{kernel: stride, with: {options: --use_fast_math}}
{kernel: stride, sweep: {timed: [launch, copy]}}
{kernel: stride, with: {memory: peer}}
{kernel: stride, with: {carveout: 50%, cluster: [2, 2], cooperative: true}}
{kernel: stride, with: {window.ratio: 0.6, persist: 0.5, window.bytes: 1.5MiB, memory: {in: mapped}}}
{kernel: stride, with: {window: {buffer: in, hits: normal}}, sweep: {window: {ratio: [0.5, 1]}}}
{kernel: stride, with: {peak: 3.35TB, timeout: 90s}}
{kernel: stride, sweep: {block: [64, [16, 16], 2 * 32]}}
{kernel: stride, sweep: {block: {from: 64, to: 512, times: 2}}}
{kernel: stride, sweep: {device: [sim, "sim:h200"], stride: 4}}
{kernel: stride, together: {stride: [1, 2], n: [1Ki, 2Ki]}}
{kernel: stride, include: {stride: 33}, exclude: {stride: 2}, where: [stride > 1, n > 1]}
{kernel: stride, for: {sim: {n: 1Ki, stride: [1, 2]}, cuda: {n: 2Ki}}, sweep: {stride: [1, 2, 3]}}
{kernel: stride, expect: {that: sectors_per_request > 0}, derive: {a: 1, b: ld_sectors / n}}
{kernel: stride, expect: [sectors_per_request > 0]}
{kernel: stride, measure: {contexts: 1, precision: 1%, max_time: 50ms, min_samples: 5, warmup: 0}}
{experiment: 5, kernel: stride, keep_together: stride, sweep: {stride: [1, 2]}}
{kernel: stride, with: {n: 2^20}}
{kernel: stride, with: {n: "64Ki", streams: 2, chunks: 4, counters: both}}
YAML
cat > right.cu.yaml <<'YAML'
{buffers: {a: {type: float, count: 1}}, threads: 1}
{buffers: {a: {count: 1, access: both}}, threads: 1}
{buffers: {a: {count: 1}}, threads: 1}
{buffers: {a: 1}, threads: 1}
YAML
cat > wrong.cu.yaml <<'YAML'
{about: x, thread: n}
{params: [n], threads: 1}
{params: {n: {defalt: 1}}, threads: 1}
{params: {n: {default: 1, kind: arg}}, threads: 1}
{params: {n: {default: 1, one_of: 1}}, threads: 1}
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
{threads: 1, tolerance: 0.5}
{threads: 1, tolerance: {abss: 0.5}}
YAML
cat > try.py <<'PY'
import glob, json, re, subprocess, sys, jsonschema, yaml

# YAML 1.1 as others read it: no key of the files is one of its words for true and false. Dates are texts.
class Loader(yaml.SafeLoader):
    pass
Loader.yaml_implicit_resolvers = {
    first: [(tag, what) for tag, what in all if tag != "tag:yaml.org,2002:timestamp"]
    for first, all in yaml.SafeLoader.yaml_implicit_resolvers.items()}

program, top = sys.argv[1:]
bad = 0
def fail(*words):
    global bad
    bad += 1
    print(*words)
def schema(of):
    text = json.loads(subprocess.run([program, "print", "schema", of], check=True, capture_output=True).stdout)
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
    return subprocess.run([program, "check", name, "-d", "sim"], capture_output=True).returncode == 2
for line in open("right.yaml"):
    open("one.yaml", "w").write(line)
    for e in experiment.iter_errors(yaml.load(line, Loader)):
        fail("the schema refuses", line, e.message[:200])
    if refused("one.yaml"):
        fail("the program refuses", line)
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
for line in open("right.cu.yaml"): # what an argument says need not be said
    open("wrong.cu", "w").write("/*\n" + line + "*/\n__global__ void wrong(float *a) { a[0] = 1; }\n")
    for e in kernel.iter_errors(yaml.load(line, Loader)):
        fail("the schema refuses", line, e.message[:200])
    if refused("one.yaml"):
        fail("the program refuses", line)
for line in open("wrong.cu.yaml"):
    open("wrong.cu", "w").write("/*\n" + line + "*/\n" + source)
    if kernel.is_valid(yaml.load(line, Loader)):
        fail("the schema takes", line)
    if not refused("one.yaml"):
        fail("the program takes", line)
sys.exit(bad > 0)
PY
need python3 try.py "$GPUEXP" "$TOP"
gpuexp print schema nothing 2> said
need [ $? = 2 ]
need grep -q 'gpuexp print schema kernel' said
