// The backends, in the order in which `auto` tries them, and which of them a spec means.
// SPDX-License-Identifier: MIT
#include "device/device.h"

#include "base/arena.h"
#include "base/child.h"
#include "base/str.h"
#include "spec/settings.h"
#include "spec/traits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The last is there where tests are linked with it; else the table ends before it.
const struct device_ops *const device_table[] = {&device_cuda, &device_sim, &device_fake, NULL};

static bool own_process;
void device_own_process(void) { own_process = true; }
bool device_in_own_process(void) { return own_process; }

// The kind before the colon.
static bool is_kind(const char *spec, const char *kind)
{
    size_t n = strlen(kind);
    return strncmp(spec, kind, n) == 0 && (spec[n] == ':' || spec[n] == '\0');
}

const struct device_ops *device_auto(const struct device_ops *const *table, char resolved[DEVICE_SPEC], char note[256],
    struct diags *d)
{
    LOCAL(str_release) struct str missing = {0}; // why each kind before it is not here
    for (size_t i = 0; table[i]; i++) {
        const struct device_ops *ops = table[i];
        char why[256] = "";
        const int count = ops->count(why);
        if (count == 0 && *why) str_addf(&missing, "%s%s", missing.size ? "; " : "", why);
        if (count == 0) continue;
        if (count < 0) { // the next kind is not tried: it would measure something else
            diag_system(d, "run it again, or say which device: -d", "whether there is a %s device cannot be told: %s",
                ops->kind, why);
            return NULL;
        }
        ops->spec(0, resolved);
        if (ops->instead)
            snprintf(note, 256, "%.180s: %s", missing.size ? missing.text : "this build knows no GPU", ops->instead);
        return ops;
    }
    diag_system(d, NULL, "no device: %s", missing.size ? missing.text : "this build knows none");
    return NULL;
}

const struct device_ops *device_find(const char *spec, char resolved[DEVICE_SPEC], char note[256], struct diags *d)
{
    char kinds[128] = "auto";
    note[0] = '\0';
    if (!spec || !*spec || strcmp(spec, "auto") == 0) return device_auto(device_table, resolved, note, d);
    for (size_t i = 0; device_table[i]; i++) {
        const struct device_ops *ops = device_table[i];
        size_t used = strlen(kinds);
        snprintf(kinds + used, sizeof kinds - used, ", %s", ops->kind);
        if (!is_kind(spec, ops->kind)) continue;
        // Any spec of the kind is taken here: `open` says what is wrong with it.
        if (ops->spec && strcmp(spec, ops->kind) == 0) return ops->spec(0, resolved), ops;
        if (snprintf(resolved, DEVICE_SPEC, "%s", spec) < DEVICE_SPEC) return ops;
        diag_user(d, (struct where){0}, NULL, "device `%s` is too long: at most %d characters", spec, DEVICE_SPEC - 1);
        return NULL;
    }
    diag_user(d, (struct where){0}, NULL, "unknown device `%s`; there are %s", spec, kinds);
    return NULL;
}

const struct device_ops *device_kind(const char *spec)
{
    for (size_t i = 0; device_table[i]; i++)
        if (is_kind(spec, device_table[i]->kind)) return device_table[i];
    return NULL;
}

const struct device_ops *device_all(const char *spec)
{
    const struct device_ops *ops = device_kind(spec);
    return ops && ops->visible && strcmp(spec + strlen(ops->kind), ":all") == 0 ? ops : NULL;
}

const struct device_ops *device_simulator(void)
{
    for (size_t i = 0; device_table[i]; i++)
        if (!device_table[i]->visible) return device_table[i];
    return NULL;
}

const struct device_ops *device_visible(const char *(*variable)(const char *), const char **list)
{
    for (size_t i = 0; device_table[i]; i++)
        if (device_table[i]->visible && (*list = variable(device_table[i]->visible))) return device_table[i];
    return NULL;
}

