// From a spec to its backend: every kind by its name, `auto` to the first that is there, with a message where that is
// the simulator.
// SPDX-License-Identifier: MIT
#include "device/device.h"
#include "device/profiles.h"
#include "test.h"

static const char *kind(const char *spec, char resolved[DEVICE_SPEC], char note[256], struct diags *d)
{
    const struct device_ops *ops = device_find(spec, resolved, note, d);
    return ops ? ops->kind : "";
}

static const char *visible; // the variable of the kind that is asked for
static const char *two_gpus(const char *name) { return strcmp(name, visible) == 0 ? "2,5" : NULL; }
static const char *nothing(const char *name) { return (void)name, NULL; }

// What the folders above ask instead of knowing a backend by its name.
static void a_backend_says_what_it_is(void)
{
    const char *list = NULL;
    char spec[DEVICE_SPEC];
    CHECK(!device_kind("auto") && !device_all("auto") && !device_visible(nothing, &list));
    for (size_t i = 0; device_table[i]; i++) {
        const struct device_ops *ops = device_table[i];
        snprintf(spec, sizeof spec, "%s:3", ops->kind);
        CHECK(device_kind(ops->kind) == ops && device_kind(spec) == ops && !device_all(spec));
        snprintf(spec, sizeof spec, "%ss:3", ops->kind);
        CHECK(!device_kind(spec));
        snprintf(spec, sizeof spec, "%s:all", ops->kind);
        CHECK(device_all(spec) == (ops->visible ? ops : NULL) && !device_all(ops->kind));
        if (!ops->visible) continue;
        visible = ops->visible;
        CHECK(device_visible(two_gpus, &list) == ops);
        CHECK_TEXT(list, "2,5");
    }
    CHECK(device_simulator() == &device_sim);
    for (const struct profile *p = profiles; p->name; p++)
        CHECK(strstr(device_sim.forms, p->name)); // said in complaints
}

static int no_driver(char why[256]) { return snprintf(why, 256, "no driver"), 0; }
static int no_cards(char why[256]) { return snprintf(why, 256, "no cards"), 0; }
static int unasked(char why[256]) { return snprintf(why, 256, "no memory"), -1; }
static int one(char why[256]) { return (void)why, 1; }
static void first(int i, char spec[DEVICE_SPEC]) { snprintf(spec, DEVICE_SPEC, "last:%d", i); }

// Each reason is told, however many kinds are listed before the one that is there.
static void auto_says_why_each_kind_is_not_here(void)
{
    const struct device_ops driverless = {.kind = "a", .count = no_driver}, cardless = {.kind = "b", .count = no_cards},
                            there = {.kind = "last", .count = one, .spec = first, .instead = "counted alone"},
                            unknown = {.kind = "c", .count = unasked};
    const struct device_ops *const table[] = {&driverless, &cardless, &there, NULL},
                                   *const none[] = {&driverless, NULL},
                                   *const unsure[] = {&driverless, &unknown, &there, NULL};
    char resolved[DEVICE_SPEC] = "", note[256] = "";
    struct diags d = {0};
    CHECK(device_auto(table, resolved, note, &d) == &there);
    CHECK_TEXT(resolved, "last:0");
    CHECK_TEXT(note, "no driver; no cards: counted alone");
    CHECK(!device_auto(none, resolved, note, &d));
    CHECK_TEXT(diags_first(&d), "no device: no driver");
    diags_clear(&d);
    CHECK(!device_auto(unsure, resolved, note, &d));
    CHECK_TEXT(diags_first(&d), "whether there is a c device cannot be told: no memory");
    diags_clear(&d);
}

int main(void)
{
    struct diags d = {0};
    char resolved[DEVICE_SPEC], note[256], why[256] = "", listed[DEVICE_SPEC], longest[200];
    CHECK_TEXT(kind("sim:a100", resolved, note, &d), "sim");
    CHECK_TEXT(resolved, "sim:a100");
    CHECK_TEXT(note, "");
    struct str known = {0};
    for (size_t i = 0; device_table[i]; i++) {
        CHECK_TEXT(kind(device_table[i]->kind, resolved, note, &d), device_table[i]->kind);
        CHECK(strncmp(resolved, device_table[i]->kind, strlen(device_table[i]->kind)) == 0);
        str_addf(&known, ", %s", device_table[i]->kind);
    }
    CHECK_INT(d.count, 0);
    CHECK_TEXT(kind("simulator", resolved, note, &d), "");
    CHECK(strstr(diags_first(&d), "unknown device `simulator`; there are auto") && strstr(diags_first(&d), known.text));
    str_release(&known);
    memset(longest, 'x', sizeof longest - 1);
    memcpy(longest, "sim:", 4);
    longest[sizeof longest - 1] = '\0';
    CHECK_TEXT(kind(longest, resolved, note, &d), "");
    CHECK_INT(d.count, 2);
    diags_clear(&d);
    const bool gpu = device_table[0]->count(why) > 0;
    CHECK_TEXT(kind("auto", resolved, note, &d), gpu ? device_table[0]->kind : device_simulator()->kind);
    device_kind(resolved)->spec(0, listed);
    CHECK_TEXT(resolved, listed);
    CHECK(gpu ? !*note : *note && strncmp(note, why, 20) == 0);
    printf("%s\n", note);
    for (size_t i = 0; device_table[i]; i++) // what is listed can be opened by that name
        for (int k = 0; k < device_table[i]->count(why); k++) {
            device_table[i]->spec(k, listed);
            struct device *dev = device_table[i]->open(listed, &d);
            CHECK(dev);
            if (dev) device_table[i]->close(dev);
        }
    CHECK_INT(d.count, 0);
    diags_clear(&d);
    a_backend_says_what_it_is();
    auto_says_why_each_kind_is_not_here();
    return test_end();
}
