// `gpuexp devices`: what is known of every device that could run an experiment.
// SPDX-License-Identifier: MIT
#include "base/toolkit.h"
#include "cli/commands.h"
#include "cli/term.h"
#include "device/device.h"

#include <string.h>

static void fact(const struct device_fact *f)
{
    LOCAL(str_release) struct str left = {0}, right = {0};
    double number;
    str_addf(&left, "  %s", f->name);
    if (strcmp(f->unit ? f->unit : "", "B") == 0 && value_number(f->value, &number)) units_print_bytes(number, &right);
    else value_print(f->value, &right);
    if (!right.size) str_add(&right, "not known");
    else if (f->unit && *f->unit && strcmp(f->unit, "B") != 0) str_addf(&right, " %s", f->unit);
    if (f->about && *f->about) str_addf(&right, "  (%s)", f->about);
    term_columns(left.text, 30, right.text, term_width(stdout), stdout);
}

static void device_object(struct json *j, const char *spec, const struct device_identity *identity,
    const struct device_fact *facts, size_t n)
{
    json_add(j, "{ device:%s name:%s timed:%d facts:{", spec, identity->name, identity->timed);
    for (size_t k = 0; k < n; k++) {
        json_object(j, facts[k].name);
        json_value(j, "value", facts[k].value);
        if (facts[k].unit && *facts[k].unit) json_text(j, "unit", facts[k].unit);
        if (facts[k].about && *facts[k].about) json_text(j, "about", facts[k].about);
        json_close(j);
    }
    json_add(j, "} }");
}

static void device(const struct device_ops *ops, int i, struct json *j, struct diags *d)
{
    char spec[DEVICE_SPEC];
    struct device_identity identity = {0};
    struct device_fact *facts = NULL;
    ops->spec(i, spec);
    struct device *device = ops->open(spec, d);
    if (!device) return;
    ops->identity(device, &identity);
    LOCAL(arena_drop) struct arena *a = arena_new();
    size_t n = ops->facts(device, a, &facts);
    if (j) device_object(j, spec, &identity, facts, n);
    else {
        term_say(stdout, TERM_BOLD, "%s", spec);
        if (strcmp(identity.name, spec) != 0) say(stdout, "  %s", identity.name);
        say(stdout, "\n");
        for (size_t k = 0; k < n; k++) fact(&facts[k]);
        if (!identity.timed)
            fact(&(struct device_fact){"times", "", "it counts, it does not measure", value_text("none")});
    }
    ops->close(device);
}

// What is used of the CUDA Toolkit, and what it brings where it is.
enum part { NVRTC, HEADERS, STANDARD, COUNTERS, PARTS };
static const struct {
    const char *name, *brings;
} parts[PARTS] = {
    [NVRTC] = {"NVRTC", "machine code, registers and spills of a kernel; clang compiles without it, to PTX"},
    [HEADERS] = {"headers",
        "the Toolkit's own cuda_fp16.h, mma.h and others in kernels; without them, what is built in"},
    [STANDARD] = {"CCCL", "cub and cuda/std in kernels; without it, the little of cub that is built in"},
    [COUNTERS] = {"CUPTI", "counters of a GPU (`-s counters=hardware`); without it only the simulator counts"},
};

// Where it is; false: it is not there, and perhaps why.
static bool look(enum part p, char path[PATH_MAX], char why[256])
{
    const char *nvrtc = p == COUNTERS ? NULL : compile_nvrtc(why);
    *path = '\0';
    if (p == COUNTERS) return toolkit_library("cupti", path);
    if (!nvrtc) return false;
    if (p == NVRTC) return snprintf(path, PATH_MAX, "%s", nvrtc), true;
    return toolkit_header(nvrtc, p == HEADERS ? "cuda_fp16.h" : "cuda/std/cstdint", path);
}

static void toolkit(struct json *j)
{
    if (j) json_object(j, "toolkit");
    else term_say(stdout, TERM_BOLD, "\nCUDA Toolkit\n");
    for (enum part p = 0; p < PARTS; p++) {
        char path[PATH_MAX], why[256] = "", about[512] = "";
        const bool here = look(p, path, why);
        if (!here && p == NVRTC) snprintf(about, sizeof about, "%s; it brings %s", why, parts[p].brings);
        else if (!here) snprintf(about, sizeof about, "it brings %s", parts[p].brings);
        if (!j) {
            fact(&(struct device_fact){parts[p].name, "", about, value_text(here ? path : "none")});
            continue;
        }
        json_object(j, parts[p].name);
        json_text(j, here ? "path" : "missing", here ? path : *why ? why : "it is not found");
        json_text(j, "brings", parts[p].brings);
        json_close(j);
    }
    if (j) json_close(j);
}

static void print_objects(struct diags *d)
{
    LOCAL(diags_clear) struct diags none = {0};
    struct json j = json_begin(stdout, false);
    json_add(&j, "{ devices:[");
    for (const struct device_ops *const *ops = device_table; *ops; ops++) {
        char why[256] = "";
        const int count = (*ops)->count(why);
        for (int i = 0; i < count; i++) device(*ops, i, &j, d);
    }
    json_add(&j, "] missing:{"); // kinds without a device, and why
    for (const struct device_ops *const *ops = device_table; *ops; ops++) {
        char why[256] = "";
        if (!(*ops)->count(why) && *why) json_text(&j, (*ops)->kind, why);
    }
    json_close(&j);
    toolkit(&j);
    json_text(&j, "compiler", compile_compiler(&none));
    json_end(&j);
}

int command_devices(const struct options *o, struct diags *d)
{
    const char *gap = "", *compiler;
    LOCAL(diags_clear) struct diags none = {0};
    if (options_json(o)) return print_objects(d), 0;
    for (const struct device_ops *const *ops = device_table; *ops; ops++) {
        char why[256] = "";
        int count = (*ops)->count(why);
        if (count <= 0 && *why)
            say(stdout, "%s%s: %s: %s\n", gap, (*ops)->kind, count ? "it cannot be told" : "none", why);
        for (int i = 0; i < count; i++) {
            say(stdout, "%s", i ? "\n" : gap);
            device(*ops, i, NULL, d);
        }
        if (count || *why) gap = "\n";
    }
    compiler = compile_compiler(&none);
    toolkit(NULL);
    say(stdout, "%scompiler: %s\n", gap, compiler ? compiler : diags_first(&none));
    return 0;
}
