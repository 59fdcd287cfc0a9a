// spec/settings: every row of the table is usable, and each type of setting takes what it should.
// SPDX-License-Identifier: MIT
#include "spec/settings.h"
#include "unit/test.h"

static void every_row_is_found_and_its_default_passes_its_own_check(void)
{
    for (int i = 0; i < SETTING_COUNT; i++) {
        CHECK_INT(setting_find(setting_table[i].name), i);
        struct value v = setting_default((enum setting)i);
        CHECK((v.kind == VALUE_NONE) == (*setting_table[i].fallback == '\0'));
    }
    CHECK_INT(setting_find("memory.in"), SETTING_MEMORY);
    CHECK_INT(setting_find("host.in"), -1);
    CHECK_INT(setting_find("memory."), -1);
    CHECK(setting_default(SETTING_TIMEOUT).r == 60.0);
}

// `text` is a number with a unit where it reads as one, else true, false or a word.
static bool takes(enum setting s, const char *text, char why[200])
{
    struct value v;
    enum unit unit = UNIT_NONE;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) v = value_bool(*text == 't');
    else if (!units_parse(text, &v, &unit, why)) v = value_text(text);
    return setting_check(s, &v, unit, why);
}

static const char forms[] = "what the backends say that they take";

static void each_type_takes_its_own(void)
{
    char kinds[160];
    setting_is_device("", kinds);
    static const struct {
        enum setting setting;
        const char *text, *why; // why NULL: taken
    } rows[] = {
        {SETTING_STREAMS, "4", NULL},
        {SETTING_STREAMS, "0", "a whole number of at least 1"},
        {SETTING_STREAMS, "1.5", "a whole number of at least 1"},
        {SETTING_STREAMS, "4KiB", "a whole number of at least 1"},
        {SETTING_FETCH, "64", NULL},
        {SETTING_FETCH, "48", "32, 64 or 128"},
        {SETTING_WINDOW_RATIO, "0.6", NULL},
        {SETTING_WINDOW_RATIO, "60%", NULL},
        {SETTING_WINDOW_RATIO, "1.01", "a number from 0 to 1, or a percentage"},
        {SETTING_PERSIST, "16MiB", NULL},
        {SETTING_PERSIST, "0.5", NULL},
        {SETTING_PERSIST, "150%", "bytes (16MiB), or a share of the most allowed (0.5, 50%)"},
        {SETTING_WINDOW_BYTES, "4Mi", NULL},
        {SETTING_WINDOW_BYTES, "50%", "a whole number of bytes (16MiB)"},
        {SETTING_WINDOW_BYTES, "5ms", "a whole number of bytes (16MiB)"},
        {SETTING_TIMEOUT, "2min", NULL},
        {SETTING_TIMEOUT, "30", NULL},
        {SETTING_TIMEOUT, "30MiB", "a time (50ms, 2s; a bare number is seconds)"},
        {SETTING_TIMEOUT, "0", "a time (50ms, 2s; a bare number is seconds)"},
        {SETTING_BLOCK, "256", NULL},
        {SETTING_BLOCK, "0", "a whole number of at least 1, or a list of up to three: [x, y, z]"},
        {SETTING_MEMORY, "pool", NULL},
        {SETTING_MEMORY, "vice", "device, managed, mapped, pool, peer, pitched, constant, symbol, texture or surface"},
        {SETTING_ADVISE, "read_mostly", NULL},
        {SETTING_ADVISE, "read", "none, read_mostly, preferred_location or accessed_by"},
        {SETTING_PREFETCH, "true", NULL},
        {SETTING_ALLOW_OVERSUBSCRIPTION, "true", NULL},
        {SETTING_ALLOW_OVERSUBSCRIPTION, "16MiB", "true or false"},
        {SETTING_PREFETCH, "1", "true or false"},
        {SETTING_WINDOW_BUFFER, "in", NULL},
        {SETTING_WINDOW_BUFFER, "3", "the name of a buffer"},
        {SETTING_DEVICE, "cuda:7", NULL},
        {SETTING_DEVICE, "cuda:all", NULL},
        {SETTING_DEVICE, "auto", NULL},
        {SETTING_DEVICE, "sim", NULL},
        {SETTING_DEVICE, "script:x", NULL},
        {SETTING_DEVICE, "sim:a100", NULL},
        {SETTING_DEVICE, "script:", forms},
        {SETTING_DEVICE, "cuda:x", forms},
        {SETTING_DEVICE, "cuda:", forms},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char why[200] = "";
        bool taken = takes(rows[i].setting, rows[i].text, why);
        if (rows[i].why == forms) CHECK_TEXT(taken ? "taken" : why, kinds);
        else if (rows[i].why) CHECK_TEXT(taken ? "taken" : why, rows[i].why);
        else CHECK_TEXT(taken ? "taken" : why, "taken");
    }
}

int main(void)
{
    every_row_is_found_and_its_default_passes_its_own_check();
    each_type_takes_its_own();
    return test_end();
}
