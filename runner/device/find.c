// The backends, in the order in which `auto` tries them, and which of them a spec means.
// SPDX-License-Identifier: MIT
#include "device/device.h"

#include <stdio.h>
#include <string.h>

const struct device_ops *const device_table[] = {&device_cuda, &device_sim, &device_fake, NULL};

// The kind before the colon.
static bool is_kind(const char *spec, const char *kind)
{
    size_t n = strlen(kind);
    return strncmp(spec, kind, n) == 0 && (spec[n] == ':' || spec[n] == '\0');
}

static const struct device_ops *automatic(char resolved[DEVICE_SPEC], char note[256], struct diags *d)
{
    char why[256] = "this build knows no GPU";
    for (size_t i = 0; device_table[i]; i++) {
        const struct device_ops *ops = device_table[i];
        if (ops->count(why) <= 0) continue;
        if (ops->spec) ops->spec(0, resolved);
        else snprintf(resolved, DEVICE_SPEC, "%s:0", ops->kind);
        if (strcmp(ops->kind, "sim") == 0)
            snprintf(note, 256, "%.180s: counting on the simulator, which has no times", why);
        return ops;
    }
    diag_system(d, NULL, "no device: %s", why);
    return NULL;
}

const struct device_ops *device_find(const char *spec, char resolved[DEVICE_SPEC], char note[256], struct diags *d)
{
    char kinds[128] = "auto";
    note[0] = '\0';
    if (!spec || !*spec || strcmp(spec, "auto") == 0) return automatic(resolved, note, d);
    for (size_t i = 0; device_table[i]; i++) {
        const struct device_ops *ops = device_table[i];
        size_t used = strlen(kinds);
        snprintf(kinds + used, sizeof kinds - used, ", %s", ops->kind);
        if (!is_kind(spec, ops->kind)) continue;
        // Any spec of the kind is taken here: `open` says what is wrong with it.
        if (snprintf(resolved, DEVICE_SPEC, "%s", strcmp(spec, "cuda") == 0 ? "cuda:0" : spec) < DEVICE_SPEC)
            return ops;
        diag_user(d, (struct where){0}, NULL, "device `%s`: at most %d characters, please", spec, DEVICE_SPEC - 1);
        return NULL;
    }
    diag_user(d, (struct where){0}, NULL, "unknown device `%s`; there are %s", spec, kinds);
    return NULL;
}