bool setting_is_device(const char *text, char forms[160])
{
    const struct device_ops *ops = device_kind(text);
    const char *colon = strchr(text, ':');
    size_t used = (size_t)snprintf(forms, 160, "auto");
    for (size_t i = 0; device_table[i]; i++)
        if (device_table[i]->forms && used < 160)
            used += (size_t)snprintf(forms + used, 160 - used, ", %s", device_table[i]->forms);
    return strcmp(text, "auto") == 0 || (ops && ops->form(colon ? colon + 1 : NULL));
}

bool setting_is_kind(const char *word, char kinds[96])
{
    bool found = false;
    size_t used = 0;
    kinds[0] = '\0';
    for (size_t i = 0; device_table[i]; i++) {
        const struct device_ops *ops = device_table[i];
        found |= strcmp(word, ops->kind) == 0;
        if (used < 96) used += (size_t)snprintf(kinds + used, 96 - used, "%s%s", i ? ", " : "", ops->kind);
    }
    return found;
}

static void which_is_automatic(const void *context, void *answer)
{
    char resolved[DEVICE_SPEC], note[256];
    LOCAL(diags_clear) struct diags ignored = {0};
    device_own_process();
    const struct device_ops *ops = device_find(context, resolved, note, &ignored);
    *(int *)answer = -1;
    for (int i = 0; ops && device_table[i]; i++)
        if (device_table[i] == ops) *(int *)answer = i;
}

const char *setting_device_kind(const char *spec)
{
    const struct device_ops *ops = device_kind(spec);
    int automatic = -1;
    if (ops) return ops->kind;
    if (strcmp(spec, "auto") != 0 || !apart_ask(which_is_automatic, spec, &automatic, sizeof automatic)) return NULL;
    return automatic >= 0 ? device_table[automatic]->kind : NULL;
}

// What one device tells, laid over what those before it told: where two differ nothing is known.
static bool add_traits(const struct device_ops *ops, const char *spec, bool first, struct traits *t)
{
    LOCAL(diags_clear) struct diags d = {0};
    struct device_identity id;
    struct device_fact *facts = NULL;
    LOCAL(arena_drop) struct arena *a = arena_new();
    struct device *dev = ops->open(spec, &d);
    const size_t n = dev ? ops->facts(dev, a, &facts) : 0;
    if (!dev) snprintf(t->why, sizeof t->why, "%s", diags_first(&d));
    if (dev) ops->identity(dev, &id);
    if (dev && first) snprintf(t->device, sizeof t->device, "%s", id.name);
    for (int i = 0; dev && i < TRAIT_COUNT; i++) {
        double x = NAN;
        for (size_t k = 0; k < n; k++)
            if (strcmp(facts[k].name, trait_table[i].name) == 0) value_number(facts[k].value, &x);
        if (!first && !(x == t->values[i]) && isfinite(t->values[i]))
            snprintf(t->why, sizeof t->why, "the devices of `%.60s` differ in it", t->spec), x = NAN;
        if (first || !isfinite(x)) t->values[i] = x;
    }
    if (dev) ops->close(dev);
    return dev;
}

static void ask_traits(const void *context, void *answer)
{
    struct traits *t = answer;
    LOCAL(diags_clear) struct diags d = {0};
    char resolved[DEVICE_SPEC], note[256];
    const struct device_ops *shared = device_all(context), *ops = shared;
    const int count = shared ? shared->count(t->why) : 1;
    if (!shared && !(ops = device_find(context, resolved, note, &d)))
        snprintf(t->why, sizeof t->why, "%s", diags_first(&d));
    for (int i = 0; ops && i < count; i++) {
        if (shared) shared->spec(i, resolved);
        if (!add_traits(ops, resolved, i == 0, t)) break;
    }
}

void traits_ask(const char *spec, struct traits *t)
{
    *t = (struct traits){.why = ""};
    snprintf(t->spec, sizeof t->spec, "%s", spec);
    for (int i = 0; i < TRAIT_COUNT; i++) t->values[i] = NAN;
    struct traits answer = *t;
    if (apart_ask(ask_traits, t->spec, &answer, sizeof answer)) *t = answer;
    else snprintf(t->why, sizeof t->why, "device `%.60s` cannot be asked", spec);
}
