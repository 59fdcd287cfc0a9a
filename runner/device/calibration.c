// How each constant follows from a probe, and the file that is written.
// SPDX-License-Identifier: MIT
#include "device/calibration.h"

#include "base/embed.h"
#include "device/profiles.h"
#include "spec/traits.h"
#include "spec/yaml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char calibration_experiments[] = "runner/device/profiles/calibrate.yaml";
static const char reference[] = "runner/device/profiles/h200.yaml";

const struct probe_facts probe_table[PROBE_COUNT] = {
#define X(name, unit, experiment, row, column, minus, about) \
    {#name, unit, experiment, column, about, row, PROBE_##minus},
    PROBES(X)
#undef X
};

// How a constant goes with its probe: as the probe does; as its time in clocks; as the clocks that a byte takes; as the
// bytes that an SM gets in a clock; as the size of L2.
enum follows { AS_IT_IS, AS_CLOCKS, AS_CLOCKS_A_BYTE, AS_BYTES_A_CLOCK, AS_L2 };
struct rule {
    const char *constant;
    enum follows how;
    enum probe probe;
};
static const struct rule rules[] = {
    {"clock_mhz", AS_IT_IS, PROBE_clock},
    {"launch_us", AS_IT_IS, PROBE_launch},
    {"event_us", AS_IT_IS, PROBE_launch},
    {"graph_us", AS_IT_IS, PROBE_launch},
    {"block_ns", AS_IT_IS, PROBE_blocks},
    {"block_warp_ns", AS_IT_IS, PROBE_blocks},
    {"barrier_cycles", AS_IT_IS, PROBE_barrier},
    {"barrier_warp_cycles", AS_IT_IS, PROBE_barrier_warps},
    {"l1_cycles", AS_IT_IS, PROBE_l1},
    {"l2_near_cycles", AS_IT_IS, PROBE_l2},
    {"l2_far_cycles", AS_IT_IS, PROBE_l2},
    {"dram_latency_cycles", AS_IT_IS, PROBE_memory},
    {"l1_lines", AS_BYTES_A_CLOCK, PROBE_l1_reads},
    {"l2_line_cycles", AS_CLOCKS_A_BYTE, PROBE_l2_reads},
    {"l2_read_cycles", AS_CLOCKS_A_BYTE, PROBE_l2_reads},
    {"l2_write_line_cycles", AS_CLOCKS_A_BYTE, PROBE_l2_reads},
    {"l2_write_cycles", AS_CLOCKS_A_BYTE, PROBE_l2_reads},
    {"l2_part_cycles", AS_CLOCKS_A_BYTE, PROBE_l2_reads},
    {"l2_part_row_cycles", AS_CLOCKS, PROBE_rows},
    {"l2_bytes", AS_L2, PROBE_NONE},
    {"l2_dirty_bytes", AS_L2, PROBE_NONE},
    {"l2_part_lines", AS_L2, PROBE_NONE},
    {"dram_cycles", AS_CLOCKS_A_BYTE, PROBE_copy},
    {"dram_row_cycles", AS_CLOCKS, PROBE_rows},
    {"atomic_send_cycles", AS_CLOCKS, PROBE_adds},
    {"atomic_line_cycles", AS_CLOCKS, PROBE_adds},
    {"atomic_change_cycles", AS_CLOCKS, PROBE_adds},
    {"atomic_float_cycles", AS_CLOCKS, PROBE_float_adds},
    {"swap_cycles", AS_CLOCKS, PROBE_float_adds},
    {"bus_bytes_us", AS_IT_IS, PROBE_bus},
};

static bool number(const struct node *n, double *to)
{
    char *end;
    if (!n || n->kind != NODE_LIST || !n->count || n->items[0]->kind != NODE_TEXT) return false;
    *to = strtod(n->items[0]->text, &end);
    return end != n->items[0]->text && !*end && isfinite(*to) && *to > 0;
}

// What a profile's file says of its device's probes; false: it has none, or one is missing.
static bool calibration_probes(const char *text, size_t size, double probes[PROBE_COUNT])
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    LOCAL(diags_clear) struct diags ignored = {0};
    struct node_source *source = node_source_new(a, "profile", text, size);
    struct yaml_documents docs = {0};
    bool good = yaml_read(source, text, size, &docs, &ignored) && docs.count == 1 && docs.items[0].root;
    const struct node *map = good ? node_get(docs.items[0].root, "probes") : NULL;
    good = map && map->kind == NODE_MAP;
    for (int k = 0; k < PROBE_COUNT && good; k++) good = number(node_get(map, probe_table[k].name), &probes[k]);
    return good;
}

struct here_and_there {
    const double *probes, *like;
    double l2, l2_like, sms, sms_like;
};

