// Settings that decide nothing in an experiment: told once, for their rows would differ by chance alone.
// SPDX-License-Identifier: MIT
#include "plan/plan_inside.h"

#include <string.h>

// A setting counts only where `on` is one of `words`; on the simulator, which has no time, some never do.
static const struct use {
    enum setting setting;
    bool times;
    enum setting on;
    const char *words; // NULL: anything but the default
} uses[] = {{SETTING_TOUCH, true, SETTING_MEMORY, "managed"}, {SETTING_PREFETCH, true, SETTING_MEMORY, "managed"},
    {SETTING_ADVISE, true, SETTING_MEMORY, "managed"}, {SETTING_HOST, true, SETTING_TIMED, "upload download roundtrip"},
    {SETTING_CHUNKS, true, SETTING_TIMED, "upload download roundtrip"}, {SETTING_FALLBACK, true, SETTING_MEMORY, ""},
    {SETTING_VIA, true, SETTING_VIA, ""}, {SETTING_WINDOW_RATIO, false, SETTING_WINDOW_BUFFER, NULL},
    {SETTING_WINDOW_HITS, false, SETTING_WINDOW_BUFFER, NULL},
    {SETTING_WINDOW_MISSES, false, SETTING_WINDOW_BUFFER, NULL},
    {SETTING_WINDOW_BYTES, false, SETTING_WINDOW_BUFFER, NULL},
    {SETTING_TEXTURE_ADDRESS, false, SETTING_MEMORY, "texture"},
    {SETTING_TEXTURE_FILTER, false, SETTING_MEMORY, "texture"},
    {SETTING_TEXTURE_NORMALIZED, false, SETTING_MEMORY, "texture"}};

typedef bool value_fn(const void *context, struct value);

static bool any_of(const struct assignments *list, const char *name, value_fn *is, const void *context)
{
    const size_t n = strlen(name);
    for (size_t i = 0; i < list->count; i++) {
        const char *it = list->items[i].name;
        if (strncmp(it, name, n) == 0 && (!it[n] || it[n] == '.') && is(context, list->items[i].value)) return true;
    }
    return false;
}

// Whether a value that the file gives `name`, or a part of it (memory.in), is such a one.
static bool any(const struct experiment *e, const char *name, value_fn *is, const void *context)
{
    bool yes = any_of(&e->with, name, is, context);
    for (size_t i = 0; i < e->include_count && !yes; i++) yes = any_of(&e->include[i], name, is, context);
    for (size_t i = 0; i < e->sweep_count; i++)
        for (size_t k = 0; k < e->sweep[i].count; k++)
            for (size_t v = 0; v < e->sweep[i].items[k].count && !yes; v++) {
                struct assignment one = {.name = e->sweep[i].items[k].name, .value = e->sweep[i].items[k].values[v]};
                yes = any_of(&(struct assignments){.items = &one, .count = 1}, name, is, context);
            }
    return yes;
}

static bool is_another(const void *fallback, struct value v)
{
    const struct value *f = fallback;
    return !value_equal(*f, v);
}

static bool is_word(const void *words, struct value v)
{
    return v.kind == VALUE_TEXT && *v.text && strstr(words, v.text) != NULL;
}

static bool is_timed(const void *none, struct value device)
{
    (void)none;
    const char *kind = device.kind == VALUE_TEXT ? setting_device_kind(device.text) : NULL;
    return !kind || strcmp(kind, "sim") != 0;
}

static bool is_set(const struct experiment *e, enum setting s)
{
    const struct value fallback = setting_default(s);
    return any(e, setting_table[s].name, is_another, &fallback);
}

static bool takes_texture(const struct experiment *e)
{
    for (size_t k = 0; k < e->kernel_count; k++)
        if (strstr(e->kernels[k]->text, "cudaTextureObject_t")) return true;
    return false;
}

static bool is_needed(const struct experiment *e, const struct use *u)
{
    if (!u->words) return is_set(e, u->on);
    return !*u->words || any(e, setting_table[u->on].name, is_word, u->words) ||
        (strcmp(u->words, "texture") == 0 && takes_texture(e));
}

// A source whose block follows its parameters (`block: [TX, TY]`) may count on that.
static void tell_block(const struct experiment *e, struct diags *d)
{
    const bool given = any(e, "block", is_another, &(struct value){0});
    for (size_t k = 0; given && k < e->kernel_count; k++) {
        const struct kernel *of = e->kernels[k];
        LOCAL(str_release) struct str own = {0};
        bool follows = false;
        for (int i = 0; i < 3 && of->block[i].text; i++) {
            for (size_t p = 0; p < of->param_count; p++) follows |= strcmp(of->block[i].text, of->params[p].name) == 0;
            str_addf(&own, "%s%s", i ? ", " : "", of->block[i].text);
        }
        if (follows)
            diag_add(d, DIAG_WARNING, plan_where(e, "block"), "leave `block` out, and set those",
                "`block` takes the place of the kernel's own, [%s], which its source may count on", own.text);
    }
}

void idle_tell(const struct experiment *e, struct diags *d)
{
    tell_block(e, d);
    bool known = false, timed = true;
    const struct value automatic = setting_default(SETTING_DEVICE);
    for (size_t i = 0; !e->script && i < sizeof uses / sizeof *uses; i++) {
        const struct use *u = &uses[i];
        const char *name = setting_table[u->setting].name, *on = setting_table[u->on].name;
        if (!is_set(e, u->setting)) continue;
        if (u->times && !known) { // asked for at most once: `auto` starts a process
            timed = any(e, "device", is_timed, NULL) ||
                (!any(e, "device", is_another, &(struct value){0}) && is_timed(NULL, automatic));
            known = true;
        }
        if (u->times && !timed)
            diag_add(d, DIAG_WARNING, plan_where(e, name), NULL, "`%s` changes nothing on sim: it needs a GPU", name);
        else if (!is_needed(e, u)) {
            char first[32];
            const char *words = u->words ? u->words : "...";
            snprintf(first, sizeof first, "%.*s", (int)strcspn(words, " "), words);
            diag_add(d, DIAG_WARNING, plan_where(e, name), NULL, "`%s` changes nothing without `%s: %s`", name, on,
                first);
        }
    }
}
