// Looks settings up and checks what is written for them, from the one table in settings.h.
// SPDX-License-Identifier: MIT
#include "spec/settings.h"

#include <stdio.h>
#include <string.h>

const struct setting_facts setting_table[SETTING_COUNT] = {
#define X(id, name, type, choices, fallback, needs_cuda, about) \
    [SETTING_##id] = {name, SETTING_##type, choices, fallback, about, needs_cuda},
    SETTINGS(X)
#undef X
};

int setting_find(const char *name)
{
    for (int i = 0; i < SETTING_COUNT; i++)
        if (strcmp(setting_table[i].name, name) == 0) return i;
    return strncmp(name, "memory.", 7) == 0 && name[7] ? SETTING_MEMORY : -1;
}

// Whether `word` is one of the space-separated `choices`.
static bool among(const char *choices, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = choices; *p;) {
        size_t length = strcspn(p, " ");
        if (n && length == n && memcmp(p, word, n) == 0) return true;
        p += length;
        p += strspn(p, " ");
    }
    return false;
}

static bool complain(enum setting s, char why[200], const char *what)
{
    snprintf(why, 200, "`%s` takes %s", setting_table[s].name, what);
    return false;
}

static bool takes_choice(enum setting s, const char *before, char why[200])
{
    struct str list = {0};
    str_add(&list, before);
    for (const char *p = setting_table[s].choices; *p;) {
        size_t length = strcspn(p, " ");
        str_add_bytes(&list, p, length);
        p += length;
        p += strspn(p, " ");
        if (*p) str_add(&list, strchr(p, ' ') ? ", " : " or ");
    }
    complain(s, why, list.text);
    str_release(&list);
    return false;
}

static bool check_int(enum setting s, const struct value *v, enum unit unit, char why[200])
{
    const char *choices = setting_table[s].choices;
    char text[24];
    if (v->kind != VALUE_INT || unit != UNIT_NONE || v->i < 1 || v->i > INT32_MAX)
        return *choices ? takes_choice(s, "", why) : complain(s, why, "a whole number of at least 1");
    snprintf(text, sizeof text, "%lld", (long long)v->i);
    return !*choices || among(choices, text) || takes_choice(s, "", why);
}

static bool check_fraction(enum setting s, struct value *v, enum unit unit, char why[200])
{
    double r;
    if ((v->kind != VALUE_INT && v->kind != VALUE_REAL) || !value_number(*v, &r) || !(r >= 0 && r <= 1) ||
        (unit != UNIT_NONE && unit != UNIT_PERCENT))
        return complain(s, why, "a number from 0 to 1, or a percentage");
    *v = value_real(r);
    return true;
}

// `persist` also takes a share of the most that is allowed: 1 alone is all of it, since one byte would be useless.
static bool check_bytes(enum setting s, struct value *v, enum unit unit, char why[200])
{
    bool share = among(setting_table[s].choices, "fraction");
    if (share &&
        (v->kind == VALUE_REAL || unit == UNIT_PERCENT || (v->kind == VALUE_INT && v->i == 1 && unit == UNIT_NONE))) {
        char ignored[200];
        return check_fraction(s, v, unit, ignored) ||
            complain(s, why, "bytes (16MiB), or a share of the most allowed (0.5, 50%)");
    }
    if (v->kind != VALUE_INT || v->i < 0 || (unit != UNIT_NONE && unit != UNIT_BYTES))
        return complain(s, why,
            share ? "bytes (16MiB), or a share of the most allowed (0.5, 50%)" : "a whole number of bytes (16MiB)");
    return true;
}

static bool check_dim(enum setting s, const struct value *v, enum unit unit, char why[200])
{
    const struct value *items = v;
    size_t count = 1;
    if (v->kind == VALUE_LIST) items = v->list->items, count = v->list->count;
    bool good = unit == UNIT_NONE && count >= 1 && count <= 3;
    // A text is an expression, for the point to make a number of: `block: TB`, `grid: [2 * tiles, 1]`.
    for (size_t i = 0; good && i < count; i++)
        good = (items[i].kind == VALUE_TEXT && *items[i].text) ||
            (items[i].kind == VALUE_INT && items[i].i >= 1 && items[i].i <= INT32_MAX);
    return good || complain(s, why, "a whole number of at least 1, or a list of up to three: [x, y, z]");
}

static bool check_flags(enum setting s, const struct value *v, char why[200])
{
    const char *choices = setting_table[s].choices;
    if (v->kind == VALUE_TEXT) return among(choices, v->text) || takes_choice(s, "", why);
    if (v->kind != VALUE_LIST || !v->list->count) return takes_choice(s, "one or a list of ", why);
    for (size_t i = 0; i < v->list->count; i++) {
        const struct value *item = &v->list->items[i];
        if (item->kind != VALUE_TEXT || !among(choices, item->text)) return takes_choice(s, "one or a list of ", why);
        if (strcmp(item->text, "none") == 0 && v->list->count > 1)
            return complain(s, why, "a list of the others or `none` alone");
    }
    return true;
}

// Only the form counts here. Which devices and profiles there are is asked when one is opened.
static bool check_device(enum setting s, const char *text, char why[200])
{
    char forms[160];
    return setting_is_device(text, forms) || complain(s, why, forms);
}

bool setting_check(enum setting s, struct value *v, enum unit unit, char why[200])
{
    double r;
    switch (setting_table[s].type) {
    case SETTING_INT: return check_int(s, v, unit, why);
    case SETTING_FRACTION: return check_fraction(s, v, unit, why);
    case SETTING_BYTES: return check_bytes(s, v, unit, why);
    case SETTING_DIM: return check_dim(s, v, unit, why);
    case SETTING_FLAGS: return check_flags(s, v, why);
    case SETTING_BOOL: return v->kind == VALUE_BOOL || complain(s, why, "true or false");
    case SETTING_CHOICE:
        return (v->kind == VALUE_TEXT && among(setting_table[s].choices, v->text)) || takes_choice(s, "", why);
    case SETTING_TEXT:
        if (v->kind != VALUE_TEXT || !*v->text)
            return complain(s, why, s == SETTING_WINDOW ? "the name of a buffer" : "a name");
        return s != SETTING_DEVICE || check_device(s, v->text, why);
    case SETTING_TIME:
        if ((v->kind != VALUE_INT && v->kind != VALUE_REAL) || !value_number(*v, &r) || !(r > 0) ||
            (unit != UNIT_NONE && unit != UNIT_SECONDS))
            return complain(s, why, "a time (50ms, 2s; a bare number is seconds)");
        *v = value_real(r);
        return true;
    }
    return false;
}

struct value setting_default(enum setting s)
{
    const struct setting_facts *f = &setting_table[s];
    struct value v = {0};
    enum unit unit = UNIT_NONE;
    char why[200];
    if (!*f->fallback) return v;
    if (f->type == SETTING_BOOL) v = value_bool(strcmp(f->fallback, "true") == 0);
    else if (!units_parse(f->fallback, &v, &unit, why)) v = value_text(f->fallback);
    return setting_check(s, &v, unit, why) ? v : (struct value){0};
}
