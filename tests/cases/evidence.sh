# The reports under reports/h200 hold what an NVIDIA H200's own counters said. Every one that has counts is run again on
# the simulator, by the file and the overrides that its run.yaml names, and each count must be the same to the last
# digit; where a row must differ, it is listed with the reason in evidence.out.
# full: counts again, on the simulator, what some sixty reports hold
# SPDX-License-Identifier: MIT
kept=$TOP/reports/h200
counted="ld_requests ld_sectors st_requests st_sectors atomic_requests atomic_sectors local_requests local_sectors \
shared_requests shared_wavefronts bank_conflicts"
fact() { sed -n "s/^$2: \"\(.*\)\"$/\1/p" "$kept/$1.run.yaml"; } # report, name
why_not() { # report: why it is not run again; nothing when it is
    case $1 in
    copy | matrix | vecadd | layout | lookup | roofline | scalability | image_resize | l[12]_bandwidth | \
        distributed_shared | async_copy | atomics | bank_conflicts | barriers | block_shape | coalescing | \
        divergence | element_size | latency_hiding | local_array | matmul | read_only | warps_or_loads)
        echo "too much work for a test: ${1}_small stands in for it" ;;
    latency) echo "too much work for a test: cache_capacity_small has the same kernel" ;;
    fetch) echo "the simulator has no L2 to set: stride has the same kernel" ;;
    best_transpose) echo "its script goes by times, and asks for other points where there are none" ;;
    copies | copies_both_ways | page_faults | peer | peer_latency) echo "it is about the way between two memories" ;;
    l2_hit_ratio | l2_shared_window) echo "the simulator has no L2 to set: l2_hit_ratio_small has the same kernel" ;;
    esac
}
rows() { sed 's/"[^"]*"/quoted/g' "$1"; } # texts may hold commas

# Both reports' rows side by side, by `point`: what they measured must agree, then what they counted.
compare() { # report
    awk -F, -v name="$1" -v counted="$counted" '
        BEGIN { wanted = split(counted, list, " ") }
        function why(c, h, s) {
            if (name ~ /^atomics/ && h < s) return ": the compiler adds the lanes of a warp up first"
            if (name ~ /^atomics/) return ": the hardware tries again until no other lane has been quicker"
            if (name ~ /^barriers/) return ": how often blocks that wait look again is the hardware\047s affair"
        }
        FNR == 1 { files++; delete at; for (i = 1; i <= NF; i++) at[$i] = i }
        FNR == 1 && files == 1 {
            for (i = at["kernel"]; i < at["status"]; i++) if ($i != "counters") axes[++axis_count] = $i
        }
        FNR == 1 { next }
        files == 1 {
            seen[$at["point"]] = 1
            if ($at["counts"] != "hardware") print name ": point " $at["point"] " was not counted by the hardware"
            for (i = 1; i <= axis_count; i++) hw[$at["point"], axes[i]] = $at[axes[i]]
            for (i = 1; i <= wanted; i++) hw[$at["point"], list[i]] = $at[list[i]]
            next
        }
        {
            point = $at["point"]
            if (!(point in seen)) { print name ": point " point " is not in the report"; next }
            delete seen[point]
            for (i = 1; i <= axis_count; i++)
                if (hw[point, axes[i]] != $at[axes[i]])
                    print name ": point " point " is another one: " axes[i] " " hw[point, axes[i]] ", now " $at[axes[i]]
            if ($at["status"] == "skipped") {
                print name ": point " point ": not on the simulator: " $at["reason"]
                next
            }
            for (i = 1; i <= wanted; i++) {
                c = list[i]; h = hw[point, c]; s = $at[c]
                if (s == "") { print name ": point " point ": no " c; continue }
                if (h == s) { equal++; continue }
                shared = c ~ /^shared_/ || c == "bank_conflicts"
                looks = shared && name ~ /^((far_)?latency|cache_capacity_small)$/
                if (c ~ /^local_/ && h > s && $at["spill_bytes"] > 0) { spilled++; continue }
                if (looks) print name ": point " point ": " c ": how far it looks goes by the times that it found"
                else print name ": point " point ": " c " is " h " by the hardware and " s \
                    " by the simulator" why(c, h, s)
            }
        }
        END {
            for (point in seen) print name ": point " point " is no longer in the plan"
            if (spilled) print name ": " spilled " counts of local traffic are of spills, which PTX does not have"
            print name ": " equal + 0 " counts are the same"
        }' <(rows "$kept/$1.csv") <(rows "$1.csv")
}

for report in "$kept"/*.run.yaml; do
    name=$(basename "$report" .run.yaml)
    rows "$kept/$name.csv" | grep -q ',hardware\(,\|$\)' || continue
    if [ "$(why_not "$name")" ]; then echo "$name: not run: $(why_not "$name")"; continue; fi
    given="$(fact "$name" overrides) $(fact "$name" 'override_[0-9]*' | tr '\n' ' ')"
    given=${given//, /,} # a list's blanks
    options=(-s 'for={}') # the sizes that the GPU had
    # it was given those that the file has for the simulator
    case $given in *' for={cuda: '*) given=${given%% for=*} options=() ;; esac
    for o in $given; do
        case $o in device=* | counters=*) ;; *) options+=(-s "$o") ;; esac
    done
    options+=(-o "$scratch/$name.csv")
    (cd "$TOP" && gpuexp "$(fact "$name" file)" -q -d sim:h200 -s model=none "${options[@]}" 2> "$scratch/said") ||
        cat said
    need [ -s "$name.csv" ]
    compare "$name"
done

# Of the machine that it came from, no report names any path but its own folder.
need [ -z "$(grep -rlE '/(home|root|work)($|[^a-z_])|/tmp/tmp' "$TOP/reports")" ]