static double times(const struct rule *r, const struct here_and_there *t)
{
    const double clock = t->probes[PROBE_clock] / t->like[PROBE_clock], sms = t->sms / t->sms_like,
                 probe = r->probe == PROBE_NONE ? 1 : t->probes[r->probe] / t->like[r->probe];
    switch (r->how) {
    case AS_CLOCKS: return probe * clock;
    case AS_CLOCKS_A_BYTE: return clock / probe;
    case AS_BYTES_A_CLOCK: return probe / (clock * sms);
    case AS_L2: return t->l2 / t->l2_like;
    case AS_IT_IS: break;
    }
    return probe;
}

static const struct rule *rule_of(const char *constant)
{
    for (const struct rule *r = rules; r < rules + sizeof rules / sizeof *rules; r++)
        if (strcmp(r->constant, constant) == 0) return r;
    return NULL;
}

static void add_constant(const char *name, const char *unit, double like, const struct here_and_there *t,
    const struct device_identity *told, struct str *s)
{
    const struct rule *r = rule_of(name);
    double v = like;
    const char *from = "as the H200: no probe tells it";
    LOCAL(str_release) struct str why = {0};
    if (r) {
        v = like * times(r, t);
        if (r->how == AS_L2) str_add(&why, "as the H200's, by the size of L2");
        else str_addf(&why, "as the H200's, by `%s`", probe_table[r->probe].name);
        from = why.text;
    } else if (strcmp(name, "dram_bytes_us") == 0 && told->peak_gbps > 0) {
        v = told->peak_gbps * 1000, from = "memory clock x bus width x 2, as the driver says";
    } else if (strcmp(name, "gpcs") == 0) {
        v = fmax(1, round(like * t->sms / t->sms_like)), from = "as the H200's, by its SMs";
    } else if (strcmp(name, "l2_parts") == 0 && t->l2 < 0.5 * t->l2_like) {
        v = 1, from = "a guess: an L2 of this size is one";
    }
    str_addf(s, "  %s: [%.6g, \"%s\", \"%s\"]\n", name, v, unit, from);
}

bool calibration_write(const struct device_identity *told, const double probes[PROBE_COUNT], const char *when,
    struct str *s, struct diags *d)
{
    const struct embedded *e = embed_find(reference);
    const struct profile *h200 = profile_find("h200"), *named = profile_named(told->name);
    struct model_constants like;
    double then[PROBE_COUNT];
    struct here_and_there t = {.probes = probes, .like = then, .sms_like = h200->limits.sms};
    for (int k = 0; k < PROBE_COUNT; k++)
        if (!(probes[k] > 0))
            return diag_system(d, "see what its report says, then run it again", "`%s` of %s has no value",
                probe_table[k].column, probe_table[k].experiment);
    if (!profile_model(h200, &like, d)) return false;
    if (!e || !calibration_probes(e->text, e->size, then))
        return diag_system(d, NULL, "%s has not all probes", reference);
    t.l2_like = like.l2_bytes;
    if (!traits_read(told->limits, "l2_bytes", &t.l2) || !traits_read(told->limits, "sms", &t.sms))
        return diag_system(d, NULL, "%s does not say how many SMs it has, and how large L2 is", told->name);
    str_addf(s, "# What the model knows of this GPU, by `gpuexp calibrate`: %s.\n\n", when);
    str_addf(s, "device:\n  name: \"%s\"\n  arch: %s\n  like: %s\n  limits: \"%s\"\n  peak_gbps: %.1f\n", told->name,
        told->arch, named ? named->name : "h200", told->limits, told->peak_gbps);
    str_add(s, "\n# What was measured: value, unit, what it is\nprobes:\n");
    for (int k = 0; k < PROBE_COUNT; k++)
        str_addf(s, "  %s: [%.6g, \"%s\", \"%s\"]\n", probe_table[k].name, probes[k], probe_table[k].unit,
            probe_table[k].about);
    str_add(s, "\n# value, unit, where it comes from\nconstants:\n");
#define X(field, unit, about) \
    if (strcmp(#field, "sms") != 0 && strcmp(#field, "l1_bytes") != 0) \
        add_constant(#field, unit, like.field, &t, told, s);
    MODEL_CONSTANTS(X)
#undef X
    // A device that nobody held launches of against the model: wider than the H200's.
    const double wider = named == h200 ? 1 : 1.3;
    str_add(s,
        "\n# Nine of ten measured times lie between these shares of the expected one, by what limits it.\nwithin:\n");
    for (int k = 0; k < LIMITS_MOST; k++)
        if ((int)limit_as[k] == k)
            str_addf(s, "  %s: [%.3g, %.3g, \"the H200's%s\"]\n", limit_words[k], like.least[k] / wider,
                like.most[k] * wider, wider > 1 ? ", 1.3 times as wide: a guess" : "");
    return true;
}
