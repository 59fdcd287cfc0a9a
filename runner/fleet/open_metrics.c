// What is not known has no line.
// SPDX-License-Identifier: MIT
#include "fleet/fleet.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "store/table.h"

static void family(struct str *s, const char *name, const char *about)
{
    str_addf(s, OPEN_METRICS_BEGINS "%s gauge\n# HELP gpuexp_health_%s %s\n", name, name, about);
}

static void line(struct str *s, const char *name, const struct gpu *g, const char *what, const char *which,
    double value)
{
    if (!isfinite(value)) return;
    str_addf(s, "gpuexp_health_%s{", name);
    text_add_label(s, "gpu", g->name);
    text_add_label(s, ",model", g->model);
    text_add_label(s, ",host", g->host);
    if (what) str_add(s, ","), text_add_label(s, what, which);
    str_addf(s, "} %.9g\n", value);
}

static double time_of(const struct gpu_test *t) { return 1e-6 * t->time.us; }
static double of_reference(const struct gpu_test *t) { return t->reference_speed; }
static double of_others(const struct gpu_test *t) { return t->fleet_speed; }
static double of_itself(const struct gpu_test *t) { return t->own_speed; }
static double percentile(const struct gpu_test *t) { return t->percentile / 100; }
static double clock_of(const struct gpu_test *t) { return 1e6 * t->clock_mhz; }
static double throttled(const struct gpu_test *t) { return t->discarded; }

static const struct measure_of {
    const char *name, *about;
    double (*value)(const struct gpu_test *);
} measures[] = {
    {"time_seconds", "Time of one run of the test.", time_of},
    {"reference_ratio", "Speed of the test, the reference of the model is 1.", of_reference},
    {"fleet_ratio", "Speed of the test, the median of the other GPUs of the model is 1.", of_others},
    {"best_night_ratio", "Speed of the test, the GPU's best earlier night with this driver is 1.", of_itself},
    {"slower_ratio", "Share of the other GPUs of the model that are slower.", percentile},
    {"clock_hertz", "Clock of the SMs during the test.", clock_of},
    {"throttled_samples", "Samples thrown away for a clock that was held down.", throttled},
};

void open_metrics(const struct fleet *f, struct str *s)
{
    family(s, "findings", "Findings about the GPU; 0 is well.");
    for (size_t i = 0; i < f->count; i++)
        line(s, "findings", &f->gpus[i], NULL, NULL, (double)f->gpus[i].finding_count);
    for (size_t m = 0; m < sizeof measures / sizeof *measures; m++) {
        family(s, measures[m].name, measures[m].about);
        for (size_t i = 0; i < f->count; i++)
            for (size_t t = 0; t < f->test_count; t++)
                if (f->gpus[i].tests[t].status)
                    line(s, measures[m].name, &f->gpus[i], "test", f->tests[t].name,
                        measures[m].value(&f->gpus[i].tests[t]));
    }
    family(s, "fact", "What the device tells of itself, each in its own unit.");
    for (size_t i = 0; i < f->count; i++) {
        const struct condition *c = &f->gpus[i].condition;
        for (size_t k = 0; k < c->count; k++) {
            double x;
            if (value_number(table_value(condition_after(c, c->rows[k].name)), &x))
                line(s, "fact", &f->gpus[i], "fact", c->rows[k].name, x);
        }
    }
    if (f->untested && *f->untested) family(s, "untested", "Nodes that should have a report and have none.");
    for (const char **node = f->untested; node && *node; node++) {
        str_add(s, "gpuexp_health_untested{");
        text_add_label(s, "host", *node);
        str_add(s, "} 1\n");
    }
    str_add(s, "# EOF\n");
}

// And as JSON.

static void print_test(struct json *j, const struct fleet_test *about, const struct gpu_test *t)
{
    json_add(j, "{ test:%s status:%s", about->name, t->status);
    if (t->status)
        json_add(j,
            "value:%g unit:%s time_us:%g of_reference:%g of_others:%g of_best_night:%g percentile:%g "
            "clock_mhz:%g discarded:%g",
            t->value, about->unit, t->time.us, t->reference_speed, t->fleet_speed, t->own_speed, t->percentile,
            t->clock_mhz, t->discarded);
    json_close(j);
}

void fleet_json(const struct fleet *f, FILE *out)
{
    struct json j = json_begin(out, false);
    json_add(&j, "{ gpus:[");
    for (size_t i = 0; i < f->count; i++) {
        const struct gpu *g = &f->gpus[i];
        json_add(&j, "{ gpu:%s model:%s host:%s report:%s nights:%zu reference:%s findings:[", g->name, g->model,
            g->host, g->path, g->night_count + 1, g->reference ? g->reference->path : NULL);
        for (size_t k = 0; k < g->finding_count; k++) json_text(&j, NULL, g->findings[k]);
        json_add(&j, "] tests:[");
        for (size_t t = 0; t < f->test_count; t++) print_test(&j, &f->tests[t], &g->tests[t]);
        json_add(&j, "] facts:{");
        for (size_t k = 0; k < g->condition.count; k++)
            json_text(&j, g->condition.rows[k].name, condition_after(&g->condition, g->condition.rows[k].name));
        json_add(&j, "} }");
    }
    json_close(&j);
    if (f->untested) json_list(&j, "not_tested");
    for (const char **node = f->untested; node && *node; node++) json_text(&j, NULL, *node);
    json_end(&j);
}
