// Looks a name up among what the file sets, the kernel's parameters, the settings and the columns.
// SPDX-License-Identifier: MIT
#include "spec/reading.h"

#include <string.h>

#include "spec/columns.h"
#include "spec/experiment.h"
#include "spec/known.h"

static int kind_of(struct value v)
{
    static const int kinds[] = {[VALUE_NONE] = 0,
        [VALUE_INT] = KNOWN_NUMBER,
        [VALUE_REAL] = KNOWN_NUMBER,
        [VALUE_BOOL] = KNOWN_BOOL,
        [VALUE_TEXT] = KNOWN_TEXT,
        [VALUE_LIST] = KNOWN_TEXT}; // as a report shows it: 16x8
    return kinds[v.kind];
}

static int kinds_given(const struct experiment *e, const char *name)
{
    int kinds = 0;
    for (size_t i = 0; i < e->with.count; i++)
        if (strcmp(e->with.items[i].name, name) == 0) kinds |= kind_of(e->with.items[i].value);
    for (size_t i = 0; i < e->sweep_count; i++)
        for (size_t k = 0; k < e->sweep[i].count; k++)
            for (size_t v = 0; v < e->sweep[i].items[k].count && strcmp(e->sweep[i].items[k].name, name) == 0; v++)
                kinds |= kind_of(e->sweep[i].items[k].values[v]);
    for (size_t i = 0; i < e->include_count; i++)
        for (size_t k = 0; k < e->include[i].count; k++)
            if (strcmp(e->include[i].items[k].name, name) == 0) kinds |= kind_of(e->include[i].items[k].value);
    return kinds;
}

static int kinds_of_setting(enum setting s)
{
    switch (setting_table[s].type) {
    case SETTING_CHOICE:
    case SETTING_FLAGS:
    case SETTING_TEXT: return KNOWN_TEXT;
    case SETTING_BOOL: return KNOWN_BOOL;
    case SETTING_DIM: return KNOWN_NUMBER | KNOWN_TEXT;
    default: return KNOWN_NUMBER;
    }
}

int kinds_here(const void *context, const char *name)
{
    const struct experiment *e = context;
    const struct param *p = e->kernel ? kernel_param(e->kernel, name) : NULL;
    const int setting = setting_find(name), given = kinds_given(e, name);
    bool sim;
    if (given && !e->script) return given;
    if (p) return given | (p->is_text ? KNOWN_TEXT : p->fallback.kind == VALUE_BOOL ? KNOWN_BOOL : KNOWN_NUMBER);
    if (setting >= 0) return given | kinds_of_setting((enum setting)setting);
    if (column_shown(name, &sim) >= 0 || strcmp(name, "point") == 0) return KNOWN_NUMBER;
    for (const struct text_column *c = column_texts; c->name; c++)
        if (strcmp(c->name, name) == 0) return KNOWN_TEXT;
    return 0;
}
